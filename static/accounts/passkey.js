// Asks the browser for a passkey, and sends its answer with the form.
const form = document.getElementById("passkey");
const button = form.querySelector("button");
const message = document.getElementById("passkey-said");

function decode(base64url) {
  const text = atob(base64url.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function encode(buffer) {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return base64.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function ask() {
  const publicKey = JSON.parse(form.dataset.asked);
  const creating = "new" in form.dataset;
  publicKey.challenge = decode(publicKey.challenge);
  for (const excluded of publicKey.excludeCredentials || []) excluded.id = decode(excluded.id);
  if (creating) publicKey.user.id = decode(publicKey.user.id);
  const credential = creating
    ? await navigator.credentials.create({ publicKey })
    : await navigator.credentials.get({ publicKey });
  const { clientDataJSON, attestationObject, authenticatorData, signature } = credential.response;
  const response = { clientDataJSON: encode(clientDataJSON) };
  if (creating) {
    response.attestationObject = encode(attestationObject);
  } else {
    response.authenticatorData = encode(authenticatorData);
    response.signature = encode(signature);
  }
  form.elements.answer.value = JSON.stringify({
    id: credential.id,
    rawId: encode(credential.rawId),
    type: credential.type,
    response,
    clientExtensionResults: {},
  });
  form.submit();
}

button.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  message.textContent = "";
  ask().catch(() => {
    message.textContent = form.dataset.failed;
  });
});

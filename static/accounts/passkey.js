// Asks the browser for a passkey, and sends its answer with the form.
const form = document.getElementById("passkey"), button = form.querySelector("button"), said = document.getElementById("passkey-said")
const bytes = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0))
const text = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")

async function ask() {
  const asked = JSON.parse(form.dataset.asked), fresh = "new" in form.dataset
  asked.challenge = bytes(asked.challenge)
  for (const one of asked.excludeCredentials || []) one.id = bytes(one.id)
  if (fresh) asked.user.id = bytes(asked.user.id)
  const made = await (fresh ? navigator.credentials.create({publicKey: asked}) : navigator.credentials.get({publicKey: asked}))
  const told = made.response, response = {clientDataJSON: text(told.clientDataJSON)}
  if (fresh) response.attestationObject = text(told.attestationObject)
  else Object.assign(response, {authenticatorData: text(told.authenticatorData), signature: text(told.signature)})
  form.elements.answer.value = JSON.stringify({id: made.id, rawId: text(made.rawId), type: made.type, response, clientExtensionResults: {}})
  form.submit()
}

button.hidden = false
form.addEventListener("submit", event => {
  event.preventDefault()
  said.textContent = ""
  ask().catch(() => { said.textContent = form.dataset.failed })
})

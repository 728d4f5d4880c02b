// Asks the browser for a push subscription when the button is pressed, and sends it with the form.
(function () {
  const form = document.getElementById("push");
  if (!form) return;
  const status = document.createElement("p");
  status.setAttribute("role", "status");
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) {
    status.textContent = form.dataset.unable;
    form.append(status);
    return;
  }

  function bytesOf(base64url) {
    const text = atob(base64url.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  }

  async function subscribe() {
    await navigator.serviceWorker.register(form.dataset.worker);
    const { pushManager } = await navigator.serviceWorker.ready;
    const subscription = await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: bytesOf(form.dataset.key),
    });
    const { endpoint, keys } = subscription.toJSON();
    form.elements.endpoint.value = endpoint;
    form.elements.p256dh.value = keys.p256dh;
    form.elements.auth.value = keys.auth;
    form.submit();
  }

  const button = document.createElement("button");
  button.textContent = form.dataset.words;
  button.addEventListener("click", (event) => {
    event.preventDefault();
    subscribe().catch(() => {
      status.textContent = form.dataset.refused;
    });
  });
  form.append(button, status);
})();

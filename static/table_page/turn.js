// A notification on the viewer's turn. Sent only to browsers that asked for it.
(function () {
  let wasMyTurn = isMyTurn();

  function isMyTurn() {
    return "turn" in document.getElementById("ver").dataset;
  }

  function notify() {
    // Some browsers have notifications but do not allow pages to use them.
    try {
      const icon = document.getElementById("icon").href;
      const notification = new Notification(document.title, { tag: location.pathname, icon });
      notification.onclick = () => {
        focus();
        notification.close();
      };
    } catch {}
  }

  document.addEventListener("htmx:after:swap", () => {
    const began = isMyTurn() && !wasMyTurn;
    wasMyTurn = isMyTurn();
    if (!began || !document.hidden) return;
    if ("Notification" in window && Notification.permission === "granted") notify();
  });

  // The browser's permission is requested only when the player presses the button.
  const place = document.getElementById("allow");
  if (place && "Notification" in window && Notification.permission === "default") {
    const button = document.createElement("button");
    button.textContent = place.dataset.words;
    button.className = "btn-secondary";
    button.addEventListener("click", () => {
      Notification.requestPermission().then((permission) => {
        if (permission !== "default") button.remove();
      });
    });
    place.append(button);
  }
})();

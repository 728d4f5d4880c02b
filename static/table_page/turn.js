// A notification at the viewer's turn: only sent to browsers that asked for it.
(function () {
  let wasMyTurn = isMyTurn();

  function isMyTurn() {
    return "turn" in document.getElementById("ver").dataset;
  }

  function notify() {
    // Some browsers know notifications and refuse them to a page.
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

  // A browser is asked for its permission on a press, never by itself.
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

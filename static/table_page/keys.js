// The keys 1 to 9 press the offers in order. A card is lifted first, then played. An offered number
// is pressed by its own key. Sent only to browsers that asked for it.
(function () {
  const NOT_TYPED = "input:not([type=checkbox], [type=radio]), select, textarea";

  function offered() {
    const buttons = [];
    let next = 1;
    document.querySelectorAll("#table [data-n]").forEach((button) => {
      buttons[button.dataset.n] = button;
      next = +button.dataset.n + 1;
    });
    const others = "#table :is([name=move], .one [name=pick]):not(:disabled, [data-n], [inert] *)";
    document.querySelectorAll(others).forEach((button) => {
      buttons[next++] = button;
    });
    return buttons.slice(0, 10);
  }

  function number() {
    document.querySelectorAll("#table kbd").forEach((key) => key.remove());
    offered().forEach((button, digit) => {
      button.setAttribute("aria-keyshortcuts", digit);
      if (button.dataset.n) return;
      const key = document.createElement("kbd");
      key.textContent = digit;
      key.setAttribute("aria-hidden", "true");
      (button.labels?.[0] || button).append(key);
    });
  }

  document.addEventListener("keydown", (event) => {
    let button = /^\d$/.test(event.key) && offered()[event.key];
    if (!button || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest(NOT_TYPED)) return;
    event.preventDefault();
    if (button.checked) button = button.form.querySelector("button");
    button.click();
  });
  document.addEventListener("htmx:after:swap", number);
  number();
})();

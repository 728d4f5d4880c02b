// A button that copies a link; without scripts the link itself can be selected and copied.
document.querySelectorAll("[data-copy]").forEach((place) => {
  if (!navigator.clipboard) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = place.className;
  button.textContent = place.dataset.words;
  button.addEventListener("click", () => {
    const text = document.getElementById(place.dataset.copy).value;
    navigator.clipboard.writeText(text).then(() => {
      button.textContent = place.dataset.copied;
    });
  });
  place.replaceWith(button);
});

// A button that shares a link if the browser can and `data-share` names it, or else copies it;
// without scripts the link itself can be selected and copied.
const addCopyButtons = () => document.querySelectorAll("[data-copy]").forEach((place) => {
  if (!navigator.clipboard) return;
  const { copy, share, words, copied } = place.dataset;
  const shares = navigator.share && share;
  const button = document.createElement("button");
  button.type = "button";
  button.className = place.className;
  button.textContent = shares ? share : words;
  button.addEventListener("click", () => {
    const url = document.getElementById(copy).value;
    const copyIt = () =>
      navigator.clipboard.writeText(url).then(() => {
        button.textContent = copied;
      });
    if (!shares) return copyIt();
    // A reader who cancels sharing does not want a copy either.
    navigator.share({ url }).catch((error) => error.name === "AbortError" || copyIt());
  });
  place.replaceWith(button);
});
addCopyButtons();

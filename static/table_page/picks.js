// Cards can be sent only if their number is right. Without scripts the answer says so.
document.addEventListener("change", (event) => {
  const form = event.target.form;
  const button = form?.querySelector("[data-least]");
  if (!button) return;
  const ticked = form.querySelectorAll(":checked");
  let { length } = ticked;
  // A third card takes the place of the first of two.
  if (length > 2 && button.dataset.most === "2") {
    [...ticked].find((it) => it !== event.target).checked = false;
    length--;
  }
  button.disabled = length && (length < button.dataset.least || length > button.dataset.most);
});

// Cards can be sent only if their number is right. Without scripts the answer says so.
document.addEventListener("change", (event) => {
  const form = event.target.form;
  const button = form?.querySelector("[data-least]");
  if (!button) return;
  const { length } = form.querySelectorAll(":checked");
  button.disabled = length && (length < button.dataset.least || length > button.dataset.most);
});

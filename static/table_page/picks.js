// Cards can be sent only if their number is right. Without scripts the answer says so.
document.addEventListener("change", (event) => {
  const form = event.target.form;
  const button = form?.querySelector("[data-least]");
  if (!button) return;
  const { least, most } = button.dataset;
  const ticked = form.querySelectorAll(":checked");
  // A third card takes the place of the first of two.
  if (ticked[2] && most === "2") ticked[+(ticked[0] === event.target)].checked = false;
  const { length } = form.querySelectorAll(":checked");
  button.disabled = length && (length < least || length > most);
});

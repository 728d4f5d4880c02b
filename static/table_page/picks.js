// Cards can be sent only if their number is right. Without scripts the answer says so.
document.addEventListener("change", (event) => {
  const form = event.target.form;
  const button = form?.querySelector("[data-least]");
  if (!button) return;
  const { least, most, alike } = button.dataset;
  const others = [...form.querySelectorAll(":checked")].filter((it) => it !== event.target);
  // A third card takes the place of the first of two, one that makes no pair that of the others.
  others.forEach((it, n) => {
    const goes = alike == null ? most === "2" && others[n + 1] : it.value !== event.target.value;
    if (goes) it.checked = false;
  });
  const { length } = form.querySelectorAll(":checked");
  button.disabled = length && (length < least || length > most);
});

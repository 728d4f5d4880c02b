// Cards can be sent only if their number is right. Without scripts the answer says so.
addEventListener("change", (event) => {
  const form = event.target.form;
  const count = form?.querySelectorAll(":checked").length;
  form?.querySelectorAll("[data-least]").forEach((button) => {
    const { least, most } = button.dataset;
    button.disabled = count && (count < least || count > most);
  });
});

// Colours change with the press; htmx stores every choice, and its answer says so.
document.querySelector(".settings").addEventListener("change", ({ target }) => {
  document.getElementById("saved").textContent = "";
  if (target.name === "look") document.documentElement.dataset.look = target.value;
});

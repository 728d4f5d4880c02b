// Times in the reader's own zone; without scripts they stand in UTC.
document.querySelectorAll(".host time[datetime*=T]").forEach((it) => {
  const form = { dateStyle: "clock" in it.dataset ? undefined : "medium", timeStyle: "short" };
  const local = new Date(it.dateTime).toLocaleString("en-GB", form);
  if (it.title) {
    it.title = `${local} (${it.title})`;
  } else {
    it.title = it.textContent;
    it.textContent = local;
  }
});

// Another number of days stands instead of those to choose from.
document.querySelectorAll(".host .days [type=number]").forEach((it) => {
  it.addEventListener("input", () => {
    it.form.querySelectorAll("[name=for]").forEach((day) => {
      day.checked = !it.value && day.defaultChecked;
    });
  });
});

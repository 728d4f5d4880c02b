// Times in the reader's own zone; without scripts they stand in UTC.
document.querySelectorAll(".host time[datetime*=T]").forEach((it) => {
  const local = new Date(it.dateTime).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  if (it.title) {
    it.title = `${local} (${it.title})`;
  } else {
    it.title = it.textContent;
    it.textContent = local;
  }
});

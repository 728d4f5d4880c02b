// Groups the log by the days of the reader's time zone instead of those in UTC.
const log = document.querySelector(".host .log");
if (log) {
  const dayOf = (it) => new Date(it.querySelector("small time").dateTime).toDateString();
  const ago = (days) => new Date(new Date().setDate(new Date().getDate() - days)).toDateString();
  const form = { weekday: "long", day: "2-digit", month: "long", year: "numeric" };
  const model = log.querySelector("section");
  const days = Map.groupBy ? Map.groupBy(log.querySelectorAll("li"), dayOf) : new Map();
  const sections = [...days].map(([day, lines]) => {
    const section = model.cloneNode(true);
    const words = new Date(day).toLocaleDateString("en-GB", form);
    section.querySelector("h2").textContent =
      { [ago(0)]: "Today", [ago(1)]: "Yesterday" }[day] || words;
    section.querySelector("ul").replaceChildren(...lines);
    return section;
  });
  if (sections.length) {
    log.replaceChildren(...sections);
  }
}

// Shows times in the reader's time zone; without scripts they are in UTC.
document.querySelectorAll(".host time[datetime*=T]").forEach((it) => {
  const day = { day: "numeric", month: "short", year: "numeric" };
  const time = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
  const form = { ...("clock" in it.dataset ? {} : day), ...time };
  if (it.dataset.clock === "seconds") {
    form.second = "2-digit";
  }
  const local = new Date(it.dateTime).toLocaleString("en-GB", form);
  if (it.title && !("clock" in it.dataset)) {
    it.title = `${local} (${it.title})`;
  } else {
    it.title = it.textContent;
    it.textContent = local;
  }
});

// Keeps the form consistent: either a listed number of days is chosen, or another is typed.
document.querySelectorAll(".host .days").forEach((days) => {
  const typed = days.querySelector("[type=number]");
  days.addEventListener("change", (event) => {
    if (event.target.value === "other") {
      typed.focus();
    } else if (event.target.name === "for") {
      typed.value = "";
    }
  });
  typed.addEventListener("input", () => {
    days.querySelector("[value=other]").checked = true;
  });
});

// For the error page of a banned player: shows the requested page once the ban is over.
const again = async () => {
  if (!document.hidden && (await fetch(location.href, { method: "HEAD" })).ok) {
    location.replace(location.pathname + location.search);
  }
};
setInterval(() => again().catch(() => {}), 15000);
document.addEventListener("visibilitychange", () => again().catch(() => {}));

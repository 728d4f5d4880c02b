// The page of a banned player: once they may see their page again, it is shown.
const again = async () => {
  if (!document.hidden && (await fetch(location.href, { method: "HEAD" })).ok) {
    location.replace(location.pathname + location.search);
  }
};
setInterval(() => again().catch(() => {}), 15000);
document.addEventListener("visibilitychange", () => again().catch(() => {}));

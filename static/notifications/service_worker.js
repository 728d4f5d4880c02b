// The service worker of a browser that asked for notifications: it shows those that arrive. Its
// address ends in /push.js; the icon and the list of turns are in the same folder.
self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data.json();
  } catch {}
  const shown = self.registration.showNotification(message.title || "Kaboom", {
    body: message.body || "",
    tag: message.tag || "turn",
    icon: "icons/icon-192.png",
    data: message.url || "turns",
  });
  event.waitUntil(shown);
});

async function show(url) {
  const windows = await clients.matchAll({ type: "window" });
  const open = windows.find((one) => new URL(one.url).pathname === url.pathname);
  return open ? open.focus() : clients.openWindow(url.href);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data, location.href);
  if (url.origin === location.origin) event.waitUntil(show(url));
});

/* Run by a browser that asked for notifications, when a call arrives; it fetches nothing. */
self.addEventListener("push", function (e) {
  var it = {}
  try { it = e.data.json() } catch (no) {}
  e.waitUntil(self.registration.showNotification(it.title || "Kaboom", {
    body: it.body || "", tag: it.tag || "turn", icon: "/icons/icon-192.png", data: it.url || "/turns"
  }))
})
self.addEventListener("notificationclick", function (e) {
  e.notification.close()
  var url = new URL(e.notification.data, location.origin)
  if (url.origin !== location.origin) return
  e.waitUntil(clients.matchAll({ type: "window" }).then(function (open) {
    var same = open.filter(function (it) { return new URL(it.url).pathname === url.pathname })[0]
    return same ? same.focus() : clients.openWindow(url.href)
  }))
})

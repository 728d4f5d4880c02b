/* Asks a browser, on a press, to take notifications, and sends what it answers. */
(function (d) {
  var form = d.getElementById("push"), b = d.createElement("button"), p = d.createElement("p")
  if (!form || !("serviceWorker" in navigator) || !("PushManager" in window)) return
  function bytes(text) {
    var raw = atob(text.replace(/-/g, "+").replace(/_/g, "/"))
    return Uint8Array.from(raw, function (c) { return c.charCodeAt(0) })
  }
  b.textContent = form.dataset.words
  p.setAttribute("role", "status")
  b.addEventListener("click", function (e) {
    e.preventDefault()
    navigator.serviceWorker.register("/push.js").then(function () {
      return navigator.serviceWorker.ready
    }).then(function (it) {
      return it.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(form.dataset.key) })
    }).then(function (it) {
      var said = it.toJSON()
      form.elements.endpoint.value = said.endpoint
      form.elements.p256dh.value = said.keys.p256dh
      form.elements.auth.value = said.keys.auth
      form.submit()
    }).catch(function () { p.textContent = form.dataset.refused })
  })
  form.append(b, p)
})(document)

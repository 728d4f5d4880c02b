/* Optional: the page works without it. */
(function (d, inside, gone) {
  var id = function (name) { return d.getElementById(name) }
  /* A refresh that waited in the queue asks by what the page shows now, and keeps its question. */
  d.addEventListener("htmx:before:request", function (e) {
    /* What is asked for on leaving would be shown on coming back, as it was then. */
    if (gone) return e.preventDefault()
    var r = e.detail.ctx.request, at = r.action.split("?v="), ask = id("ask")
    if (r.method === "POST") net()
    if (at[1] !== undefined && r.method === "GET" && id("ver"))
      r.action = at[0] + "?v=" + id("ver").value + (ask ? "&ask=" + encodeURIComponent(ask.value) : "")
  })
  d.addEventListener("htmx:before:swap", function () {
    var t = id("table")
    inside = t && t.contains(d.activeElement)
  })
  /* Somebody else's move took away what had the focus: go to the status line, not to the top. */
  d.addEventListener("htmx:after:swap", function (e) {
    var s = id("status")
    if (e.target.closest("#room")) return
    if (inside && d.activeElement === d.body && s) s.focus()
    stale(false)
    show()
    /* The icon of the window says whose turn it is, as its title does. */
    s = id("icon")
    s.href = s.dataset["turn" in id("table").dataset ? "on" : "off"]
    time()
  })
  /* The way to the table is broken: one line says so until the first sign of life. What breaks while
     one only waits is often mended at once: it is said after three seconds, and so is a stream
     that says nothing for long. Seconds are counted, for a page that slept has lost nothing. */
  var quiet = NaN, down = NaN
  function net(word) {
    var n = id("net"), text = n.dataset[word] || ""
    if (n.textContent !== text) n.textContent = text
    d.documentElement.classList.toggle("offline", text)
  }
  function heard() { down = NaN; net() }
  function lost() { down = down || 0 }
  function answered(e) {
    var c = e.detail.ctx, r = c && c.response
    if (!c || gone) return
    if (r && r.status < 500) heard()
    else if (c.request.method === "POST") net("unsent")
    else if (!r || r.status !== 503) lost() /* 503: the server is there, and busy */
  }
  function alive() { quiet = 0; heard() }
  d.addEventListener("htmx:error", answered)
  d.addEventListener("htmx:after:request", answered)
  d.addEventListener("htmx:sse:after:connection", alive)
  d.addEventListener("htmx:sse:after:message", alive)
  d.addEventListener("htmx:sse:error", function (e) { e.detail.status ? quiet = NaN : lost() })
  addEventListener("offline", lost)
  /* The second half of a double click must not press what came in its place. */
  d.addEventListener("click", function (e) {
    if (e.detail > 1 && e.target.closest("#table [name=move]")) e.preventDefault(), e.stopPropagation()
  }, true)
  function show() {
    /* Made here: a hidden button is shown by text browsers, and does nothing there. */
    if (navigator.clipboard) d.querySelectorAll("span[data-copy]").forEach(function (s) {
      var b = d.createElement("button")
      b.type = "button", b.className = "plain", b.dataset.copy = s.dataset.copy
      b.textContent = s.dataset.words
      s.replaceWith(b)
    })
  }
  d.addEventListener("click", function (e) {
    var b = e.target.closest("[data-copy]")
    if (b) navigator.clipboard.writeText(id(b.dataset.copy).value).then(function () {
      b.textContent = id("net").textContent = id("net").dataset.copied
    })
  })
  /* Time runs: its words follow every ten seconds. What is left of one's own is said when it begins,
     at the half, and at 20 and 10 seconds; a refresh in between says nothing again. */
  var due, half, next
  function time() {
    var c = d.querySelector("[data-left]"), t = id("time"), now = Date.now() / 1000, own, left, ten
    if (c) {
      /* A swap that brought no new clock is no news. */
      if (c.told !== (c.told = c.lastChild.id)) c.due = now + +c.dataset.left, c.ten = 0
      left = c.due - now
      ten = Math.ceil(left / 10)
      if (ten > 0 && ten < c.ten) c.firstChild.data = t.dataset.about.replace("{}", 10 * ten)
      c.ten = ten
      own = "own" in c.dataset
    }
    if (!own) return t.textContent = due = ""
    if (!(Math.abs(c.due - due) < 2)) due = c.due, half = left / 2, next = left
    if (left > next || left < 2) return
    t.textContent = t.dataset.own.replace("{}", Math.round(left))
    next = [half, 20, 10].find(function (n) { return n < left * .7 }) || 0
  }
  setInterval(function () {
    time(), chat()
    if (d.hidden) quiet = down = NaN
    if ((++quiet > 25 | ++down > 2) && !id("net").textContent) net("lost")
  }, 1000)
  /* A page kept for the back button shows no faces until it is fresh again. */
  function stale(on) {
    d.documentElement.classList.toggle("stale", on)
    if (on) id("ver").value = ""
  }
  addEventListener("pagehide", function () { gone = true; if (id("ver")) stale(true) })
  addEventListener("pageshow", function (e) { gone = false; if (e.persisted && id("ver")) stale(true) })
  /* Talk is read once it is on the screen; until then the top of the page says that there is some. */
  function chat() {
    var l = id("last"), u = id("unread"), r
    if (!l) return
    r = id("lines").getBoundingClientRect()
    if (r.top < innerHeight && r.bottom > 0 && !d.hidden && +l.value > u.dataset.read)
      d.cookie = "kb-read=" + (u.dataset.read = l.value) + ";max-age=9999999;path=" + location.pathname
    u.hidden = u.dataset.read >= +l.value
  }
  show()
})(document)

/* Optional: the page works without it. */
(function (d, inside, gone) {
  var id = function (name) { return d.getElementById(name) }
  /* A refresh that waited in the queue asks by what the page shows now, and keeps its question. */
  d.addEventListener("htmx:before:request", function (e) {
    /* What is asked for on leaving would be shown on coming back, as it was then. */
    if (gone) return e.preventDefault()
    var r = e.detail.ctx.request, at = r.action.split("?v="), ask = id("ask")
    if (r.method === "POST") net("")
    if (at[1] !== undefined && r.method === "GET" && id("ver"))
      r.action = at[0] + "?v=" + id("ver").value + (ask ? "&ask=" + encodeURIComponent(ask.value) : "")
  })
  d.addEventListener("htmx:before:swap", function () {
    var t = id("table")
    inside = t && t.contains(d.activeElement)
  })
  /* Somebody else's move took away what had the focus: go to the status line, not to the top. */
  d.addEventListener("htmx:after:swap", function () {
    var s = id("status")
    if (inside && d.activeElement === d.body && s) s.focus()
    show()
  })
  /* The way to the table is broken: say so, until it works again. */
  function net(text) { var n = id("net"); if (n && n.textContent !== text) n.textContent = text }
  function lost(e) {
    var c = e.detail.ctx, r = c && c.response
    if (c && c.request && c.request.method === "POST" && (!r || r.status > 499))
      net("That did not reach the table. Please try again.")
  }
  d.addEventListener("htmx:error", lost)
  d.addEventListener("htmx:response:error", lost)
  /* The second half of a double click must not press what came in its place. */
  d.addEventListener("click", function (e) {
    if (e.detail > 1 && e.target.closest("#table [name=move]")) e.preventDefault(), e.stopPropagation()
  }, true)
  function show() {
    if (navigator.clipboard) d.querySelectorAll("[data-copy]").forEach(function (b) { b.hidden = false })
  }
  d.addEventListener("click", function (e) {
    var b = e.target.closest("[data-copy]")
    if (b) navigator.clipboard.writeText(id(b.dataset.copy).value).then(function () {
      b.textContent = id("net").textContent = "The link is copied"
    })
  })
  /* A page kept for the back button shows no faces until it is fresh again. */
  function stale(on) {
    d.documentElement.classList.toggle("stale", on)
    if (on) id("ver").value = ""
  }
  addEventListener("pagehide", function () { gone = true; if (id("ver")) stale(true) })
  addEventListener("pageshow", function (e) { gone = false; if (e.persisted && id("ver")) stale(true) })
  d.addEventListener("htmx:after:swap", function () { stale(false) })
  show()
})(document)

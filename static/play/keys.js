/* The keys 1 to 9 press what is offered, in its order; a card is lifted, then played. A number that is offered is pressed by its own key. Only sent to browsers that asked for it. */
(function (d) {
  function offered() {
    var found = [], next = 1
    d.querySelectorAll("#table [data-n]").forEach(function (b) {
      found[b.dataset.n] = b
      next = +b.dataset.n + 1
    })
    d.querySelectorAll("#table :is([name=move], .one [name=pick]):not(:disabled, [data-n])").forEach(function (b) { found[next++] = b })
    return found.slice(0, 10)
  }
  function number() {
    d.querySelectorAll("#table kbd").forEach(function (k) { k.remove() })
    offered().forEach(function (b, n) {
      b.setAttribute("aria-keyshortcuts", n)
      if (b.dataset.n) return
      var k = d.createElement("kbd")
      k.textContent = n
      k.setAttribute("aria-hidden", "true")
      ;(b.labels && b.labels[0] || b).append(k)
    })
  }
  d.addEventListener("keydown", function (e) {
    var b = /^\d$/.test(e.key) && offered()[e.key]
    if (!b || e.repeat || e.ctrlKey || e.altKey || e.metaKey || e.target.closest("input:not([type=checkbox], [type=radio]), select, textarea")) return
    e.preventDefault()
    b.checked && (b = b.form.querySelector("button"))
    b.click()
  })
  d.addEventListener("htmx:after:swap", number)
  number()
})(document)

/* The keys 1 to 9 press what is offered, in its order; a card is lifted, then played. Only sent to browsers that asked for it. */
(function (d) {
  function offered() {
    return [].slice.call(d.querySelectorAll("#table :is([name=move], .one [name=pick]):not(:disabled)"), 0, 9)
  }
  function number() {
    d.querySelectorAll("#table kbd").forEach(function (k) { k.remove() })
    offered().forEach(function (b, n) {
      var k = d.createElement("kbd")
      k.textContent = n + 1
      k.setAttribute("aria-hidden", "true")
      b.setAttribute("aria-keyshortcuts", n + 1)
      ;(b.labels && b.labels[0] || b).append(k)
    })
  }
  d.addEventListener("keydown", function (e) {
    var b = e.key > "0" && e.key.length < 2 && offered()[e.key - 1]
    if (!b || e.repeat || e.ctrlKey || e.altKey || e.metaKey || e.target.closest("input:not([type=checkbox], [type=radio]), select, textarea")) return
    e.preventDefault()
    b.checked && (b = b.form.querySelector("button"))
    b.click()
  })
  d.addEventListener("htmx:after:swap", number)
  number()
})(document)

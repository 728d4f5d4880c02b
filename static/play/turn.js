/* A notification at one's turn: only sent to browsers that asked for it. */
/* Only the document is passed: `own`, a variable, says whether it was one's turn at the last look. */
(function (d, own) {
  var table = function () { return d.getElementById("table") }
  function mine() { return "turn" in table().dataset }
  function notice() {
    /* Some browsers know notifications and refuse them to a page. */
    try {
      var n = new Notification(d.title, { tag: location.pathname, icon: d.getElementById("icon").href })
      n.onclick = function () { focus(); n.close() }
    } catch (no) {}
  }
  function look() {
    var was = own
    own = mine()
    if (own && !was && d.hidden && "Notification" in window && Notification.permission === "granted") notice()
  }
  d.addEventListener("htmx:after:swap", look)
  /* A browser is asked for its permission on a press, never by itself. */
  var place = d.getElementById("allow"), b = d.createElement("button")
  if (place && "Notification" in window && Notification.permission === "default") {
    b.textContent = place.dataset.words
    b.className = "plain"
    b.addEventListener("click", function () {
      Notification.requestPermission().then(function (said) { if (said !== "default") b.remove() })
    })
    place.append(b)
  }
  own = mine()
})(document)

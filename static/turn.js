/* Sound and notification at one's turn: only sent to browsers that asked for them. */
(function (d, own) {
  var table = function () { return d.getElementById("table") }
  var asks = d.documentElement.dataset.turn
  function mine() { return "turn" in table().dataset }
  function sound() {
    var a = new AudioContext()
    ;[660, 880].forEach(function (hertz, n) {
      var o = a.createOscillator(), g = a.createGain(), t = a.currentTime + n / 6
      o.frequency.value = hertz
      g.gain.setValueAtTime(.15, t)
      g.gain.exponentialRampToValueAtTime(.001, t + .3)
      o.connect(g)
      g.connect(a.destination)
      o.start(t)
      o.stop(t + .3)
      if (n) o.onended = function () { a.close() }
    })
  }
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
    if (!own || was) return
    if (asks !== "notice") sound()
    if (asks !== "sound" && d.hidden && "Notification" in window && Notification.permission === "granted") notice()
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

/* What is heard of a table: made here, not loaded, and only sent to browsers that asked for it. It tells no more than the
   page: public lines say what they sound like, and one's own turn and victory are heard by oneself. */
(function (d) {
  let loud = d.documentElement.dataset.sound / 3, air, heard, own, won
  function out(gain, start, seconds) {
    let g = air.createGain()
    g.gain.setValueAtTime(gain * loud, start)
    g.gain.exponentialRampToValueAtTime(.001, start + seconds)
    g.connect(air.destination)
    return g
  }
  function tone(start, seconds, gain, from, to) {
    let o = air.createOscillator()
    o.frequency.setValueAtTime(from, start)
    o.frequency.exponentialRampToValueAtTime(to || from, start + seconds)
    o.connect(out(gain, start, seconds))
    o.start(start)
    o.stop(start + seconds)
  }
  /* Noise that falls: a card on felt, and with more of it a blast. */
  function noise(start, seconds, gain) {
    let size = Math.ceil(air.sampleRate * seconds), b = air.createBuffer(1, size, air.sampleRate), n = air.createBufferSource(), last = 0
    b.getChannelData(0).forEach((none, i, all) => all[i] = last += (Math.random() * 2 - 1 - last) * (1 - i / size) * .6)
    n.buffer = b
    n.connect(out(gain, start, seconds))
    n.start(start)
  }
  let sounds = {
    card: t => noise(t, .04, .7),
    flip: t => { noise(t, .03, .5), noise(t + .07, .05, .8) },
    kaboom: t => { noise(t, .6, 1), tone(t, .6, .6, 140, 35) },
    turn: t => { tone(t, .3, .3, 660), tone(t + .16, .3, .3, 880) },
    win: t => [523, 659, 784, 1047].forEach((hertz, n) => tone(t + n * .13, .5, .3, hertz))
  }
  /* One after the other, each once. A page that nobody has touched yet may make no sound. */
  function play(names) {
    if (!names.length) return
    air = air || new AudioContext()
    if (air.state === "suspended") return air.resume()
    names.forEach((name, n) => sounds[name](air.currentTime + n * .18))
  }
  function look(first) {
    let lines = [...d.querySelectorAll("#log [data-sound]")].map(it => [+it.id.slice(3), it.dataset.sound])
    let names = lines.filter(it => it[0] > heard).map(it => it[1]), mine = "turn" in d.getElementById("table").dataset
    let victory = !!d.querySelector(".ending.won #h-ending[data-own]")
    if (d.hidden) names = []
    if (mine && !own) names.push("turn")
    if (victory && !won && !d.hidden) names.push("win")
    if (!first) play([...new Set(names)])
    heard = Math.max(heard || 0, ...lines.map(it => it[0]))
    own = mine
    won = victory
  }
  d.addEventListener("htmx:after:swap", e => e.target.closest("#room") || look())
  d.addEventListener("pointerdown", () => air && air.resume())
  look(true)
})(document)

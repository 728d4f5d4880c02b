// A replay that plays automatically: the button shows one step after another, and the timeline
// jumps to any. Each step is its own page; without this script its controls are plain links.
const player = document.getElementById("player")
const button = player.appendChild(document.createElement("button"))
const line = player.appendChild(document.createElement("input"))
const LEAST = 1400 // milliseconds for each step
const EACH = 30 // … and for each letter of its sentences
let timer = 0
let latest = 0

async function show(step) {
  const mine = ++latest
  const url = player.dataset.at + step + player.dataset.eyes
  try {
    const answer = await fetch(url)
    if (!answer.ok) throw answer.status
    const page = new DOMParser().parseFromString(await answer.text(), "text/html")
    if (mine === latest) swap(page, url, step)
  } catch {
    if (mine === latest) location.assign(url)
  }
}

function swap(page, url, step) {
  const focused = document.activeElement
  const open = document.querySelector(".steps details")?.open
  page.getElementById("player").replaceWith(player)
  document.querySelector("h1").replaceWith(page.querySelector("h1"))
  document.getElementById("main").replaceWith(page.getElementById("main"))
  if (open) document.querySelector(".steps details").open = true
  if (player.contains(focused)) focused.focus({ preventScroll: true })
  document.title = page.title
  history.replaceState(null, "", url)
  line.value = step
  if (timer) step < Number(line.max) ? wait() : pause()
}

function wait() {
  const said = document.querySelector(".happened").textContent.trim()
  timer = setTimeout(() => (document.hidden ? wait() : show(Number(line.value) + 1)), LEAST + EACH * said.length)
}

function pause() {
  clearTimeout(timer)
  timer = 0
  rename()
}

function play() {
  timer = 1
  rename()
  show(line.value === line.max ? 0 : Number(line.value) + 1)
}

function rename() {
  button.textContent = timer ? player.dataset.stop : player.dataset.play
}

button.addEventListener("click", () => (timer ? pause() : play()))
line.addEventListener("change", () => {
  pause()
  show(Number(line.value))
})
button.type = "button"
button.className = "btn-secondary"
line.type = "range"
line.min = 0
line.max = player.dataset.last
line.value = player.dataset.here
line.setAttribute("aria-label", player.dataset.line)
rename()

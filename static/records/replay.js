// A replay that plays automatically: the button shows one step after another, and the timeline
// jumps to any. Each step is its own page; without this script its controls are plain links.
const player = document.getElementById("player")
const button = document.createElement("button")
const line = document.createElement("input")
const pace = document.createElement("button")
const LEAST = 1400 // minimum milliseconds for each step
const EACH = 30 // … and for each letter of its sentences
const GLIDE = 350 // milliseconds in which a card moves
const SPEEDS = [1, 2, 4, 0.5]
const RTL = document.documentElement.dir === "rtl"
let speed = Number(sessionStorage.getItem("kb-speed")) || 1
let timer = 0
let latest = 0
let next // the page of the step that will probably be requested next

const still = () => matchMedia("(prefers-reduced-motion)").matches
const addressOf = (step) => player.dataset.at + step + player.dataset.eyes
// The step that a button of the page leads to; -1 without one.
const stepOf = (rel) => Number(document.getElementById("to-" + rel)?.pathname.match(/\d+$/) ?? -1)

async function got(url) {
  const answer = await fetch(url)
  if (!answer.ok) throw answer.status
  return new DOMParser().parseFromString(await answer.text(), "text/html")
}

async function show(step) {
  const mine = ++latest
  const url = addressOf(step)
  try {
    const page = await (next?.url === url ? next.page : got(url))
    if (mine === latest) swap(page, url, step)
  } catch {
    if (mine === latest) location.assign(url)
  }
}

function swap(page, url, step) {
  const focused = document.activeElement
  const open = document.querySelector(".ways details")?.open
  const boxes = boxesOf()
  const shown = new Set([...document.querySelectorAll("#table *")].map(looks))
  document.body.classList.add("played")
  const burst = burstOf()
  if (step !== stepOf("next")) document.body.classList.remove("played")
  page.getElementById("player").replaceWith(player)
  page.getElementById("play").replaceWith(button)
  document.querySelector("h1").replaceWith(page.querySelector("h1"))
  document.getElementById("main").replaceWith(page.getElementById("main"))
  if (open) document.querySelector(".ways details").open = true
  const again = player.contains(focused) || focused === button ? focused : document.getElementById(focused?.id)
  again?.focus({ preventScroll: true })
  document.title = page.title
  history.replaceState(null, "", url)
  line.value = step
  for (const it of document.getAnimations())
    if (it.effect.pseudoElement ? it.animationName === burst : shown.has(looks(it.effect.target))) it.finish()
  if (!still()) for (const it of document.querySelectorAll("#table [id]")) glide(it, boxes)
  showLine()
  if (timer) step < Number(line.max) ? wait() : pause()
  if (step < Number(line.max)) {
    const url = addressOf(stepOf("next"))
    next = { url, page: got(url) }
    next.page.catch(() => (next = null))
  }
}

// An element that looked the same at the previous step is not animated again.
const burstOf = () => getComputedStyle(document.querySelector("#table .ring"), "::before").animationName
const looks = (element) => element.tagName + element.className + element.textContent

// As at the table: an element with an id moves from its previous position, a new card from its
// data-from.
function boxesOf() {
  return Object.fromEntries([...document.querySelectorAll("#table [id]")].map((it) => [it.id, it.getBoundingClientRect()]))
}

function glide(element, boxes) {
  const places = element.dataset.from?.split(" ").filter((place) => boxes[place]) || []
  const from = boxes[element.id] ? element.matches(".card, :has(> .card:only-child)") && boxes[element.id] : boxes[places[0]]
  if (!from) return
  const to = element.getBoundingClientRect()
  const x = from.x + from.width / 2 - to.x - to.width / 2
  const y = from.y + from.height / 2 - to.y - to.height / 2
  if (Math.abs(x) + Math.abs(y) < 2) return
  element.animate([{ translate: `${x}px ${y}px`, zIndex: 9 }, { zIndex: 9 }], { duration: GLIDE / speed, easing: "ease-out" })
}

// Scrolls the log to the line of this step, without moving the page.
function showLine() {
  const log = document.getElementById("log")
  const box = log?.closest(".side")
  const own = log?.querySelector(".fresh")
  if (!own || box.scrollHeight <= box.clientHeight) return
  box.scrollTop += own.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2
}

function wait() {
  const said = document.querySelector(".happened").textContent.trim()
  const time = (LEAST + EACH * said.length) / speed
  timer = setTimeout(() => (document.hidden ? wait() : show(stepOf("next"))), time)
}

function pause() {
  clearTimeout(timer)
  timer = 0
  rename()
}

function play() {
  timer = 1
  rename()
  show(line.value === line.max ? 0 : stepOf("next"))
}

function rename() {
  button.textContent = timer ? "❚❚" : "▶\uFE0E"
  button.title = button.ariaLabel = timer ? player.dataset.stop : player.dataset.play
  pace.textContent = `${speed}×`
  pace.ariaLabel = `${player.dataset.speed}: ${speed}×`
}

function goTo(step) {
  pause()
  if (step >= 0 && step <= Number(line.max) && step !== Number(line.value)) show(step)
}

button.addEventListener("click", () => (timer ? pause() : play()))
pace.addEventListener("click", () => {
  speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length]
  sessionStorage.setItem("kb-speed", speed)
  rename()
})
line.addEventListener("change", () => {
  pause()
  show(Number(line.value))
})
// A link to a step of this replay changes the page in place.
document.addEventListener("click", (event) => {
  const link = event.target.closest("main a")
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  const step = link.pathname.startsWith(new URL(player.dataset.at, location).pathname) && link.pathname.match(/\/(\d+)$/)
  if (!step || link.search !== player.dataset.eyes) return
  event.preventDefault()
  goTo(Number(step[1]))
})
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select, [role=log]")) return
  const on = RTL ? "ArrowLeft" : "ArrowRight"
  const back = RTL ? "ArrowRight" : "ArrowLeft"
  const steps = { [on]: stepOf("next"), [back]: stepOf("prev"), Home: 0, End: Number(line.max) }
  if (event.key in steps) goTo(steps[event.key])
  else if (event.key === " " && !event.target.closest("a, button, summary")) button.click()
  else return
  event.preventDefault()
})
button.id = "play"
button.type = pace.type = "button"
pace.className = "btn-secondary"
line.type = "range"
line.min = 0
line.max = player.dataset.last
line.value = player.dataset.here
line.ariaLabel = player.dataset.line
player.prepend(line)
player.append(pace)
document.getElementById("play").replaceWith(button)
rename()
showLine()

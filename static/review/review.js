// A replay that several players view together: the stream says where the leader is, and each step
// is a page. Without this script there are plain links and forms, and the page reloads itself.
const news = document.getElementById("news")
const about = () => document.getElementById("review").dataset
let latest = 0
let loading = 0
let heard = {} // the last data from the stream

async function show(url, sent) {
  const mine = ++latest
  loading++
  try {
    const [page, at] = await got(url, sent)
    if (mine === latest) swap(page, at)
  } catch {
    if (mine === latest) location.assign(sent ? about().at : url)
  }
  loading--
  if (mine === latest) look()
}

async function got(url, sent) {
  const answer = await fetch(url, sent)
  const page = new DOMParser().parseFromString(await answer.text(), "text/html")
  if (!page.getElementById("review")) throw answer.status
  return [page, answer.url]
}

// Show what others do without changing this page's step: typed text and the table stay.
async function showParts() {
  const mine = latest
  try {
    const [page, at] = await got(location.href)
    if (mine !== latest || loading || (follows() && placeOf(page) !== about().place)) return
    page.getElementById("review").dataset.leads === about().leads ? swapParts(page) : swap(page, at)
  } catch {} // the next update or the next step brings it
}

function look() {
  if (loading) return
  if (heard.place !== undefined && heard.place !== about().place && follows()) show(about().at)
  else if (heard.place !== about().place || heard.room !== about().room) showParts()
}

const follows = () => "follow" in about()
const placeOf = (page) => page.getElementById("review").dataset.place

function swap(page, url) {
  const focused = document.activeElement?.id
  const open = document.querySelector(".ways details")?.open
  const typed = document.getElementById("remark").value
  const before = location.pathname
  document.querySelector("h1").replaceWith(page.querySelector("h1"))
  document.getElementById("main").replaceWith(page.getElementById("main"))
  if (open) document.querySelector(".ways details").open = true
  document.getElementById("remark").value = typed
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true })
  addCopyButtons()
  showLatest()
  document.title = page.title
  history.replaceState(null, "", url)
  if (before !== location.pathname) {
    const said = document.querySelectorAll(".happened > h2, .earlier > p, .happened > p, #remarks p")
    news.textContent = [...said].map((it) => it.textContent).join(". ")
  }
}

function swapParts(page) {
  const count = document.querySelectorAll("#remarks p").length
  for (const id of ["review", "remarks", "people"]) document.getElementById(id).replaceWith(page.getElementById(id))
  addCopyButtons()
  const now = document.querySelectorAll("#remarks p")
  showLatest()
  if (now.length > count) news.textContent = now[now.length - 1].textContent
}

function showLatest() {
  document.querySelector("#remarks p:last-child")?.scrollIntoView({ block: "nearest" })
}

document.addEventListener("submit", (event) => {
  const form = event.target
  if (form.method !== "post" || !form.action.startsWith(new URL(about().at, location).href) || form.action.endsWith("/leave")) return
  event.preventDefault()
  const fields = new FormData(form)
  const by = event.submitter
  if (by?.name) fields.append(by.name, by.value)
  if (form.id === "say") document.getElementById("remark").value = ""
  show(form.action, { method: "POST", body: new URLSearchParams(fields) })
})

showLatest()
const events = new EventSource(`${about().at}/events`)
events.addEventListener("place", ({ data }) => {
  const { step, eyes } = JSON.parse(data)
  heard.place = `${step} ${eyes}`
  look()
})
events.addEventListener("room", ({ data }) => {
  heard.room = data
  look()
})

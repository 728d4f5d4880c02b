/* Optional: the page works without it. */
/* Only the document is passed. The others are variables, declared in the fewest bytes. inside: had something in the table
   the focus before a swap? gone: is the page being left? told: the number of the view that the stream has told of last. */
(function (d, inside, gone, told) {
  let id = name => d.getElementById(name), box = e => e.getBoundingClientRect()
  /* Without this nothing can be asked for: presses and forms are the browser's own then. */
  if (!window.fetch) return ["click", "submit"].forEach(name => addEventListener(name, e => e.stopPropagation(), true))
  /* A refresh that waited in the queue asks by what the page shows now, and keeps its question. */
  d.addEventListener("htmx:before:request", e => {
    /* What is asked for on leaving would be shown on coming back, as it was then. */
    if (gone) return e.preventDefault()
    let r = e.detail.ctx.request, at = r.action.split("?v="), ask = id("ask")
    if (r.method === "POST") {
      posts.add(e.detail.ctx)
      leave()
      return net()
    }
    if (at[1] != null && id("ver")) {
      let v = id("ver").value, known = v && v === told
      told = 0
      e.detail.ctx.views = views
      /* What the stream has just told of is shown: it was the answer to one's own press. */
      if (known) return e.preventDefault()
      r.action = at[0] + "?v=" + v + (ask ? "&ask=" + encodeURIComponent(ask.value) : "")
    }
  })
  /* What is pressed goes away with the answer, and a screen reader then does not say the status line
     that gets the focus. So the focus waits where nothing is said, long enough to be noticed there;
     if no answer comes, it goes back. */
  let pressed, since, said
  function leave() {
    pressed = id("table").contains(d.activeElement) && d.activeElement
    since = Date.now()
    if (pressed) id("here").focus({ preventScroll: true })
  }
  function waiting() { return pressed && d.activeElement === id("here") }
  function goBack() { if (waiting()) pressed.focus({ preventScroll: true }) }
  function goOn() { if (waiting()) id("status")?.focus() }
  let views = 0, posts = new Set
  d.addEventListener("htmx:sse:before:message", e => {
    let m = e.detail.message, newer = !m.event && m.id - id("ver").value
    /* A view that comes by itself is shown if it is newer, and the same viewer's (the last four bits of the number);
       not over a question, and not when a press is about to be answered, perhaps with an older one. */
    if (newer > 0 && newer % 16 === 0 && !posts.size && !id("ask")) views++
    else if (!m.event) m.event = "table"
    if (m.event === "table") told = m.id
  })
  /* What is chosen anew is no longer what was refused. */
  d.addEventListener("change", e => { if (e.target.name === "pick") id("notice")?.remove() })
  /* Where everything with a name lay, and each of one's own cards: a card that is new says in data-from
     by which of these public places it came, and is seen to come from there, unless that is unwanted;
     what data-stays marks is shown there first, as large as what lay there, and what stands beside
     .final cards, which have decided it, comes when they go. What was there already glides to its new
     place: a hand closes its gap. What it passes over can be pressed meanwhile. Lines of the log
     just stand where they belong: gliding, old ones would cross the new. */
  let was, held
  d.addEventListener("htmx:before:swap", e => {
    /* What was asked for before a view came by itself may be older than that. */
    if (e.detail.ctx.views < views) return e.preventDefault()
    let t = id("table")
    inside = t?.contains(d.activeElement)
    said = waiting() && e.detail.tasks.map(it => it.fragment?.querySelector("#status[autofocus]")).find(it => it)
    if (said) said.autofocus = false
    was = {}, held = {}
    t?.querySelectorAll("[id]").forEach(e => (was[e.id] = box(e)).wide = e.offsetWidth)
    t?.querySelectorAll(".own .card").forEach(e => (held[e.textContent.trim()] ??= []).push(box(e)))
  })
  function move(e) {
    let { from, stays } = e.dataset, to = box(e), x, y
    if (e.matches(".final")) return was[e.id] || [...e.parentNode.children].forEach(it => it === e || it.animate({ opacity: [0, 1] }, { duration: 250, delay: 1200, fill: "backwards" }))
    from = from ? !was[e.id] && was[from.split(" ").find(n => was[n])] : was[e.id] || held[e.textContent.trim()]?.shift()
    if (!from) return
    x = from.x + from.width / 2 - to.x - to.width / 2
    y = from.y + from.height / 2 - to.y - to.height / 2
    stays = stays != null
    let over = { zIndex: 9 }
    if (!e.closest("button, label, a") && !e.querySelector("button, label, a")) over.pointerEvents = "none"
    if (x || y) e.animate([{ translate: x + "px " + y + "px", scale: stays ? from.wide / e.offsetWidth : 1, easing: "ease-out", ...over }, over], { duration: 250, delay: stays ? 1200 : 0, fill: "backwards" })
  }
  /* Somebody else's move took away what had the focus: go to the status line, not to the top. */
  d.addEventListener("htmx:after:swap", e => {
    let s = id("status")
    if (e.target.closest("#room")) return
    if (inside && d.activeElement === d.body) s?.focus()
    if (said) setTimeout(goOn, Math.max(0, since + 250 - Date.now()))
    stale(false)
    show()
    matchMedia("(prefers-reduced-motion)").matches || d.querySelectorAll("[data-moves] :is([data-from], .final, .own .card)").forEach(move)
    /* The icon of the window says whose turn it is, as its title does. */
    s = id("icon")
    s.href = s.dataset["turn" in id("table").dataset ? "on" : "off"]
    time(), news()
  })
  /* What has happened since the last refresh is said in one piece, one's turn first (table.html). */
  let last, own, place = 0
  function news() {
    let n = id("news")
    if (!n) return
    let mine = "turn" in id("table").dataset, lines = mine && !own && last >= 0 ? [n.dataset.yours] : [], until = last ?? 0
    d.querySelectorAll("#log li").forEach(e => {
      let at = +e.id.slice(3)
      if (at > last) lines.push(e.textContent.trim())
      until = Math.max(until, at)
    })
    last = until, own = mine
    if (!lines.length) return
    /* How an ending looks is known before it comes: else it would be drawn without, and jump. */
    if (!id("end")) {
      let l = d.createElement("link")
      l.id = "end", l.rel = "stylesheet", l.href = n.dataset.end
      d.head.append(l)
    }
    tell(lines.join(" "))
  }
  function tell(text) {
    let n = id("news")
    if (!n) return
    n.children[place].textContent = text
    n.children[place = ++place % 3].textContent = ""
  }
  /* The way to the table is broken: one line says so until the first sign of life. What breaks while
     one only waits is often mended at once: it is said after three seconds, and so is a stream
     that says nothing for long. Seconds are counted, for a page that slept has lost nothing. */
  let quiet = NaN, down = NaN
  function net(word) {
    let n = id("net"), text = n.dataset[word] || ""
    if (n.textContent !== text) n.textContent = text
    d.documentElement.classList.toggle("offline", text)
  }
  function heard() {
    down = NaN
    if (id("net").textContent) tell(id("net").dataset.again)
    net()
  }
  function lost() { down = down || 0 }
  function answered(e) {
    let c = e.detail.ctx, r = c?.response
    if (!c || gone) return
    if (r?.status < 500) heard()
    else if (c.request.method === "POST") net("unsent"), goBack()
    else if (r?.status !== 503) lost() /* 503: the server is there, and busy */
  }
  function alive() { quiet = 0; heard() }
  d.addEventListener("htmx:finally:request", e => posts.delete(e.detail.ctx))
  d.addEventListener("htmx:error", answered)
  d.addEventListener("htmx:after:request", answered)
  d.addEventListener("htmx:sse:after:connection", alive)
  d.addEventListener("htmx:sse:after:message", alive)
  d.addEventListener("htmx:sse:error", e => { e.detail.status ? quiet = NaN : lost() })
  addEventListener("offline", lost)
  /* By the link alone the heading would be heard twice: as what has the focus, and as where one is. */
  d.addEventListener("click", e => {
    /* What was asked for lies over the table until the next press. */
    if (!e.target.closest("#said a, .now")) d.querySelector("#table #said")?.replaceChildren()
    if (e.target.matches(".skip")) e.preventDefault(), id("status")?.focus()
  })
  /* The second half of a double click must not press what came in its place. */
  d.addEventListener("click", e => {
    if (e.detail > 1 && e.target.closest("#table [name=move]")) e.preventDefault(), e.stopPropagation()
  }, true)
  function show() {
    /* Made here: a hidden button is shown by text browsers, and does nothing there. */
    if (navigator.clipboard) d.querySelectorAll("span[data-copy]").forEach(s => {
      let b = d.createElement("button")
      b.type = "button", b.className = s.dataset.share ? s.className : "plain", b.dataset.copy = s.dataset.copy
      b.textContent = (b.share = navigator.share && s.dataset.share) || s.dataset.words
      s.replaceWith(b)
    })
  }
  d.addEventListener("click", e => {
    let b = e.target.closest("[data-copy]"), url = b && id(b.dataset.copy).value
    function copy() {
      navigator.clipboard.writeText(url).then(() => {
        b.textContent = id("net").textContent = id("net").dataset.copied
      })
    }
    /* Who thinks better of it has shared nothing, and wants no copy either. */
    if (b) b.share ? navigator.share({ url }).catch(e => e.name === "AbortError" || copy()) : copy()
  })
  /* Time runs, and its number with it. What is left of one's own is said when it begins, at the half,
     and at 20 and 10 seconds; a refresh in between says nothing again. */
  let due, half, next
  function time() {
    let c = d.querySelector("[data-left]"), t = id("time"), now = Date.now() / 1000, own, left
    if (c) {
      /* A swap that brought no new clock is no news. */
      if (c.told !== (c.told = c.lastChild.id)) c.due = now + +c.dataset.left
      left = c.due - now
      c.firstChild.textContent = Math.max(0, Math.ceil(left))
      own = "own" in c.dataset
    }
    if (!own) return t.textContent = due = ""
    if (!(Math.abs(c.due - due) < 2)) due = c.due, half = left / 2, next = left
    if (left > next || left < 2) return
    t.textContent = t.dataset.own.replace("{}", Math.round(left))
    next = [half, 20, 10].find(n => n < left * .7) || 0
  }
  setInterval(() => {
    time(), chat()
    if (d.hidden) quiet = down = NaN
    /* Not ||: both are counted each second. */
    if ((++quiet > 25 | ++down > 2) && !id("net").textContent) net("lost")
  }, 1000)
  /* A page kept for the back button shows no faces until it is fresh again. */
  function stale(on) {
    let v = on && id("ver")
    d.documentElement.classList.toggle("stale", v)
    if (v) v.value = ""
  }
  addEventListener("pagehide", () => { gone = true; stale(true) })
  addEventListener("pageshow", e => { gone = false; if (e.persisted) stale(true) })
  /* Talk is read once it is on the screen; until then the top of the page says that there is some. */
  function chat() {
    let l = id("last"), u = id("unread"), r
    if (!l) return
    r = box(id("lines"))
    if (r.y < innerHeight && r.bottom > 0 && id("chat").open && !d.hidden && +l.value > u.dataset.read)
      d.cookie = "kb-read=" + (u.dataset.read = l.value) + ";max-age=9999999;path=" + location.pathname
    u.hidden = u.dataset.read >= +l.value
  }
  show(), news()
})(document)

// Keeps an open table up to date. The page works without it.
(function () {
  const GLIDE = 250; // milliseconds
  const SHOWN_FIRST = 1200; // milliseconds for which the previous contents stay before they move
  const STEP = 90; // milliseconds between two cards that are drawn together
  const SILENT = 25; // seconds without data on the stream, whose heartbeats are more frequent
  const BROKEN = 2; // seconds after which a lost connection is reported

  const byId = (name) => document.getElementById(name);
  const moves = () =>
    "moves" in document.documentElement.dataset && !matchMedia("(prefers-reduced-motion)").matches;
  const boxOf = (element) => element.getBoundingClientRect();
  // A card's face, or its words if it has none: words may also say what a press does, and change.
  const faceOf = ({ dataset, classList, textContent }) =>
    dataset.i ? classList[1] + dataset.i : textContent.trim();

  // Without this no request can be sent, so presses and forms are left to the browser.
  if (!window.fetch) {
    ["click", "submit"].forEach((name) => {
      addEventListener(name, (event) => event.stopPropagation(), true);
    });
    return;
  }

  // --- Requests ---

  let leaving = false; // the page is being left
  let viewsPushed = 0; // number of updates received on the stream
  let announced; // the view that the stream announced last
  const posts = new Set(); // presses without an answer yet

  // The page shows an edition of the table: "7.0f3a" is its 7th view; "7!" shows something extra.
  function edition() {
    const version = byId("ver");
    return version?.value && version.value + (version.dataset.sight || "");
  }

  // A refresh that waited in the queue is sent for what the page shows now, and keeps its question.
  document.addEventListener("htmx:before:request", (event) => {
    // The response to a request sent on leaving would be outdated when the page is shown again.
    if (leaving) return event.preventDefault();
    const context = event.detail.ctx;
    const [path, version] = context.request.action.split("?v=");
    const shown = edition();
    context.request.headers["Kaboom-Shows"] = shown;
    if (context.request.method === "POST") {
      // A move declines the offer of sound.
      if (path.endsWith("/move")) document.querySelector("#hear form")?.remove();
      posts.add(context);
      parkFocus();
      return showConnection();
    }
    if (version == null || shown == null) return;
    const known = isKnown(announced);
    announced = NaN;
    context.views = viewsPushed;
    // The view that the stream has just announced is shown already: it answered the viewer's own
    // press.
    if (known) return event.preventDefault();
    const ask = byId("ask");
    const question = ask ? "&ask=" + encodeURIComponent(ask.value) : "";
    context.request.action = path + "?v=" + shown + question;
  });
  document.addEventListener("htmx:finally:request", (event) => posts.delete(event.detail.ctx));

  // Is this view shown, or a newer one of the same viewer (the last four bits of the number)?
  function isKnown(number) {
    const ahead = byId("ver").value - parseInt(number);
    return ahead >= 0 && ahead % 16 === 0;
  }

  document.addEventListener("htmx:sse:before:message", (event) => {
    const message = event.detail.message;
    if (!message.event) {
      // An update fits only one edition. While a press is pending, its answer, which may be older,
      // comes first.
      if (message.id.split(" ")[1] === edition() && !posts.size) viewsPushed++;
      else message.event = "table";
    }
    if (message.event === "table") announced = message.id;
  });

  // A move is identified by the view on which it was pressed, even if its form has not changed
  // since.
  addEventListener(
    "submit",
    (event) => {
      const seen = event.target.elements.v;
      if (seen) seen.value = byId("ver").value || seen.value;
    },
    true,
  );

  // --- Focus ---

  // The pressed element disappears with the answer. Then a screen reader would not read the status
  // line, which gets the focus. So the focus waits on a silent element; without an answer it
  // returns.
  let pressed, parkedAt, focusInTable;
  let ownAnswer; // the page shows the answer to a press: the status line gets the focus

  function parkFocus() {
    pressed = byId("table").contains(document.activeElement) && document.activeElement;
    parkedAt = Date.now();
    if (pressed) byId("here").focus({ preventScroll: true });
  }

  function isParked() {
    return pressed && document.activeElement === byId("here");
  }

  function restoreFocus() {
    if (isParked()) pressed.focus({ preventScroll: true });
  }

  function focusStatus() {
    if (isParked()) byId("status")?.focus();
  }

  // --- Swaps, and cards that move visibly ---

  // The positions before a swap of all elements with an id, and of the viewer's own cards. A new
  // card moves from the first existing place in its data-from. Elements with data-stays are shown
  // there first. Own cards glide to their new place, and new ones come from the place in data-drawn,
  // one after the other. A card that has lost its data-to is swept to the first existing place in
  // it. The top of a pile stays until the next card lies on it. Elements below a moving card can be
  // pressed meanwhile. `was` is a copy of the table before the swap.
  let boxes, cardBoxes, leavers, oldTop, drawn, sweeping, was, stay;

  document.addEventListener("htmx:before:swap", (event) => {
    const context = event.detail.ctx;
    // A response requested before an update was pushed may be older than the update.
    if (context.views < viewsPushed) return event.preventDefault();
    const table = byId("table");
    focusInTable = table?.contains(document.activeElement);
    ownAnswer = context.request.method === "POST" && context.target?.id === "ver";
    boxes = {};
    cardBoxes = {};
    table?.querySelectorAll("[id]").forEach((element) => {
      boxes[element.id] = boxOf(element);
      boxes[element.id].offsetWidth = element.offsetWidth;
    });
    was = moves() && table?.cloneNode(true);
    if (!was) return;
    leavers = [...was.querySelectorAll("[data-to]")].map((it) => it.cloneNode(true));
    oldTop = was.querySelector("[id^=top-]")?.cloneNode(true);
    drawn = 0;
    table?.querySelectorAll(".my-cards .card").forEach((card) => {
      const name = faceOf(card);
      cardBoxes[name] ??= [];
      cardBoxes[name].push(boxOf(card));
    });
  });

  const placeAmong = (places) => boxes[places?.split(" ").find((place) => boxes[place])];

  function startOf(element) {
    const places = element.dataset.from;
    if (places) return !boxes[element.id] && placeAmong(places);
    return boxes[element.id] || cardBoxes[faceOf(element)]?.shift();
  }

  // Put the copy of a removed element where that was.
  function putBack(copy) {
    const from = boxes[copy.id];
    copy.removeAttribute("id"); // no element to come may be taken for it
    copy.inert = true;
    copy.className += " leaving";
    copy.style.left = from.x + "px";
    copy.style.top = from.y + "px";
    return from;
  }

  // The copy of a removed card shrinks, moves to the card's new place and disappears.
  function sweep(copy) {
    const to = placeAmong(copy.dataset.to);
    if (!boxes[copy.id] || !to || byId(copy.id)?.dataset.to) return;
    const from = putBack(copy);
    document.querySelector(".ring")?.append(copy);
    const x = to.x + to.width / 2 - from.x - from.width / 2;
    const y = to.y + to.height / 2 - from.y - from.height / 2;
    const end = { translate: x + "px " + y + "px", scale: 0.3, opacity: 0.4 };
    copy.animate(end, { duration: GLIDE, easing: "ease-in" }).onfinish = () => copy.remove();
  }

  function glide(element) {
    const to = boxOf(element);
    const deck = element.closest("#table:not(.dealt) [data-drawn]")?.dataset.drawn;
    const known = startOf(element);
    const from = known || boxes[deck];
    if (!from) return;
    const x = from.x + from.width / 2 - to.x - to.width / 2;
    const y = from.y + from.height / 2 - to.y - to.height / 2;
    if (!x && !y) return;
    const places = element.dataset.from;
    const stays = "stays" in element.dataset;
    // Where own cards overlap they keep their order.
    const raised = known && !places ? {} : { zIndex: 9 };
    const pressable = "button, label, a";
    if (!element.closest(pressable) && !element.querySelector(pressable)) {
      raised.pointerEvents = "none";
    }
    const waits = known && !stays && places && sweeping;
    const start = {
      opacity: waits ? 0 : 1, // it lies over no name while the last trick leaves
      translate: x + "px " + y + "px",
      // Played cards do not cover their player's name.
      scale: stays ? from.offsetWidth / element.offsetWidth : /^seat/.test(places) ? 0.4 : 1,
      easing: "ease-out",
      ...raised,
    };
    const delay = stays ? stay : known ? waits : STEP * drawn++;
    const timing = { duration: GLIDE, delay, fill: "backwards" };
    const moving = element.animate([start, raised], timing);
    const top = element.closest("#ring [id^=top-]"); // not below an ending
    if (!top || !oldTop || boxes[top.id]) return;
    const old = oldTop;
    oldTop = null;
    putBack(old);
    top.before(old);
    moving.onfinish = () => old.remove();
  }

  document.addEventListener("htmx:after:swap", (event) => {
    if (event.target.closest("#room, #told")) return;
    const said = byId("said")?.firstElementChild;
    if (said && event.detail.ctx.target?.id === "said") return announce(said.textContent);
    // Another player's move removed the focused element: move the focus to the status line, not the
    // top.
    if (focusInTable && document.activeElement === document.body) byId("status")?.focus();
    if (ownAnswer && isParked()) setTimeout(focusStatus, Math.max(0, parkedAt + 250 - Date.now()));
    else if (ownAnswer) byId("status")?.focus();
    setStale(false);
    showCopyButtons();
    if (was) {
      // Cards are played once those of the last trick are gone.
      sweeping = leavers.some((it) => !byId(it.id)?.dataset.to) ? GLIDE : 0;
      const swap = new CustomEvent("table:swap", { detail: { was, boxes, stay: SHOWN_FIRST } });
      document.dispatchEvent(swap); // what the swap ends may be held back (ending.js)
      stay = swap.detail.stay;
      // The folded table under the end of a match is the same as the one that is still shown above.
      document
        .querySelectorAll(".ring:not(.last) :is([data-from], .my-cards .card)")
        .forEach(glide);
      leavers.forEach(sweep);
      was = null;
    }
    // The window's icon shows whose turn it is, as its title does.
    const icon = byId("icon");
    icon.href = "turn" in byId("ver").dataset ? icon.dataset.on : icon.dataset.off;
    updateClock();
    announceNews();
    arrangeChat();
  });

  // A new choice is not the one that was refused.
  document.addEventListener("change", (event) => {
    if (event.target.name === "pick") byId("notice")?.remove();
  });

  // --- Announcements for screen readers ---

  let lastLine, wasMyTurn, sheetsLoaded;
  let region = 0;

  // Everything since the last refresh is announced together, the viewer's turn first.
  function announceNews() {
    const news = byId("news");
    if (!news) return;
    const myTurn = "turn" in byId("ver").dataset;
    const lines = myTurn && !wasMyTurn && lastLine >= 0 ? [news.dataset.yours] : [];
    let until = lastLine ?? 0;
    document.querySelectorAll("#log li").forEach((line) => {
      const number = +line.id.slice(3);
      if (number > lastLine) lines.push(line.textContent.trim());
      until = Math.max(until, number);
    });
    lastLine = until;
    wasMyTurn = myTurn;
    if (!lines.length) return;
    document.querySelector("#said > .visually-hidden")?.remove(); // it was true until now
    loadSheets(news.dataset.sheets);
    announce(lines.join(" "));
  }

  // What may be needed later, as the style sheets of the ending, is loaded before, so that nothing jumps.
  function loadSheets(addresses) {
    if (sheetsLoaded) return;
    sheetsLoaded = true;
    for (const href of addresses.split(" ")) {
      const link = document.createElement(href.includes(".js") ? "script" : "link");
      document.head.append(Object.assign(link, { rel: "stylesheet", href, src: href }));
    }
  }

  function announce(text) {
    const news = byId("news");
    if (!news) return;
    news.children[region].textContent = text;
    region = (region + 1) % 3;
    news.children[region].textContent = "";
  }

  // --- The connection ---

  // When the connection is lost, a line says so until data arrives again: at once after a press,
  // but only after a few seconds if the page is merely waiting. Seconds are counted one by one, so
  // that those for which a page slept do not count.
  let silentFor = NaN;
  let brokenFor = NaN;

  function showConnection(problem) {
    const line = byId("net");
    const text = line.dataset[problem] || "";
    if (line.textContent !== text) line.textContent = text;
    document.documentElement.classList.toggle("offline", text);
  }

  function connected() {
    brokenFor = NaN;
    if (byId("net").textContent) announce(byId("net").dataset.again);
    showConnection();
  }

  function disconnected() {
    brokenFor = brokenFor || 0;
  }

  function answered(event) {
    const context = event.detail.ctx;
    const status = context?.response?.status;
    if (!context || leaving) return;
    if (status < 500) {
      connected();
    } else if (context.request.method === "POST") {
      showConnection("unsent");
      restoreFocus();
    } else if (status !== 503) {
      disconnected(); // 503: the server is there, but busy
    }
  }

  function streamAlive() {
    silentFor = 0;
    connected();
  }

  document.addEventListener("htmx:error", answered);
  document.addEventListener("htmx:after:request", answered);
  document.addEventListener("htmx:sse:after:connection", streamAlive);
  document.addEventListener("htmx:sse:after:message", streamAlive);
  document.addEventListener("htmx:sse:error", (event) => {
    if (event.detail.status) silentFor = NaN;
    else disconnected();
  });
  addEventListener("offline", disconnected);

  // --- Presses ---

  document.addEventListener("click", (event) => {
    // A requested panel covers the table until the next press outside it.
    if (!event.target.closest(".how, .status-link")) closeHelp();
    // With the link alone the heading would be read twice: as the focused element and as its
    // context.
    if (event.target.matches(".skip")) {
      event.preventDefault();
      byId("status")?.focus();
    }
  });

  function closeHelp() {
    const said = document.querySelector("#table #said");
    if (said?.contains(document.activeElement)) document.querySelector(".status-link").focus();
    said?.replaceChildren();
  }
  document.addEventListener("keydown", (event) => event.key === "Escape" && closeHelp());

  // The second half of a double click must not press the element that replaced the first.
  function ignoreSecondClick(event) {
    if (event.detail > 1 && event.target.closest("#table [name=move]")) {
      event.preventDefault();
      event.stopPropagation();
    }
  }
  document.addEventListener("click", ignoreSecondClick, true);

  // Created here, because text browsers show a hidden button, which has no effect there.
  function showCopyButtons() {
    if (!navigator.clipboard) return;
    document.querySelectorAll("span[data-copy]").forEach((place) => {
      const { copy, share, words } = place.dataset;
      const button = document.createElement("button");
      button.type = "button";
      button.className = share ? place.className : "btn-secondary";
      button.dataset.copy = copy;
      button.share = navigator.share && share;
      button.textContent = button.share || words;
      place.replaceWith(button);
    });
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const url = byId(button.dataset.copy).value;
    function copy() {
      navigator.clipboard.writeText(url).then(() => {
        const copied = byId("net").dataset.copied;
        byId("net").textContent = copied;
        button.textContent = copied;
      });
    }
    if (!button.share) return copy();
    // A player who cancels sharing does not want a copy either.
    navigator.share({ url }).catch((error) => error.name === "AbortError" || copy());
  });

  // --- The clock ---

  // The viewer's remaining time is announced at its start, at half, and at 20 and 10 seconds. A
  // refresh in between does not repeat it.
  let deadline, half, sayNext;

  function updateClock() {
    const clock = document.querySelector("[data-left]");
    const time = byId("time");
    const now = Date.now() / 1000;
    let left;
    if (clock) {
      // A swap without a new clock changes nothing.
      const drawn = clock.lastChild.id;
      if (clock.drawn !== drawn) clock.deadline = now + +clock.dataset.left;
      clock.drawn = drawn;
      left = clock.deadline - now;
      clock.firstChild.textContent = Math.max(0, Math.ceil(left));
    }
    if (!clock || !("own" in clock.dataset)) {
      time.textContent = "";
      deadline = "";
      return;
    }
    if (!(Math.abs(clock.deadline - deadline) < 2)) {
      deadline = clock.deadline;
      half = left / 2;
      sayNext = left;
    }
    if (left > sayNext || left < 2) return;
    time.textContent = time.dataset.own.replace("{}", Math.round(left));
    sayNext = [half, 20, 10].find((seconds) => seconds < left * 0.7) || 0;
  }

  // --- Chat ---

  // At a running match the chat covers part of the page and is opened by its icon; elsewhere it is part of the page.
  const chatLink = byId("chat-link");
  let chatOpen = false;

  function arrangeChat() {
    if (!chatLink) return;
    if (!document.querySelector(".ring:not(.chairs)")) return delete document.documentElement.dataset.chat;
    document.documentElement.dataset.chat = chatOpen ? "open" : "shut";
    chatLink.ariaExpanded = chatOpen;
  }

  function openChat(open) {
    if (open === chatOpen) return;
    chatOpen = open;
    arrangeChat();
    markChatRead();
    // On a touch screen the keyboard would hide the messages.
    const field = matchMedia("(hover)").matches && document.querySelector("#chat [name=text]");
    (open ? field || byId("lines") || chatLink : chatLink).focus();
  }

  document.addEventListener("click", (event) => {
    const apart = document.documentElement.dataset.chat;
    if (event.target.closest("#chat-link")) {
      event.preventDefault();
      if (apart) openChat(!chatOpen);
      else byId("chat").scrollIntoView();
    } else if (apart && event.target.closest("#chat > summary")) {
      event.preventDefault();
      openChat(false);
    }
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && openChat(false));

  // Chat counts as read once it is visible; until then its icon shows the number of new messages.
  function markChatRead() {
    const last = byId("last");
    if (!last || !chatLink) return;
    const lines = boxOf(byId("lines"));
    const onScreen = lines.y < innerHeight && lines.bottom > 0 && byId("chat").open;
    if (onScreen && !document.hidden && +last.value > chatLink.dataset.read) {
      chatLink.dataset.read = last.value;
      document.cookie = "kb-read=" + last.value + ";max-age=9999999;path=" + location.pathname;
    }
    const fresh = [...document.querySelectorAll("#lines li:not(.told)")].filter((line) => {
      return +line.id.slice(2) > chatLink.dataset.read;
    });
    byId("unread").hidden = !fresh.length;
    byId("unread").textContent = fresh.length;
    chatLink.ariaLabel = fresh.length ? chatLink.dataset.words.replace("{}", fresh.length) : null;
  }

  // --- Every second, and arriving and leaving ---

  setInterval(() => {
    updateClock();
    markChatRead();
    if (document.hidden) {
      silentFor = NaN;
      brokenFor = NaN;
    }
    silentFor++;
    brokenFor++;
    const lost = silentFor > SILENT || brokenFor > BROKEN;
    if (lost && !byId("net").textContent) showConnection("lost");
  }, 1000);

  // A page kept for the back button shows no faces of cards until it is up to date.
  function setStale(on) {
    const version = on && byId("ver");
    document.documentElement.classList.toggle("stale", version);
    if (version) version.value = "";
  }
  addEventListener("pagehide", () => {
    leaving = true;
    setStale(true);
  });
  addEventListener("pageshow", (event) => {
    leaving = false;
    if (event.persisted) setStale(true);
  });

  showCopyButtons();
  announceNews();
  arrangeChat();
})();

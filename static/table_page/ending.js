// The end of a match or of a deal is held back until its last cards have been seen. Loaded after the
// first move.
(function () {
  const HELD = 2000; // milliseconds
  const AFTER = 1200; // milliseconds after the last card has moved
  const FALL = 250; // milliseconds

  const boxOf = (element) => element.getBoundingClientRect();

  // Where cards on their way will lie, because the copies of them that are held lie there at once.
  let resting = {};
  document.addEventListener("htmx:before:swap", () => {
    resting = {};
    document.querySelectorAll("#table [id][data-from]:not([data-stays])").forEach((card) => {
      if (card.getAnimations().length) resting[card.id] = restOf(card);
    });
  });

  function restOf(card) {
    const { x, y, width, height } = boxOf(card);
    const { offsetWidth, offsetHeight } = card;
    const { translate } = getComputedStyle(card);
    const [right = 0, down = 0] = translate.split(" ").map((it) => parseFloat(it) || 0);
    const left = x + (width - offsetWidth) / 2 - right;
    const box = new DOMRect(left, y + (height - offsetHeight) / 2 - down, offsetWidth, offsetHeight);
    return Object.assign(box, { offsetWidth });
  }

  // The table as it was covers the new one, and says what the last cards did. They lie over it where
  // they were or, where they are not part of the end, the whole table is shown with them.
  document.addEventListener("table:swap", ({ detail }) => {
    const { was, boxes } = detail;
    const end = document.querySelector("#table :is([data-held], .final)");
    if (!end || was.querySelector(".ending, .final")) return;
    Object.assign(boxes, resting);
    const table = document.getElementById("table");
    const stays = [...end.querySelectorAll("[data-stays]")];
    const board = !stays.length && table.querySelector(".ring.last");
    const status = was.querySelector("#status");
    status.textContent = (told(end, boxes) || status).textContent;
    if (board) {
      // The seats are those of the end, so the points and counts beside them are, too.
      for (const part of ["#prompt .plate", ".scores"]) {
        const after = table.querySelector(part);
        if (after) was.querySelector(part)?.replaceWith(after.cloneNode(true));
      }
      const ring = board.cloneNode(true).childNodes;
      was.querySelector("#ring").replaceChildren(was.querySelector("#prompt"), ...ring);
    }
    was.inert = true;
    const cover = document.createElement("div"); // it takes presses
    cover.className = board ? "held" : "held under";
    const { offsetTop: top, offsetLeft: left, offsetWidth: width } = table;
    cover.style.cssText = `position:absolute;top:${top}px;left:${left}px;width:${width}px`;
    cover.append(was);
    table.after(cover);
    const moving = was.getAnimations({ subtree: true });
    const ends = moving.map((it) => it.effect.getComputedTiming().endTime + AFTER);
    detail.stay = Math.max(HELD, ...ends.filter((time) => time < 3 * HELD));
    // The celebration begins when it is seen.
    const later = table.getAnimations({ subtree: true }).filter(({ effect }) => {
      return effect.target.closest(".ending") && !effect.target.closest(".final");
    });
    later.forEach((it) => it.pause());
    setTimeout(() => {
      cover.remove();
      later.forEach((it) => it.play());
    }, detail.stay);
    queueMicrotask(() => stays.forEach((card) => fall(card, boxes))); // once they have their places
  });

  // What the last cards did: their result, or else the first new line of the log.
  function told(end, boxes) {
    const trick = end.querySelector(".final p:has(+ .hand, + .grids-left)");
    const result = document.querySelector("#status .came");
    const lines = [...document.querySelectorAll("#log li")];
    return trick || result || lines.find((it) => !boxes[it.id]);
  }

  // A card that was not yet on the table comes from its player.
  function fall(card, boxes) {
    const [lay] = card.dataset.from.split(" ");
    const by = !boxes[lay] && card.id.match(/\d+$/);
    const from = by && (boxes["seat-" + by] || boxes.lying || boxes.mine);
    const { translate, scale } = getComputedStyle(card);
    if (!from || translate === "none") return;
    const to = boxOf(card);
    const [x, y] = translate.split(" ").map(parseFloat);
    const right = x + from.x + from.width / 2 - to.x - to.width / 2;
    const down = y + from.y + from.height / 2 - to.y - to.height / 2;
    card.animate([{ translate: `${right}px ${down}px`, scale: scale / 2 }, { translate, scale }], FALL);
  }
})();

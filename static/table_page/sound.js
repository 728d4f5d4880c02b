// The sounds of a table, generated here and sent only to browsers that asked for them. They reveal
// no more than the page: public lines name their sounds, and only the viewer hears their own turn
// and victory.
(function () {
  const volume = document.documentElement.dataset.sound / 3;
  let audio, lastHeard, wasMyTurn, hadWon;

  function fadeOut(gain, start, seconds) {
    const node = audio.createGain();
    node.gain.setValueAtTime(gain * volume, start);
    node.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    node.connect(audio.destination);
    return node;
  }

  function tone(start, seconds, gain, from, to = from) {
    const oscillator = audio.createOscillator();
    oscillator.frequency.setValueAtTime(from, start);
    oscillator.frequency.exponentialRampToValueAtTime(to, start + seconds);
    oscillator.connect(fadeOut(gain, start, seconds));
    oscillator.start(start);
    oscillator.stop(start + seconds);
  }

  // Falling noise: a card on felt or, with more of it, an explosion.
  function noise(start, seconds, gain) {
    const size = Math.ceil(audio.sampleRate * seconds);
    const buffer = audio.createBuffer(1, size, audio.sampleRate);
    const samples = buffer.getChannelData(0);
    let last = 0;
    for (let i = 0; i < size; i++) {
      last += (Math.random() * 2 - 1 - last) * (1 - i / size) * 0.6;
      samples[i] = last;
    }
    const source = audio.createBufferSource();
    source.buffer = buffer;
    source.connect(fadeOut(gain, start, seconds));
    source.start(start);
  }

  const sounds = {
    card(start) {
      noise(start, 0.04, 0.7);
    },
    flip(start) {
      noise(start, 0.03, 0.5);
      noise(start + 0.07, 0.05, 0.8);
    },
    kaboom(start) {
      noise(start, 0.6, 1);
      tone(start, 0.6, 0.6, 140, 35);
    },
    turn(start) {
      tone(start, 0.3, 0.3, 660);
      tone(start + 0.16, 0.3, 0.3, 880);
    },
    win(start) {
      [523, 659, 784, 1047].forEach((hertz, n) => tone(start + n * 0.13, 0.5, 0.3, hertz));
    },
  };

  // Play the sounds one after the other, each once. Browsers allow sounds only after a page has
  // been touched.
  function play(names) {
    if (!names.length) return;
    audio ??= new AudioContext();
    if (audio.state === "suspended") return audio.resume();
    names.forEach((name, n) => sounds[name](audio.currentTime + n * 0.18));
  }

  function update(first) {
    const lines = [...document.querySelectorAll("#log [data-sound]")].map((line) => ({
      number: +line.id.slice(3),
      sound: line.dataset.sound,
    }));
    const fresh = lines.filter((line) => line.number > lastHeard);
    const names = document.hidden ? [] : fresh.map((line) => line.sound);
    const myTurn = "turn" in document.getElementById("ver").dataset;
    const won = !!document.querySelector(".ending.won #h-ending[data-own]");
    if (myTurn && !wasMyTurn) names.push("turn");
    if (won && !hadWon && !document.hidden) names.push("win");
    if (!first) play([...new Set(names)]);
    lastHeard = Math.max(lastHeard || 0, ...lines.map((line) => line.number));
    wasMyTurn = myTurn;
    hadWon = won;
  }

  document.addEventListener("htmx:after:swap", (event) => {
    if (!event.target.closest("#room")) update();
  });
  document.addEventListener("pointerdown", () => audio?.resume());
  update(true);
})();

"use strict"
// Verifies the record in this file. SHA-256 is implemented here, because pages opened from a disk
// have none.
const K = (
  "428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 d807aa98 12835b01 243185be " +
  "550c7dc3 72be5d74 80deb1fe 9bdc06a7 c19bf174 e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa " +
  "5cb0a9dc 76f988da 983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967 27b70a85 " +
  "2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3 " +
  "d192e819 d6990624 f40e3585 106aa070 19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f " +
  "682e6ff3 748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2"
)
  .split(" ")
  .map((word) => parseInt(word, 16))
const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]

function sha256(bytes) {
  const length = bytes.length
  const padded = new Uint8Array(((length + 72) >> 6) << 6)
  padded.set(bytes)
  padded[length] = 128
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(length / 0x20000000))
  view.setUint32(padded.length - 4, length << 3)
  const state = START.slice()
  const w = new Int32Array(64)
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = view.getInt32(at + 4 * i)
      else {
        const a = w[i - 15]
        const b = w[i - 2]
        const small = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)
        const large = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)
        w[i] = w[i - 16] + small + w[i - 7] + large
      }
    }
    let [a, b, c, d, e, f, g, h] = state
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g]
    }
    ;[a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] + word) | 0))
  }
  const out = new DataView(new ArrayBuffer(32))
  state.forEach((word, i) => out.setInt32(4 * i, word))
  return new Uint8Array(out.buffer)
}

const turn = (word, by) => (word >>> by) | (word << (32 - by))
const bytesOf = (text) => new TextEncoder().encode(text)
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

function unhex(text) {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw text
  return Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16))
}

function hmac(key, text) {
  const block = new Uint8Array(64)
  block.set(key)
  const both = (pad, rest) => sha256(Uint8Array.from([...block.map((byte) => byte ^ pad), ...rest]))
  return both(0x5c, both(0x36, bytesOf(text)))
}

// The parts of an object or a list as written in the file: numbers are hashed as written.
function parts(text) {
  const found = []
  let deep = 0
  let from = 1
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') at = ending(text, at)
    else if ("[{".includes(sign)) deep++
    else if ("]}".includes(sign)) deep--
    if ((sign === "," && deep === 1) || deep === 0) {
      if (at > from) found.push(text.slice(from, at))
      from = at + 1
    }
    if (deep === 0 && at < text.length - 1) throw text
  }
  return found
}

// Return the end of the quoted string that begins here.
function ending(text, at) {
  for (at++; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === '"') return at
  }
  throw text
}

function fields(text) {
  const found = new Map()
  for (const part of parts(text)) {
    const [whole, name] = /^"(\w+)":/.exec(part)
    found.set(name, part.slice(whole.length))
  }
  return found
}

// The faults by name: of the record as written, and of the sentences, whose hash is known.
function problems(record, said, sum) {
  const found = []
  if (hex(sha256(bytesOf(said))) !== sum) found.push("text")
  try {
    const raw = fields(record)
    const known = JSON.parse(record)
    const seed = unhex(known.seed)
    if (hex(sha256(seed)) !== known.commitment) found.push("seed")
    if (known.board) {
      const { label, secret, cut } = fields(raw.get("board")) && known.board
      const message = "kaboom/v1|board|" + ascii([label, cut])
      if (hex(hmac(unhex(secret), message)) !== known.seed || known.cuts.some(Boolean)) found.push("seed")
    }
    const key = known.cuts.some(Boolean) ? hmac(seed, "kaboom/v1|cuts|" + raw.get("cuts")) : seed
    let chain = known.commitment
    parts(raw.get("moves")).forEach((part, i) => {
      const move = fields(part)
      if ([...move.keys()].join() !== "at,cmd,text") throw part
      const row = [ascii(chain), i + 1, move.get("cmd"), move.get("text"), move.get("at")]
      chain = hex(hmac(key, "[" + row + "]"))
    })
    if (chain !== known.chain) found.push("chain")
    const rest = parts(record).filter((part) => !/^"(moves|digest)":/.test(part))
    if (hex(hmac(key, "kaboom/v1|record|{" + rest + "}")) !== known.digest) found.push("digest")
    if (record[0] !== "{" || raw.size !== rest.length + 2) found.push("digest")
  } catch {
    found.push("digest")
  }
  return found
}

function ascii(value) {
  const code = (sign) => "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0")
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, code)
}

const verdict = document.getElementById("verdict")
if (verdict) {
  const { content } = document.querySelector("meta[name=sum]")
  const said = document.getElementById("match").textContent
  const wrong = problems(document.getElementById("record").textContent, said, content)
  const { dataset } = verdict
  verdict.textContent = wrong.length ? [dataset.wrong, ...wrong.map((name) => dataset[name])].join(" ") : dataset.right
  verdict.className = wrong.length ? "wrong" : "right"
}

// @ts-check
/**
 * The realtime socket, for as long as it is wanted: opened again when it drops, resumed where it was, nothing lost and
 * nothing twice. Part of larder-realtime.js.
 */

/** @typedef {{ type: string, seq?: number, id?: string, from?: string, to?: string, data: any }} Frame */
/**
 * @typedef {object} Hears
 * @property {(state: 'connecting' | 'connected' | 'reconnecting' | 'closed', reason: string) => void} state
 * @property {(welcome: any) => void} welcome Also `resumed`: the place is the old one.
 * @property {(frame: Frame) => void} frame Everything else, but what keeps the socket itself going.
 */

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000
/** The server pings every 20 s. */
const SILENT_MS = 45_000
/** Below the server's limit of 50 a second with a burst of 200. */
const PACE = { perSecond: 40, burst: 150 }
const CLIENT = { name: 'larder-realtime', version: '1' }

export class RealtimeSocket {
  #url
  #token
  #hears
  #role = 'viewer'
  /** @type {WebSocket | undefined} */
  #socket
  /** Frames that the server has not acknowledged, by their id. @type {Map<string, Frame>} */
  #unheard = new Map()
  /** @type {Frame[]} */
  #queue = []
  #welcomed = false
  #lastSeq = 0
  /** Number of the last frame that a resume replays; 0 when nothing is being replayed. */
  #replayUntil = 0
  #nextId = 1
  #resumeToken = ''
  #attempt = 0
  #retryAfter = 0
  #tokens = PACE.burst
  #filledAt = 0
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pacer

  /** @param {URL} url @param {string} token @param {Hears} hears */
  constructor(url, token, hears) {
    this.#url = url
    this.#token = token
    this.#hears = hears
  }

  /** @param {'publisher' | 'viewer'} role */
  open(role) {
    this.#role = role
    this.#connect()
  }

  /** Tries at once, where it waits to try again. */
  hurry() {
    if (this.#retry !== undefined) this.#connect()
  }

  /** Leaves for good: the place is free at once. */
  leave() {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type: 'leave', data: {} }))
    this.#end('left')
  }

  /** Sent when it can be, once. @param {Frame} frame */
  say(frame) {
    this.#queue.push({ ...frame, id: String(this.#nextId++) })
    this.#flush()
  }

  #connect() {
    this.#drop()
    this.#hears.state(this.#resumeToken || this.#attempt > 0 ? 'reconnecting' : 'connecting', '')
    const socket = new WebSocket(this.#url)
    this.#socket = socket
    this.#tokens = PACE.burst
    this.#filledAt = performance.now()
    socket.onopen = () => {
      const how = this.#resumeToken
        ? { resume_token: this.#resumeToken, last_seq: this.#lastSeq }
        : { token: this.#token, role: this.#role }
      socket.send(JSON.stringify({ type: 'hello', data: { ...how, client: CLIENT } }))
      this.#listen()
    }
    socket.onmessage = ({ data }) => {
      this.#listen()
      this.#heard(JSON.parse(data))
    }
    socket.onclose = ({ code, reason }) => this.#closed(code, reason)
  }

  /** Forgets the socket without hearing of its end. */
  #drop() {
    for (const timer of [this.#retry, this.#silence, this.#pacer]) clearTimeout(timer)
    this.#retry = undefined
    this.#welcomed = false
    const socket = this.#socket
    this.#socket = undefined
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
  }

  #listen() {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#closed(4008, 'silent'), SILENT_MS)
  }

  /** 4400 to 4499 say that it is of no use to try again; but a place that is gone is only taken anew. @param {number} code @param {string} reason */
  #closed(code, reason) {
    this.#drop()
    if (code === 4409) this.#resumeToken = ''
    else if (code >= 4400 && code <= 4499) return this.#end(reason || String(code))
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#attempt++) * (0.5 + Math.random() / 2)
    this.#retry = setTimeout(() => this.#connect(), code === 4409 ? 0 : Math.max(this.#retryAfter, wait))
    this.#retryAfter = 0
    this.#hears.state('reconnecting', reason)
  }

  /** @param {string} reason */
  #end(reason) {
    this.#drop()
    this.#unheard.clear()
    this.#queue = []
    this.#resumeToken = ''
    this.#attempt = 0
    this.#hears.state('closed', reason)
  }

  /** @param {Frame} frame */
  #heard(frame) {
    const { type, seq, id, data } = frame
    if (seq !== undefined) {
      if (seq <= this.#lastSeq) return
      this.#lastSeq = seq
    }
    if (type === 'ping') this.#socket?.send(JSON.stringify({ type: 'pong', data: { t: data.t } }))
    else if (type === 'welcome') this.#welcome(data)
    else if (type === 'closing') this.#retryAfter = data.retry_after_ms ?? 0
    else {
      if ((type === 'ack' || type === 'error') && id !== undefined) this.#unheard.delete(id)
      if (type !== 'ack') this.#hears.frame(frame)
    }
    if (this.#replayUntil > 0 && this.#lastSeq >= this.#replayUntil) this.#replayed()
  }

  /** @param {any} data */
  #welcome(data) {
    this.#attempt = 0
    this.#welcomed = true
    this.#resumeToken = data.resume_token
    if (!data.resumed) {
      this.#lastSeq = 0
      this.#unheard.clear()
      this.#queue = []
    }
    this.#replayUntil = data.resumed && data.last_seq > this.#lastSeq ? data.last_seq : 0
    this.#hears.state('connected', '')
    this.#hears.welcome(data)
    if (this.#replayUntil === 0) this.#replayed()
  }

  /** What is still not acknowledged did not arrive. */
  #replayed() {
    this.#replayUntil = 0
    this.#queue.unshift(...this.#unheard.values())
    this.#unheard.clear()
    this.#flush()
  }

  /** As fast as the server takes them. */
  #flush() {
    clearTimeout(this.#pacer)
    if (!this.#welcomed || this.#replayUntil > 0 || this.#socket?.readyState !== WebSocket.OPEN) return
    const now = performance.now()
    this.#tokens = Math.min(PACE.burst, this.#tokens + ((now - this.#filledAt) * PACE.perSecond) / 1000)
    this.#filledAt = now
    while (this.#queue.length > 0 && this.#tokens >= 1) {
      const frame = /** @type {Frame} */ (this.#queue.shift())
      this.#tokens--
      this.#unheard.set(frame.id ?? '', frame)
      this.#socket.send(JSON.stringify(frame))
    }
    if (this.#queue.length > 0) this.#pacer = setTimeout(() => this.#flush(), 1000 / PACE.perSecond)
  }
}

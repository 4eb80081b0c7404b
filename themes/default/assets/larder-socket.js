// @ts-check
/**
 * The realtime socket. Reconnects after a dropped connection and resumes the session: no frame is lost or repeated.
 * Part of larder-realtime.js.
 */

/** @typedef {{ type: string, seq?: number, id?: string, from?: string, to?: string, data: any }} Frame */
/**
 * @typedef {object} Listeners
 * @property {(state: 'connecting' | 'connected' | 'reconnecting' | 'closed', reason: string) => void} state
 * @property {(welcome: any) => void} welcome `resumed` is true if the peer session continues.
 * @property {(frame: Frame) => void} frame All other frames, except ping, ack and closing.
 */

const MIN_RETRY_MS = 250
const MAX_RETRY_MS = 10_000
/** The server pings every 20 s. */
const IDLE_TIMEOUT_MS = 45_000
/** Below the server's limit of 50 per second with a burst of 200. */
const SEND_RATE = { perSecond: 40, burst: 150 }
const CLIENT = { name: 'larder-realtime', version: '1' }

export class RealtimeSocket {
  #url
  #token
  #listeners
  #role = 'viewer'
  /** @type {WebSocket | undefined} */
  #socket
  /** Sent frames without an acknowledgment, by id. @type {Map<string, Frame>} */
  #unacknowledged = new Map()
  /** @type {Frame[]} */
  #queue = []
  #welcomed = false
  #lastSeq = 0
  /** Sequence number of the last replayed frame; 0 if no replay is in progress. */
  #replayUntil = 0
  #nextId = 1
  #resumeToken = ''
  #attempt = 0
  #retryAfter = 0
  #tokens = SEND_RATE.burst
  #filledAt = 0
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retryTimer
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #idleTimer
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #sendTimer

  /** @param {URL} url @param {string} token @param {Listeners} listeners */
  constructor(url, token, listeners) {
    this.#url = url
    this.#token = token
    this.#listeners = listeners
  }

  /** @param {'publisher' | 'viewer'} role */
  open(role) {
    this.#role = role
    this.#connect()
  }

  /** Reconnects immediately if a retry is scheduled. */
  retryNow() {
    if (this.#retryTimer !== undefined) this.#connect()
  }

  /** Ends the peer session, so that its place is free immediately. */
  leave() {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type: 'leave', data: {} }))
    this.#end('left')
  }

  /** Sends the frame once, after a reconnection if necessary. @param {Frame} frame */
  send(frame) {
    this.#queue.push({ ...frame, id: String(this.#nextId++) })
    this.#flush()
  }

  #connect() {
    this.#drop()
    this.#listeners.state(this.#resumeToken || this.#attempt > 0 ? 'reconnecting' : 'connecting', '')
    const socket = new WebSocket(this.#url)
    this.#socket = socket
    this.#tokens = SEND_RATE.burst
    this.#filledAt = performance.now()
    socket.onopen = () => {
      const credentials = this.#resumeToken
        ? { resume_token: this.#resumeToken, last_seq: this.#lastSeq }
        : { token: this.#token, role: this.#role }
      socket.send(JSON.stringify({ type: 'hello', data: { ...credentials, client: CLIENT } }))
      this.#restartIdleTimer()
    }
    socket.onmessage = ({ data }) => {
      this.#restartIdleTimer()
      this.#receive(JSON.parse(data))
    }
    socket.onclose = ({ code, reason }) => this.#handleClose(code, reason)
  }

  /** Closes the socket without calling its listeners. */
  #drop() {
    for (const timer of [this.#retryTimer, this.#idleTimer, this.#sendTimer]) clearTimeout(timer)
    this.#retryTimer = undefined
    this.#welcomed = false
    const socket = this.#socket
    this.#socket = undefined
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
  }

  #restartIdleTimer() {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#handleClose(4008, 'silent'), IDLE_TIMEOUT_MS)
  }

  /** Codes 4400 to 4499 are final, except 4409: the session can't be resumed, but joined again. @param {number} code @param {string} reason */
  #handleClose(code, reason) {
    this.#drop()
    if (code === 4409) this.#resumeToken = ''
    else if (code >= 4400 && code <= 4499) return this.#end(reason || String(code))
    const wait = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** this.#attempt++) * (0.5 + Math.random() / 2)
    this.#retryTimer = setTimeout(() => this.#connect(), code === 4409 ? 0 : Math.max(this.#retryAfter, wait))
    this.#retryAfter = 0
    this.#listeners.state('reconnecting', reason)
  }

  /** @param {string} reason */
  #end(reason) {
    this.#drop()
    this.#unacknowledged.clear()
    this.#queue = []
    this.#resumeToken = ''
    this.#attempt = 0
    this.#listeners.state('closed', reason)
  }

  /** @param {Frame} frame */
  #receive(frame) {
    const { type, seq, id, data } = frame
    if (seq !== undefined) {
      if (seq <= this.#lastSeq) return
      this.#lastSeq = seq
    }
    if (type === 'ping') this.#socket?.send(JSON.stringify({ type: 'pong', data: { t: data.t } }))
    else if (type === 'welcome') this.#handleWelcome(data)
    else if (type === 'closing') this.#retryAfter = data.retry_after_ms ?? 0
    else {
      if ((type === 'ack' || type === 'error') && id !== undefined) this.#unacknowledged.delete(id)
      if (type !== 'ack') this.#listeners.frame(frame)
    }
    if (this.#replayUntil > 0 && this.#lastSeq >= this.#replayUntil) this.#resend()
  }

  /** @param {any} data */
  #handleWelcome(data) {
    this.#attempt = 0
    this.#welcomed = true
    this.#resumeToken = data.resume_token
    if (!data.resumed) {
      this.#lastSeq = 0
      this.#unacknowledged.clear()
      this.#queue = []
    }
    this.#replayUntil = data.resumed && data.last_seq > this.#lastSeq ? data.last_seq : 0
    this.#listeners.state('connected', '')
    this.#listeners.welcome(data)
    if (this.#replayUntil === 0) this.#resend()
  }

  /** Frames without an acknowledgment after a replay did not arrive. */
  #resend() {
    this.#replayUntil = 0
    this.#queue.unshift(...this.#unacknowledged.values())
    this.#unacknowledged.clear()
    this.#flush()
  }

  /** Sends queued frames within the server's rate limit. */
  #flush() {
    clearTimeout(this.#sendTimer)
    if (!this.#welcomed || this.#replayUntil > 0 || this.#socket?.readyState !== WebSocket.OPEN) return
    const now = performance.now()
    this.#tokens = Math.min(SEND_RATE.burst, this.#tokens + ((now - this.#filledAt) * SEND_RATE.perSecond) / 1000)
    this.#filledAt = now
    while (this.#queue.length > 0 && this.#tokens >= 1) {
      const frame = /** @type {Frame} */ (this.#queue.shift())
      this.#tokens--
      this.#unacknowledged.set(frame.id ?? '', frame)
      this.#socket.send(JSON.stringify(frame))
    }
    if (this.#queue.length > 0) this.#sendTimer = setTimeout(() => this.#flush(), 1000 / SEND_RATE.perSecond)
  }
}

// @ts-check
/**
 * Publishes to a stream, or watches one, from a browser, through the realtime socket of Larder.
 *
 *     import { LarderRealtime } from './larder-realtime.js'
 *     const room = new LarderRealtime({ token: 'jt_…' })
 *     room.addEventListener('stream', event => { video.srcObject = event.detail.stream })
 *     room.watch()                    // or: room.publish(await navigator.mediaDevices.getDisplayMedia())
 *
 * Events, each a CustomEvent with a `detail`:
 * - `state`   {state, reason}: connecting, waiting (the session must be accepted first), connected, reconnecting, closed
 * - `error`   {code, message, retryable}
 * - `session` the session as it is now; `peers` {peers: [{peer_id, role}]}
 * - `stream`  {stream}: what the publisher sends; `connection` {peerId, state}: of one RTCPeerConnection
 *
 * Negotiation is perfect negotiation (W3C WebRTC, 10.7): the server says who is polite. A socket that drops is opened
 * again and resumed; pictures flow on meanwhile, for they do not go through the server.
 */

/** @typedef {{ peer_id: string, role: 'publisher' | 'viewer', polite: boolean }} Peer */
/** @typedef {{ type: string, seq?: number, id?: string, from?: string, to?: string, data: any }} Frame */

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000
/** The server pings every 20 s. */
const SILENT_MS = 45_000
/** Below the server's limit of 50 a second with a burst of 200. */
const PACE = { perSecond: 40, burst: 150 }

export class LarderRealtime extends EventTarget {
  #url
  #token
  /** @type {RTCConfiguration} */
  #rtc
  /** @type {'publisher' | 'viewer'} */
  #role = 'viewer'
  /** @type {WebSocket | undefined} */
  #socket
  /** @type {MediaStream | undefined} */
  #media
  /** @type {Map<string, Peer>} */
  #peers = new Map()
  /** @type {Map<string, Connection>} */
  #connections = new Map()
  /** Frames that the server has not acknowledged, by their id. @type {Map<string, Frame>} */
  #unheard = new Map()
  /** @type {Frame[]} */
  #queue = []
  #lastSeq = 0
  #replayUntil = 0
  #nextId = 1
  #resumeToken = ''
  #attempt = 0
  #retryAfter = 0
  #tokens = PACE.burst
  #filledAt = 0
  #state = 'closed'
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pacer

  /** @param {{ token: string, url?: string | URL, rtc?: RTCConfiguration }} options `url` of the socket, by default this host's. */
  constructor({ token, url = new URL('/v1/streams/realtime', location.href), rtc = {} }) {
    super()
    this.#token = token
    this.#url = new URL(url)
    this.#url.protocol = this.#url.protocol.replace('http', 'ws')
    this.#rtc = rtc
    globalThis.addEventListener?.('online', () => {
      if (this.#state === 'reconnecting') this.#open()
    })
    globalThis.addEventListener?.('pagehide', () => this.close())
  }

  get state() {
    return this.#state
  }

  /** Sends this to everybody who watches; called again it sends that instead. @param {MediaStream} media */
  publish(media) {
    this.#media = media
    this.#role = 'publisher'
    if (this.#state === 'closed') this.#open()
    else for (const connection of this.#connections.values()) connection.send(media)
  }

  /** What the publisher sends comes with the event `stream`. */
  watch() {
    this.#role = 'viewer'
    if (this.#state === 'closed') this.#open()
  }

  /** Leaves for good: the place is free at once. */
  close() {
    if (this.#state === 'closed') return
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ type: 'leave', data: {} }))
    this.#stop('left')
  }

  /** Of every connection: frames sent and decoded so far, and what the browser says of it. */
  async stats() {
    return Promise.all([...this.#connections.values()].map(connection => connection.stats()))
  }

  #open() {
    clearTimeout(this.#timer)
    this.#drop()
    this.#setState(this.#resumeToken || this.#attempt > 0 ? 'reconnecting' : 'connecting')
    const socket = new WebSocket(this.#url)
    this.#socket = socket
    this.#tokens = PACE.burst
    this.#filledAt = performance.now()
    socket.onopen = () => {
      const data = this.#resumeToken
        ? { resume_token: this.#resumeToken, last_seq: this.#lastSeq }
        : { token: this.#token, role: this.#role }
      socket.send(
        JSON.stringify({ type: 'hello', data: { ...data, client: { name: 'larder-realtime', version: '1' } } }),
      )
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
    clearTimeout(this.#silence)
    clearTimeout(this.#pacer)
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

  /** @param {number} code @param {string} reason */
  #closed(code, reason) {
    this.#drop()
    if (code === 4409) this.#resumeToken = ''
    else if (code >= 4400 && code <= 4499) return this.#stop(reason || String(code))
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#attempt++) * (0.5 + Math.random() / 2)
    this.#setState('reconnecting', reason)
    this.#timer = setTimeout(() => this.#open(), code === 4409 ? 0 : Math.max(this.#retryAfter, wait))
    this.#retryAfter = 0
  }

  /** @param {string} reason */
  #stop(reason) {
    clearTimeout(this.#timer)
    this.#drop()
    for (const connection of this.#connections.values()) connection.close()
    this.#connections.clear()
    this.#peers.clear()
    this.#unheard.clear()
    this.#queue = []
    this.#resumeToken = ''
    this.#attempt = 0
    this.#setState('closed', reason)
  }

  /** @param {Frame} frame */
  #heard(frame) {
    const { type, seq, id, from = '', data } = frame
    if (seq !== undefined) {
      if (seq <= this.#lastSeq) return
      this.#lastSeq = seq
    }
    if (type === 'ping') this.#socket?.send(JSON.stringify({ type: 'pong', data: { t: data.t } }))
    else if (type === 'welcome') this.#welcome(data)
    else if (type === 'ack') this.#unheard.delete(id ?? '')
    else if (type === 'error') this.#refused(id, data)
    else if (type === 'closing') this.#retryAfter = data.retry_after_ms ?? 0
    else if (type === 'ice_servers') this.#renewIce(data.ice_servers)
    else if (type === 'peer_joined') this.#joined(data)
    else if (type === 'peer_left') this.#left(data.peer_id)
    else if (type === 'session_updated') this.#session(data)
    else if (type === 'description' || type === 'candidate') this.#connectionOf(from, data)?.take(data)
    else if (type === 'renegotiate') this.#connect(from)
    if (this.#replayUntil > 0 && this.#lastSeq >= this.#replayUntil) this.#replayed()
  }

  /** @param {any} data */
  #welcome(data) {
    this.#attempt = 0
    this.#resumeToken = data.resume_token
    this.#rtc = { ...this.#rtc, iceServers: data.ice_servers }
    this.#peers = new Map(data.peers.map((/** @type {Peer} */ peer) => [peer.peer_id, peer]))
    if (!data.resumed) {
      this.#lastSeq = 0
      this.#unheard.clear()
      this.#queue = []
      for (const [id, connection] of this.#connections) if (!this.#isSource(connection)) this.#hangUp(id)
    }
    this.#emit('session', data.session)
    this.#tellPeers()
    this.#setState('connected')
    this.#replayUntil = data.resumed ? data.last_seq : 0
    if (this.#replayUntil <= this.#lastSeq) this.#replayed()
    this.#renewIce(data.ice_servers)
    if (!data.resumed && this.#role === 'publisher') for (const id of this.#peers.keys()) this.#connect(id)
    if (data.resumed) for (const connection of this.#connections.values()) connection.mend()
  }

  /** A viewer goes on showing what it has until something new comes. @param {Connection} connection */
  #isSource(connection) {
    return this.#role === 'viewer' && connection.alive
  }

  /** What the server did not acknowledge it did not get. */
  #replayed() {
    this.#replayUntil = 0
    this.#queue.unshift(...this.#unheard.values())
    this.#flush()
  }

  /** @param {any} data */
  #session(data) {
    if (this.#state !== 'connected' && data.status === 'created') this.#setState('waiting')
    this.#emit('session', data)
  }

  /** @param {string | undefined} id @param {{ code: string, message: string, retryable: boolean }} problem */
  #refused(id, problem) {
    if (id !== undefined) this.#unheard.delete(id)
    // Who just left is no news: peer_left says it too.
    if (problem.code !== 'unknown_peer' && problem.code !== 'resume_expired') this.#emit('error', problem)
  }

  /** @param {RTCIceServer[]} iceServers */
  #renewIce(iceServers) {
    this.#rtc = { ...this.#rtc, iceServers }
    for (const connection of this.#connections.values()) connection.configure(this.#rtc)
  }

  /** @param {Peer} peer */
  #joined(peer) {
    this.#peers.set(peer.peer_id, peer)
    this.#tellPeers()
    if (this.#role === 'publisher') this.#connect(peer.peer_id)
  }

  /** @param {string} id */
  #left(id) {
    this.#peers.delete(id)
    this.#hangUp(id)
    this.#tellPeers()
  }

  /** @param {string} id */
  #hangUp(id) {
    this.#connections.get(id)?.close()
    this.#connections.delete(id)
  }

  /** A publisher offers; a connection that is there is mended. @param {string} peerId */
  #connect(peerId) {
    if (this.#role !== 'publisher' || !this.#peers.has(peerId)) return
    const known = this.#connections.get(peerId)
    if (known) return known.mend()
    this.#add(peerId, crypto.randomUUID()).send(this.#media)
  }

  /** The connection that a frame speaks of: an unknown one is the publisher's, made anew. @param {string} from @param {any} data */
  #connectionOf(from, { connection_id: id, description }) {
    const known = this.#connections.get(from)
    if (known?.id === id) return known
    if (this.#role === 'publisher' || !this.#peers.has(from)) return undefined
    if (description !== undefined && description.type !== 'offer') return undefined
    for (const peerId of this.#connections.keys()) this.#hangUp(peerId)
    return this.#add(from, id)
  }

  /** @param {string} peerId @param {string} id */
  #add(peerId, id) {
    const polite = this.#peers.get(peerId)?.polite === false
    const connection = new Connection(id, polite, this.#rtc, {
      say: (type, data) => this.#say({ type, to: peerId, data: { connection_id: id, ...data } }),
      state: state => this.#emit('connection', { peerId, state }),
      stream: stream => this.#emit('stream', { stream }),
      lost: () => this.#say({ type: 'renegotiate', to: peerId, data: {} }),
      offers: this.#role === 'publisher',
    })
    this.#connections.set(peerId, connection)
    return connection
  }

  /** @param {Frame} frame */
  #say(frame) {
    this.#queue.push({ ...frame, id: String(this.#nextId++) })
    this.#flush()
  }

  /** As fast as the server takes them. */
  #flush() {
    clearTimeout(this.#pacer)
    if (this.#state !== 'connected' || this.#replayUntil > 0 || this.#socket?.readyState !== WebSocket.OPEN) return
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

  #tellPeers() {
    this.#emit('peers', { peers: [...this.#peers.values()] })
  }

  /** @param {string} state @param {string} [reason] */
  #setState(state, reason = '') {
    if (state === this.#state) return
    this.#state = state
    this.#emit('state', { state, reason })
  }

  /** @param {string} type @param {unknown} detail */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }
}

/**
 * @typedef {object} Reports
 * @property {(type: 'description' | 'candidate', data: object) => void} say
 * @property {(state: string) => void} state
 * @property {(stream: MediaStream) => void} stream
 * @property {() => void} lost The other side must begin anew: this one may not offer.
 * @property {boolean} offers
 */

/** One RTCPeerConnection, negotiated perfectly. */
class Connection {
  /** @type {RTCPeerConnection} */
  #peer
  #polite
  #reports
  #makingOffer = false
  #ignoreOffer = false
  #settingAnswer = false
  /** Candidates that came before their description. @type {(RTCIceCandidateInit | null)[]} */
  #early = []
  /** One frame after the other. */
  #turn = Promise.resolve()

  /** @param {string} id @param {boolean} polite @param {RTCConfiguration} rtc @param {Reports} reports */
  constructor(id, polite, rtc, reports) {
    this.id = id
    this.#polite = polite
    this.#reports = reports
    this.#peer = new RTCPeerConnection(rtc)
    this.#peer.onicecandidate = ({ candidate }) => reports.say('candidate', { candidate: candidate?.toJSON() ?? null })
    this.#peer.onnegotiationneeded = () => this.#offer()
    this.#peer.ontrack = ({ streams, track }) => reports.stream(streams[0] ?? new MediaStream([track]))
    this.#peer.onconnectionstatechange = () => {
      reports.state(this.#peer.connectionState)
      if (this.#peer.connectionState === 'failed') this.mend()
    }
  }

  get alive() {
    return this.#peer.connectionState !== 'closed' && this.#peer.connectionState !== 'failed'
  }

  /** @param {MediaStream | undefined} media */
  send(media) {
    const senders = this.#peer.getSenders()
    for (const track of media?.getTracks() ?? []) {
      const sender = senders.find(one => one.track?.kind === track.kind)
      if (sender) void sender.replaceTrack(track)
      else this.#peer.addTrack(track, /** @type {MediaStream} */ (media))
    }
    const kinds = media?.getTracks().map(({ kind }) => kind) ?? []
    for (const sender of senders) if (sender.track && !kinds.includes(sender.track.kind)) this.#peer.removeTrack(sender)
  }

  /** Looks for another way to the other side, if this one no longer leads there. */
  mend() {
    if (!['failed', 'disconnected'].includes(this.#peer.connectionState)) return
    if (this.#reports.offers) this.#peer.restartIce()
    else this.#reports.lost()
  }

  /** @param {RTCConfiguration} rtc */
  configure(rtc) {
    if (this.#peer.signalingState !== 'closed') this.#peer.setConfiguration(rtc)
  }

  /** @param {{ description?: RTCSessionDescriptionInit, candidate?: RTCIceCandidateInit | null }} data */
  take(data) {
    this.#turn = this.#turn
      .then(() => (data.description ? this.#described(data.description) : this.#found(data.candidate ?? null)))
      .catch(error => {
        if (this.#peer.signalingState !== 'closed') this.#reports.state(`error: ${error.message}`)
      })
  }

  async #offer() {
    try {
      this.#makingOffer = true
      await this.#peer.setLocalDescription()
      this.#reports.say('description', { description: this.#peer.localDescription })
    } catch (error) {
      if (this.#peer.signalingState !== 'closed') throw error
    } finally {
      this.#makingOffer = false
    }
  }

  /** @param {RTCSessionDescriptionInit} description */
  async #described(description) {
    const ready = !this.#makingOffer && (this.#peer.signalingState === 'stable' || this.#settingAnswer)
    this.#ignoreOffer = !this.#polite && description.type === 'offer' && !ready
    if (this.#ignoreOffer) return
    this.#settingAnswer = description.type === 'answer'
    await this.#peer.setRemoteDescription(description)
    this.#settingAnswer = false
    for (const candidate of this.#early.splice(0)) await this.#found(candidate)
    if (description.type !== 'offer') return
    await this.#peer.setLocalDescription()
    this.#reports.say('description', { description: this.#peer.localDescription })
  }

  /** @param {RTCIceCandidateInit | null} candidate */
  async #found(candidate) {
    if (!this.#peer.remoteDescription) {
      this.#early.push(candidate)
      return
    }
    try {
      await this.#peer.addIceCandidate(candidate ?? undefined)
    } catch (error) {
      if (!this.#ignoreOffer) throw error
    }
  }

  async stats() {
    const all = [...(await this.#peer.getStats()).values()]
    const sum = (/** @type {string} */ type, /** @type {string} */ field) =>
      all.reduce((total, report) => total + (report.type === type ? (report[field] ?? 0) : 0), 0)
    const pair = all.find(
      ({ type, nominated, state }) => type === 'candidate-pair' && nominated && state === 'succeeded',
    )
    const local = all.find(({ id }) => id === pair?.localCandidateId)
    return {
      state: this.#peer.connectionState,
      framesDecoded: sum('inbound-rtp', 'framesDecoded'),
      framesSent: sum('outbound-rtp', 'framesSent'),
      candidateType: local?.candidateType ?? null,
    }
  }

  close() {
    this.#peer.onconnectionstatechange = this.#peer.onicecandidate = this.#peer.onnegotiationneeded = null
    this.#peer.close()
  }
}

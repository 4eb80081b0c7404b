// @ts-check
/**
 * Publishes or watches a stream in a browser, through Larder's realtime socket.
 *
 *     import { LarderRealtime } from './larder-realtime.js'
 *     const room = new LarderRealtime({ token: 'jt_…' })
 *     room.addEventListener('stream', event => { video.srcObject = event.detail.stream })
 *     room.watch()                    // or: room.publish(await navigator.mediaDevices.getDisplayMedia())
 *
 * Events, each a CustomEvent with a `detail`:
 * - `state`   {state, reason}: connecting, waiting (the session must be accepted first), connected, reconnecting, closed
 * - `error`   {code, message, retryable}
 * - `session` the current session; `peers` {peers: [{peer_id, role, polite}]}
 * - `stream`  {stream}: the publisher's media; `connection` {peerId, state}: one RTCPeerConnection
 *
 * A dropped socket reconnects and resumes. Media continues meanwhile, because it doesn't pass through the server.
 */
import { Connection } from './larder-connection.js'
import { RealtimeSocket } from './larder-socket.js'

/** @typedef {{ peer_id: string, role: 'publisher' | 'viewer', polite: boolean }} Peer */

export class LarderRealtime extends EventTarget {
  #socket
  /** @type {RTCConfiguration} */
  #rtc
  /** @type {'publisher' | 'viewer'} */
  #role = 'viewer'
  /** @type {MediaStream | undefined} */
  #media
  /** @type {Map<string, Peer>} */
  #peers = new Map()
  /** @type {Map<string, Connection>} */
  #connections = new Map()
  #state = 'closed'

  /** @param {{ token: string, url?: string | URL, rtc?: RTCConfiguration }} options `url` is the socket's; this host by default. */
  constructor({ token, url = new URL('/v1/streams/realtime', location.href), rtc = {} }) {
    super()
    this.#rtc = rtc
    const address = new URL(url)
    address.protocol = address.protocol.replace('http', 'ws')
    this.#socket = new RealtimeSocket(address, token, {
      state: (state, reason) => this.#setState(state, reason),
      welcome: welcome => this.#handleWelcome(welcome),
      frame: frame => this.#receive(frame),
    })
    globalThis.addEventListener?.('online', () => this.#socket.retryNow())
    globalThis.addEventListener?.('pagehide', () => this.close())
  }

  get state() {
    return this.#state
  }

  /** Whether a connection to another peer works. It can outlive the socket. */
  get isConnectedToPeer() {
    return [...this.#connections.values()].some(connection => connection.alive)
  }

  /** Sends the media to all viewers. Another call replaces the media. @param {MediaStream} media */
  publish(media) {
    this.#media = media
    this.#role = 'publisher'
    if (this.#state === 'closed') this.#socket.open('publisher')
    else for (const connection of this.#connections.values()) connection.send(media)
  }

  /** The publisher's media arrives with the event `stream`. */
  watch() {
    this.#role = 'viewer'
    if (this.#state === 'closed') this.#socket.open('viewer')
  }

  /** Ends the peer session, so that its place is free immediately. */
  close() {
    if (this.#state !== 'closed') this.#socket.leave()
  }

  /** Returns the frames sent and decoded, and the candidate type, of each connection. */
  async stats() {
    return Promise.all([...this.#connections.values()].map(connection => connection.stats()))
  }

  /** @param {import('./larder-socket.js').Frame} frame */
  #receive({ type, from = '', data }) {
    if (type === 'error') this.#handleError(data)
    else if (type === 'ice_servers') this.#renewIce(data.ice_servers)
    else if (type === 'peer_joined') this.#addPeer(data)
    else if (type === 'peer_left') this.#removePeer(data.peer_id)
    else if (type === 'session_updated') this.#updateSession(data)
    else if (type === 'source_updated' || type === 'layout_updated') this.#emit(type, data)
    else if (type === 'description' || type === 'candidate') this.#connectionOf(from, data)?.receive(data)
    else if (type === 'renegotiate') this.#connect(from)
  }

  /** @param {any} data */
  #handleWelcome({ resumed, peers, session, ice_servers }) {
    this.#rtc = { ...this.#rtc, iceServers: ice_servers }
    this.#peers = new Map(peers.map((/** @type {Peer} */ peer) => [peer.peer_id, peer]))
    // A new peer session offers again. A viewer keeps the current media until new media arrives.
    for (const [id, connection] of this.#connections)
      if (this.#role === 'publisher' ? !(resumed && this.#peers.has(id)) : !connection.alive) this.#hangUp(id)
    this.#emit('session', session)
    this.#emitPeers()
    this.#renewIce(ice_servers)
    if (this.#role === 'publisher') for (const id of this.#peers.keys()) this.#connect(id)
    if (resumed) for (const connection of this.#connections.values()) connection.repair()
  }

  /** @param {any} data */
  #updateSession(data) {
    if (this.#state === 'connecting' && data.status === 'created') this.#setState('waiting')
    this.#emit('session', data)
  }

  /** @param {{ code: string, message: string, retryable: boolean }} problem */
  #handleError(problem) {
    // A peer that just left is also reported by peer_left, and an expired session is joined again.
    if (problem.code !== 'unknown_peer' && problem.code !== 'resume_expired') this.#emit('error', problem)
  }

  /** @param {RTCIceServer[]} iceServers */
  #renewIce(iceServers) {
    this.#rtc = { ...this.#rtc, iceServers }
    for (const connection of this.#connections.values()) connection.configure(this.#rtc)
  }

  /** @param {Peer} peer */
  #addPeer(peer) {
    this.#peers.set(peer.peer_id, peer)
    this.#emitPeers()
    this.#connect(peer.peer_id)
  }

  /** @param {string} id */
  #removePeer(id) {
    this.#peers.delete(id)
    this.#hangUp(id)
    this.#emitPeers()
  }

  /** @param {string} id */
  #hangUp(id) {
    this.#connections.get(id)?.close()
    this.#connections.delete(id)
  }

  /** Publishers create the offer. An existing connection is repaired. @param {string} peerId */
  #connect(peerId) {
    if (this.#role !== 'publisher' || !this.#peers.has(peerId)) return
    const known = this.#connections.get(peerId)
    if (known) known.repair()
    else this.#addConnection(peerId, crypto.randomUUID()).send(this.#media)
  }

  /**
   * Returns the connection of a frame. Viewers create one for an unknown offer of the publisher.
   * @param {string} from @param {any} data
   */
  #connectionOf(from, { connection_id: id, description }) {
    const known = this.#connections.get(from)
    if (known?.id === id) return known
    if (this.#role === 'publisher' || !this.#peers.has(from)) return undefined
    if (description !== undefined && description.type !== 'offer') return undefined
    for (const peerId of [...this.#connections.keys()]) this.#hangUp(peerId)
    return this.#addConnection(from, id)
  }

  /** @param {string} peerId @param {string} id */
  #addConnection(peerId, id) {
    // The server assigns politeness to the other peer; this one has the opposite.
    const polite = this.#peers.get(peerId)?.polite === false
    const connection = new Connection(id, polite, this.#rtc, {
      send: (type, data) => this.#socket.send({ type, to: peerId, data: { connection_id: id, ...data } }),
      state: state => this.#emit('connection', { peerId, state }),
      stream: stream => this.#emit('stream', { stream }),
      lost: () => this.#socket.send({ type: 'renegotiate', to: peerId, data: {} }),
      offers: this.#role === 'publisher',
    })
    this.#connections.set(peerId, connection)
    return connection
  }

  #emitPeers() {
    this.#emit('peers', { peers: [...this.#peers.values()] })
  }

  /** @param {string} state @param {string} [reason] */
  #setState(state, reason = '') {
    if (state === this.#state) return
    this.#state = state
    if (state === 'closed') {
      for (const id of [...this.#connections.keys()]) this.#hangUp(id)
      this.#peers.clear()
    }
    this.#emit('state', { state, reason })
  }

  /** @param {string} type @param {unknown} detail */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }
}

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
 * - `session` the session as it is now; `peers` {peers: [{peer_id, role, polite}]}
 * - `stream`  {stream}: what the publisher sends; `connection` {peerId, state}: of one RTCPeerConnection
 *
 * A socket that drops is opened again and resumed; pictures flow on meanwhile, for they do not go through the server.
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

  /** @param {{ token: string, url?: string | URL, rtc?: RTCConfiguration }} options `url` of the socket, by default this host's. */
  constructor({ token, url = new URL('/v1/streams/realtime', location.href), rtc = {} }) {
    super()
    this.#rtc = rtc
    const address = new URL(url)
    address.protocol = address.protocol.replace('http', 'ws')
    this.#socket = new RealtimeSocket(address, token, {
      state: (state, reason) => this.#setState(state, reason),
      welcome: welcome => this.#welcome(welcome),
      frame: frame => this.#heard(frame),
    })
    globalThis.addEventListener?.('online', () => this.#socket.hurry())
    globalThis.addEventListener?.('pagehide', () => this.close())
  }

  get state() {
    return this.#state
  }

  /** Sends this to everybody who watches; called again it sends that instead. @param {MediaStream} media */
  publish(media) {
    this.#media = media
    this.#role = 'publisher'
    if (this.#state === 'closed') this.#socket.open('publisher')
    else for (const connection of this.#connections.values()) connection.send(media)
  }

  /** What the publisher sends comes with the event `stream`. */
  watch() {
    this.#role = 'viewer'
    if (this.#state === 'closed') this.#socket.open('viewer')
  }

  /** Leaves for good: the place is free at once. */
  close() {
    if (this.#state !== 'closed') this.#socket.leave()
  }

  /** Of every connection: frames sent and decoded so far, and by which kind of candidate. */
  async stats() {
    return Promise.all([...this.#connections.values()].map(connection => connection.stats()))
  }

  /** @param {import('./larder-socket.js').Frame} frame */
  #heard({ type, from = '', data }) {
    if (type === 'error') this.#refused(data)
    else if (type === 'ice_servers') this.#renewIce(data.ice_servers)
    else if (type === 'peer_joined') this.#joined(data)
    else if (type === 'peer_left') this.#left(data.peer_id)
    else if (type === 'session_updated') this.#session(data)
    else if (type === 'source_updated' || type === 'layout_updated') this.#emit(type, data)
    else if (type === 'description' || type === 'candidate') this.#connectionOf(from, data)?.take(data)
    else if (type === 'renegotiate') this.#connect(from)
  }

  /** @param {any} data */
  #welcome({ resumed, peers, session, ice_servers }) {
    this.#rtc = { ...this.#rtc, iceServers: ice_servers }
    this.#peers = new Map(peers.map((/** @type {Peer} */ peer) => [peer.peer_id, peer]))
    // Who comes anew publishes anew. A viewer goes on showing what it has until something new comes.
    for (const [id, connection] of this.#connections)
      if (this.#role === 'publisher' ? !(resumed && this.#peers.has(id)) : !connection.alive) this.#hangUp(id)
    this.#emit('session', session)
    this.#tellPeers()
    this.#renewIce(ice_servers)
    if (this.#role === 'publisher') for (const id of this.#peers.keys()) this.#connect(id)
    if (resumed) for (const connection of this.#connections.values()) connection.mend()
  }

  /** @param {any} data */
  #session(data) {
    if (this.#state === 'connecting' && data.status === 'created') this.#setState('waiting')
    this.#emit('session', data)
  }

  /** @param {{ code: string, message: string, retryable: boolean }} problem */
  #refused(problem) {
    // Who just left is no news: peer_left says it too. And a place that is gone is taken anew.
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
    this.#connect(peer.peer_id)
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
    if (known) known.mend()
    else this.#add(peerId, crypto.randomUUID()).send(this.#media)
  }

  /**
   * The connection that a frame speaks of: an unknown one is the publisher's, made anew.
   * @param {string} from @param {any} data
   */
  #connectionOf(from, { connection_id: id, description }) {
    const known = this.#connections.get(from)
    if (known?.id === id) return known
    if (this.#role === 'publisher' || !this.#peers.has(from)) return undefined
    if (description !== undefined && description.type !== 'offer') return undefined
    for (const peerId of [...this.#connections.keys()]) this.#hangUp(peerId)
    return this.#add(from, id)
  }

  /** @param {string} peerId @param {string} id */
  #add(peerId, id) {
    // The server says whether the other side is polite: this one is what it is not.
    const polite = this.#peers.get(peerId)?.polite === false
    const connection = new Connection(id, polite, this.#rtc, {
      say: (type, data) => this.#socket.say({ type, to: peerId, data: { connection_id: id, ...data } }),
      state: state => this.#emit('connection', { peerId, state }),
      stream: stream => this.#emit('stream', { stream }),
      lost: () => this.#socket.say({ type: 'renegotiate', to: peerId, data: {} }),
      offers: this.#role === 'publisher',
    })
    this.#connections.set(peerId, connection)
    return connection
  }

  #tellPeers() {
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

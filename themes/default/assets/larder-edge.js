// @ts-check
/**
 * Plays a stream from the media server with WHEP (WebRTC-HTTP egress), or with HLS if WebRTC fails, and publishes one
 * with WHIP (WebRTC-HTTP ingestion).
 */

const REQUEST_TIMEOUT_MS = 10_000
const GATHERING_TIMEOUT_MS = 2000
/** A connection without packets for this long is lost, although ICE still tries to repair it. */
const DISCONNECTED_MS = 5000
const RETRY_MS = 2000
const HLS_TYPE = 'application/vnd.apple.mpegurl'

/**
 * `token` is empty for a public stream. `signal` ends the playback.
 * @typedef {{ whep: string, hls: string, token: string, signal: AbortSignal }} Source
 */
/** @typedef {'offline' | 'refused' | 'ended' | 'unreachable'} Result `ended`: it has played. */
/** @typedef {{ stats(): Promise<{ framesDecoded: number, framesSent: number }[]> }} Statistics */

/**
 * Plays once, until the stream or the connection ends.
 * @param {HTMLVideoElement} video
 * @param {Source} source
 * @param {{ playing: () => void, connected?: (statistics: Statistics) => void }} show
 * @returns {Promise<Result>}
 */
export async function playEdge(video, source, show) {
  const result = await playWhep(video, source, show)
  return result === 'unreachable' && video.canPlayType(HLS_TYPE) !== '' ? playHls(video, source, show) : result
}

/**
 * @param {HTMLVideoElement} video
 * @param {Source} source
 * @param {{ playing: () => void, connected?: (statistics: Statistics) => void }} show
 * @returns {Promise<Result>}
 */
async function playWhep(video, { whep, token, signal }, show) {
  const peer = new RTCPeerConnection()
  let location = ''
  try {
    for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' })
    peer.ontrack = ({ streams: [stream] }) => {
      if (stream && video.srcObject !== stream) video.srcObject = stream
    }
    const answer = await exchange(peer, whep, token)
    location = answer.location
    if (answer.status === 404) return 'offline'
    if (answer.status === 401) return 'refused'
    if (!answer.connected) return 'unreachable'
    show.connected?.(statisticsOf(peer))
    const end = connectionEnd(peer, show.playing)
    return (await Promise.race([end, aborted(signal)])) ? 'ended' : 'unreachable'
  } catch {
    return 'unreachable'
  } finally {
    peer.close()
    hangUp(location)
    video.srcObject = null
  }
}

/**
 * @param {HTMLVideoElement} video
 * @param {Source} source
 * @param {{ playing: () => void, connected?: (statistics: Statistics) => void }} show
 * @returns {Promise<Result>}
 */
async function playHls(video, { hls, token, signal: end }, show) {
  const cleanup = new AbortController()
  const { signal } = cleanup
  let hasPlayed = false
  await new Promise(resolve => {
    const handlePlaying = () => {
      hasPlayed = true
      show.playing()
    }
    video.addEventListener('playing', handlePlaying, { signal })
    for (const type of ['error', 'ended']) video.addEventListener(type, resolve, { signal })
    void aborted(end).then(resolve)
    const frames = async () => [{ framesDecoded: video.getVideoPlaybackQuality().totalVideoFrames, framesSent: 0 }]
    show.connected?.({ stats: frames })
    // Players of browsers send no headers of their own.
    video.src = token === '' ? hls : `${hls}?join_token=${encodeURIComponent(token)}`
  })
  cleanup.abort()
  video.removeAttribute('src')
  video.load()
  return hasPlayed ? 'ended' : 'unreachable'
}

/** @typedef {'connecting' | 'connected' | 'reconnecting' | 'refused'} PublishState */

/** Publishes media until it is closed. Connects again when the connection is lost, or closed by the server. */
export class EdgePublisher extends EventTarget {
  #whip
  #token
  /** @type {MediaStream} */
  #media
  #closed = false
  /** @type {RTCPeerConnection | undefined} */
  #peer
  #location = ''

  /** @param {{ whip: string, token: string, media: MediaStream }} options */
  constructor({ whip, token, media }) {
    super()
    this.#whip = whip
    this.#token = token
    this.#media = media
    // After the caller has added its listeners.
    this.done = Promise.resolve().then(() => this.#run())
    globalThis.addEventListener?.('pagehide', () => this.close())
  }

  /** Replaces the media. @param {MediaStream} media */
  replace(media) {
    this.#media = media
    // A connection has fixed tracks.
    this.#peer?.close()
    this.#peer?.dispatchEvent(new Event('connectionstatechange'))
  }

  close() {
    if (this.#closed) return
    this.#closed = true
    this.#peer?.close()
    this.#peer?.dispatchEvent(new Event('connectionstatechange'))
    hangUp(this.#location)
  }

  async stats() {
    return this.#peer ? statisticsOf(this.#peer).stats() : []
  }

  async #run() {
    for (let attempt = 0; !this.#closed; attempt++) {
      this.#emit(attempt === 0 ? 'connecting' : 'reconnecting')
      const status = await this.#publishOnce().catch(() => 0)
      if (this.#closed) return
      if (status === 401) return this.#emit('refused')
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    }
  }

  /** Returns when the connection has ended: the status of the server, or 0. */
  async #publishOnce() {
    const peer = new RTCPeerConnection()
    this.#peer = peer
    this.#location = ''
    try {
      for (const track of this.#media.getTracks()) {
        const transceiver = peer.addTransceiver(track, { direction: 'sendonly', streams: [this.#media] })
        if (track.kind === 'video') preferH264(transceiver)
      }
      const answer = await exchange(peer, this.#whip, this.#token)
      this.#location = answer.location
      if (!answer.connected) return answer.status
      await connectionEnd(peer, () => this.#emit('connected'))
      return answer.status
    } finally {
      peer.close()
      hangUp(this.#location)
    }
  }

  /** @param {PublishState} state */
  #emit(state) {
    if (!this.#closed) this.dispatchEvent(new CustomEvent('state', { detail: { state } }))
  }
}

/** HLS players have no picture of VP8, the default of browsers. @param {RTCRtpTransceiver} transceiver */
function preferH264(transceiver) {
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? []
  const isH264 = (/** @type {RTCRtpCodec} */ codec) => codec.mimeType.toLowerCase() === 'video/h264'
  const preferred = [...codecs.filter(isH264), ...codecs.filter(codec => !isH264(codec))]
  if (preferred.length > 0) transceiver.setCodecPreferences(preferred)
}

/**
 * Sends the offer and applies the answer.
 * @param {RTCPeerConnection} peer
 * @param {string} url
 * @param {string} token
 */
async function exchange(peer, url, token) {
  await peer.setLocalDescription()
  await candidatesGathered(peer)
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp', ...(token !== '' && { authorization: `Bearer ${token}` }) },
    body: peer.localDescription?.sdp ?? '',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
  const { status, headers } = answer
  if (status !== 201) return { status, connected: false, location: '' }
  const location = new URL(headers.get('location') ?? '', url).href
  await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() })
  return { status, connected: true, location }
}

/** Resolves to true when the signal is aborted. @param {AbortSignal} signal @returns {Promise<boolean>} */
const aborted = signal =>
  new Promise(resolve => {
    if (signal.aborted) resolve(true)
    else signal.addEventListener('abort', () => resolve(true), { once: true })
  })

/** Frees the connection at the server. @param {string} location empty if there is none */
function hangUp(location) {
  if (location !== '') fetch(location, { method: 'DELETE', keepalive: true }).catch(() => undefined)
}

/** @param {RTCPeerConnection} peer */
function candidatesGathered(peer) {
  return new Promise(resolve => {
    const check = () => peer.iceGatheringState === 'complete' && resolve(undefined)
    peer.addEventListener('icegatheringstatechange', check)
    setTimeout(resolve, GATHERING_TIMEOUT_MS)
    check()
  })
}

/**
 * Resolves when the connection ends: whether it was connected.
 * @param {RTCPeerConnection} peer
 * @param {() => void} onConnected
 * @returns {Promise<boolean>}
 */
function connectionEnd(peer, onConnected) {
  let wasConnected = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let lost
  return new Promise(resolve => {
    peer.addEventListener('connectionstatechange', () => {
      const state = peer.connectionState
      clearTimeout(lost)
      if (state === 'connected') {
        wasConnected = true
        onConnected()
      } else if (state === 'disconnected') lost = setTimeout(() => resolve(wasConnected), DISCONNECTED_MS)
      else if (state === 'failed' || state === 'closed') resolve(wasConnected)
    })
  })
}

/** @param {RTCPeerConnection} peer @returns {Statistics} */
function statisticsOf(peer) {
  return {
    async stats() {
      const reports = [...(await peer.getStats()).values()].filter(({ kind }) => kind === 'video')
      const sum = (/** @type {string} */ name) => reports.reduce((all, report) => all + (report[name] ?? 0), 0)
      return [{ framesDecoded: sum('framesDecoded'), framesSent: sum('framesSent') }]
    },
  }
}

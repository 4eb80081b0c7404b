// @ts-check
/** Plays a public stream from the media server with WHEP (WebRTC-HTTP egress), or with HLS if WebRTC fails. */

/** Between attempts while the stream is offline. */
const RETRY_MS = 5000
/** Attempts between two checks of whether the stream still exists. */
const ATTEMPTS_PER_CHECK = 6
const REQUEST_TIMEOUT_MS = 10_000
const HLS_TYPE = 'application/vnd.apple.mpegurl'

/** @typedef {{ playing: () => void, waiting: (note: string, hint?: string) => void }} Show */
/** @typedef {'offline' | 'ended' | 'unreachable'} Result `ended`: it has played. */

/**
 * Plays until the stream has ended for good. Starts again when the stream goes live.
 * @param {HTMLVideoElement} video
 * @param {{ whep: string, hls: string }} addresses
 * @param {Show} show
 */
export async function playEdge(video, { whep, hls }, show) {
  show.waiting('Connecting…')
  let hasPlayed = false
  for (let attempt = 1; ; attempt++) {
    let result = await playWhep(video, whep, show)
    if (result === 'unreachable' && video.canPlayType(HLS_TYPE) !== '') result = await playHls(video, hls, show)
    if (result === 'ended') hasPlayed = true
    if ((result === 'ended' || attempt % ATTEMPTS_PER_CHECK === 0) && (await isOver()))
      return show.waiting('This stream has ended.')
    if (result === 'ended') show.waiting('Connection lost. Reconnecting…')
    else if (result === 'unreachable') show.waiting("This stream isn't available right now.")
    else if (hasPlayed)
      show.waiting('The broadcast has stopped.', 'It continues automatically when the stream is live again.')
    else show.waiting('This stream is offline right now.', 'It starts automatically when the stream goes live.')
    await new Promise(resolve => setTimeout(resolve, result === 'ended' ? RETRY_MS / 10 : RETRY_MS))
  }
}

/** The page of a finished stream has no playback URLs. */
async function isOver() {
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
    return response.ok && !(await response.text()).includes(' data-whep=')
  } catch {
    return false
  }
}

/**
 * Returns when the stream ends or fails.
 * @param {HTMLVideoElement} video
 * @param {string} hls
 * @param {Show} show
 * @returns {Promise<Result>}
 */
async function playHls(video, hls, show) {
  const cleanup = new AbortController()
  const { signal } = cleanup
  let hasPlayed = false
  await new Promise(resolve => {
    const handlePlaying = () => {
      hasPlayed = true
      show.playing()
    }
    video.addEventListener('playing', handlePlaying, { signal })
    for (const end of ['error', 'ended']) video.addEventListener(end, resolve, { signal })
    video.src = hls
  })
  cleanup.abort()
  video.removeAttribute('src')
  video.load()
  return hasPlayed ? 'ended' : 'unreachable'
}

/**
 * Returns when the connection ends.
 * @param {HTMLVideoElement} video
 * @param {string} whep
 * @param {Show} show
 * @returns {Promise<Result>}
 */
async function playWhep(video, whep, show) {
  const peer = new RTCPeerConnection()
  try {
    for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' })
    peer.ontrack = ({ streams: [stream] }) => {
      if (stream && video.srcObject !== stream) video.srcObject = stream
    }
    await peer.setLocalDescription()
    await candidatesGathered(peer)
    const answer = await fetch(whep, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp' },
      body: peer.localDescription?.sdp ?? '',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    if (answer.status === 404) return 'offline'
    if (!answer.ok) return 'unreachable'
    await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() })
    return await connectionEnd(peer, show)
  } catch {
    return 'unreachable'
  } finally {
    peer.close()
  }
}

/** @param {RTCPeerConnection} peer */
function candidatesGathered(peer) {
  return new Promise(resolve => {
    const check = () => peer.iceGatheringState === 'complete' && resolve(undefined)
    peer.addEventListener('icegatheringstatechange', check)
    setTimeout(resolve, 2000)
    check()
  })
}

/**
 * @param {RTCPeerConnection} peer
 * @param {Show} show
 * @returns {Promise<Result>}
 */
function connectionEnd(peer, show) {
  let wasConnected = false
  return new Promise(resolve => {
    peer.onconnectionstatechange = () => {
      if (peer.connectionState === 'connected') {
        wasConnected = true
        show.playing()
      }
      if (['failed', 'closed', 'disconnected'].includes(peer.connectionState))
        resolve(wasConnected ? 'ended' : 'unreachable')
    }
  })
}

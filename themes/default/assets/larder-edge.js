// @ts-check
/** Plays a public stream from the media server with WHEP (WebRTC-HTTP egress), or with HLS if WebRTC fails. */

/** Between attempts while the stream is offline. */
const RETRY_MS = 5000
const REQUEST_TIMEOUT_MS = 10_000
const HLS_TYPE = 'application/vnd.apple.mpegurl'
const UNAVAILABLE = "This stream isn't available right now."

/**
 * @param {HTMLVideoElement} video
 * @param {{ whep: string, hls: string }} addresses
 * @param {(text: string) => void} showState
 */
export async function playEdge(video, { whep, hls }, showState) {
  showState('Connecting…')
  for (;;) {
    const result = await playWhep(video, whep, showState)
    if (result === 'unreachable' && video.canPlayType(HLS_TYPE) !== '') await playHls(video, hls, showState)
    showState(result === 'offline' ? 'This stream is offline right now.' : UNAVAILABLE)
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
}

/**
 * Returns when the stream ends or fails.
 * @param {HTMLVideoElement} video
 * @param {string} hls
 * @param {(text: string) => void} showState
 */
async function playHls(video, hls, showState) {
  const cleanup = new AbortController()
  await new Promise(resolve => {
    video.addEventListener('playing', () => showState(''), { signal: cleanup.signal })
    for (const end of ['error', 'ended']) video.addEventListener(end, resolve, { signal: cleanup.signal })
    video.src = hls
  })
  cleanup.abort()
  video.removeAttribute('src')
  video.load()
}

/**
 * Returns when the connection ends.
 * @param {HTMLVideoElement} video
 * @param {string} whep
 * @param {(text: string) => void} showState
 * @returns {Promise<'offline' | 'ended' | 'unreachable'>}
 */
async function playWhep(video, whep, showState) {
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
    return await connectionEnd(peer, showState)
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
 * @param {(text: string) => void} showState
 * @returns {Promise<'ended' | 'unreachable'>}
 */
function connectionEnd(peer, showState) {
  let wasConnected = false
  return new Promise(resolve => {
    peer.onconnectionstatechange = () => {
      if (peer.connectionState === 'connected') {
        wasConnected = true
        showState('')
      }
      if (['failed', 'closed', 'disconnected'].includes(peer.connectionState))
        resolve(wasConnected ? 'ended' : 'unreachable')
    }
  })
}

// @ts-check
/** Plays a public stream from the media edge: WHEP (WebRTC-HTTP egress), or HLS where that does not come about. */

/** Milliseconds until the edge is asked again whether somebody broadcasts. */
const AGAIN = 5000
/** Milliseconds for the edge to answer. */
const PATIENCE = 10_000
const PLAYLIST = 'application/vnd.apple.mpegurl'
const AWAY = "This stream isn't available right now."

/**
 * @param {HTMLVideoElement} video
 * @param {{ whep: string, hls: string }} addresses
 * @param {(text: string) => void} say
 */
export async function playEdge(video, { whep, hls }, say) {
  say('Connecting…')
  for (;;) {
    const found = await open(video, whep, say)
    if (found === 'unreachable' && video.canPlayType(PLAYLIST) !== '') await playlist(video, hls, say)
    say(found === 'nobody' ? 'This stream is offline right now.' : AWAY)
    await new Promise(resolve => setTimeout(resolve, AGAIN))
  }
}

/**
 * Until it ends or fails.
 * @param {HTMLVideoElement} video
 * @param {string} hls
 * @param {(text: string) => void} say
 */
async function playlist(video, hls, say) {
  const over = new AbortController()
  await new Promise(resolve => {
    video.addEventListener('playing', () => say(''), { signal: over.signal })
    for (const end of ['error', 'ended']) video.addEventListener(end, resolve, { signal: over.signal })
    video.src = hls
  })
  over.abort()
  video.removeAttribute('src')
  video.load()
}

/**
 * Until the connection is over; says how it went.
 * @param {HTMLVideoElement} video
 * @param {string} whep
 * @param {(text: string) => void} say
 * @returns {Promise<'nobody' | 'over' | 'unreachable'>}
 */
async function open(video, whep, say) {
  const peer = new RTCPeerConnection()
  try {
    for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' })
    peer.ontrack = ({ streams: [stream] }) => {
      if (stream && video.srcObject !== stream) video.srcObject = stream
    }
    await peer.setLocalDescription()
    await gathered(peer)
    const answer = await fetch(whep, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp' },
      body: peer.localDescription?.sdp ?? '',
      signal: AbortSignal.timeout(PATIENCE),
    })
    if (answer.status === 404) return 'nobody'
    if (!answer.ok) return 'unreachable'
    await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() })
    return await connected(peer, say)
  } catch {
    return 'unreachable'
  } finally {
    peer.close()
  }
}

/** @param {RTCPeerConnection} peer */
function gathered(peer) {
  return new Promise(resolve => {
    const look = () => peer.iceGatheringState === 'complete' && resolve(undefined)
    peer.addEventListener('icegatheringstatechange', look)
    setTimeout(resolve, 2000)
    look()
  })
}

/**
 * @param {RTCPeerConnection} peer
 * @param {(text: string) => void} say
 * @returns {Promise<'over' | 'unreachable'>}
 */
function connected(peer, say) {
  let was = false
  return new Promise(resolve => {
    peer.onconnectionstatechange = () => {
      if (peer.connectionState === 'connected') {
        was = true
        say('')
      }
      if (['failed', 'closed', 'disconnected'].includes(peer.connectionState)) resolve(was ? 'over' : 'unreachable')
    }
  })
}

// @ts-check
/** The pages `/broadcast/{id}` and `/watch/{id}`. */

/** @typedef {import('./larder-realtime.js').LarderRealtime} Room */
/** @typedef {import('./larder-realtime.js').Peer} Peer */
/** @typedef {new (options: { token: string, rtc?: RTCConfiguration }) => Room} RoomClass */

/** @type {Record<string, string>} */
const STATES = {
  connecting: 'Connecting…',
  waiting: 'Waiting for the session to be accepted…',
  connected: 'Connected.',
  reconnecting: 'Connection lost. Reconnecting…',
  closed: 'Not connected.',
}
/** Messages for reasons and error codes. @type {Record<string, string>} */
const REASONS = {
  ended: 'The session has ended.',
  session_ended: 'The session has ended.',
  expired: 'The session has expired.',
  session_expired: 'The session has expired.',
  revoked: 'Your access was revoked.',
  invalid_token: 'This link is invalid. Ask for a new one.',
  token_used_up: 'This link has reached its usage limit. Ask for a new one.',
  publisher_taken: 'Someone else is already broadcasting.',
}

/** @typedef {(video: HTMLVideoElement, addresses: { whep: string, hls: string }, showState: (text: string) => void) => void} Player */

/**
 * @param {HTMLElement} root
 * @param {RoomClass} LarderRealtime
 * @param {Player} playEdge plays a public stream, which needs no token
 */
export function watchPage(root, LarderRealtime, playEdge) {
  const video = /** @type {HTMLVideoElement} */ (root.querySelector('video'))
  const show = createDisplay(root)
  const { whep, hls } = root.dataset
  reloadOnNewToken()
  if (whep && hls && tokenInUrl() === '') {
    part(root, 'stage').hidden = false
    playEdge(video, { whep, hls }, show.state)
    return
  }
  withToken(root, token => {
    const room = createRoom(root, LarderRealtime, token, show)
    room.addEventListener('stream', event => {
      video.srcObject = /** @type {CustomEvent} */ (event).detail.stream
      // NotAllowedError: playback needs a click. AbortError: another stream replaced this one.
      video.play().catch(error => error.name === 'NotAllowedError' && show.state('Press play to start.'))
    })
    room.addEventListener('peers', event => {
      const publishes = peersIn(event).some(peer => peer.role === 'publisher')
      show.note(publishes ? '' : "The broadcast hasn't started yet.")
    })
    room.watch()
  })
}

/**
 * @param {HTMLElement} root
 * @param {RoomClass} LarderRealtime
 */
export function broadcastPage(root, LarderRealtime) {
  const video = /** @type {HTMLVideoElement} */ (root.querySelector('video'))
  const stop = /** @type {HTMLButtonElement} */ (root.querySelector('[data-stop]'))
  const show = createDisplay(root)
  reloadOnNewToken()
  withToken(root, token => {
    const room = createRoom(root, LarderRealtime, token, show)
    show.state('Choose what to share.')
    room.addEventListener('peers', event => {
      const viewers = peersIn(event).filter(peer => peer.role === 'viewer').length
      show.note(viewers === 1 ? '1 viewer' : '{0} viewers', viewers)
    })
    const end = () => {
      release(video)
      stop.disabled = true
      room.close()
    }
    room.addEventListener('state', event => {
      if (/** @type {CustomEvent} */ (event).detail.state === 'closed') end()
    })
    stop.addEventListener('click', end)
    for (const button of root.querySelectorAll('[data-source]'))
      button.addEventListener('click', async () => {
        try {
          const media = await capture(/** @type {HTMLElement} */ (button).dataset.source ?? '')
          release(video)
          video.srcObject = media
          stop.disabled = false
          show.problem('')
          media.getVideoTracks()[0]?.addEventListener('ended', end)
          room.publish(media)
        } catch (error) {
          show.problem("Couldn't start capture: {0}", error instanceof Error ? error.message : String(error))
        }
      })
  })
}

/** @param {Event} event @returns {Peer[]} */
const peersIn = event => /** @type {CustomEvent} */ (event).detail.peers

/** @param {string} source */
function capture(source) {
  if (source === 'screen') return navigator.mediaDevices.getDisplayMedia({ video: { frameRate: 30 }, audio: true })
  if (source === 'camera') return navigator.mediaDevices.getUserMedia({ video: true, audio: true })
  return Promise.resolve(testPattern())
}

/** @param {HTMLVideoElement} video */
function release(video) {
  if (video.srcObject instanceof MediaStream) for (const track of video.srcObject.getTracks()) track.stop()
  video.srcObject = null
}

/** Color bars, a rotating hand and the time, at 30 frames per second. */
function testPattern() {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 })
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
  const bars = ['#fff', '#ff0', '#0ff', '#0f0', '#f0f', '#f00', '#00f']
  const draw = () => {
    for (const [index, color] of bars.entries()) {
      context.fillStyle = color
      context.fillRect((index * 640) / bars.length, 0, 640 / bars.length + 1, 360)
    }
    const angle = (performance.now() / 1000) * Math.PI
    context.lineWidth = 6
    context.beginPath()
    context.moveTo(320, 150)
    context.lineTo(320 + 110 * Math.cos(angle), 150 + 110 * Math.sin(angle))
    context.stroke()
    context.fillStyle = '#000'
    context.fillRect(0, 300, 640, 60)
    context.fillStyle = '#fff'
    context.font = '32px monospace'
    context.fillText(new Date().toISOString(), 90, 342)
  }
  draw()
  const media = canvas.captureStream(30)
  const timer = setInterval(() => {
    if (media.getVideoTracks().some(track => track.readyState === 'live')) draw()
    else clearInterval(timer)
  }, 33)
  return media
}

/** @param {HTMLElement} root @param {string} name */
const part = (root, name) => /** @type {HTMLElement} */ (root.querySelector(`[data-${name}]`))

/**
 * Translations of the texts in this file: `<template data-words><dt>Connected.<dd>Verbunden.`
 * @param {HTMLElement} root
 * @returns {Map<string, string>}
 */
function translationsOf(root) {
  const words = /** @type {HTMLTemplateElement | null} */ (root.querySelector('template[data-words]'))
  const terms = [...(words?.content.querySelectorAll('dt') ?? [])]
  return new Map(terms.map(term => [term.textContent ?? '', term.nextElementSibling?.textContent ?? '']))
}

/** @param {HTMLElement} root */
function createDisplay(root) {
  const translations = translationsOf(root)
  const write =
    (/** @type {string} */ name) =>
    (/** @type {string} */ text, /** @type {string | number} */ value = '') => {
      part(root, name).textContent = (translations.get(text) ?? text).replace('{0}', String(value))
      part(root, name).hidden = text === ''
    }
  return { state: write('state'), note: write('note'), problem: write('problem'), title: write('title') }
}

const TOKEN = /^#(?:(?:join_)?token=)?((?:jt|st)_.*)$/
const tokenInUrl = () => TOKEN.exec(decodeURIComponent(location.hash))?.[1] ?? ''

/** Browsers don't load a pasted link that differs in its fragment only. */
const reloadOnNewToken = () => addEventListener('hashchange', () => tokenInUrl() && location.reload())

/**
 * Reads the token from the fragment, which browsers don't send to servers, or from the form.
 * @param {HTMLElement} root
 * @param {(token: string) => void} onToken
 */
function withToken(root, onToken) {
  const form = /** @type {HTMLFormElement} */ (root.querySelector('form'))
  const stage = part(root, 'stage')
  const start = (/** @type {string} */ token) => {
    form.hidden = true
    stage.hidden = false
    onToken(token)
  }
  const token = tokenInUrl()
  if (token) return start(token)
  form.hidden = false
  form.addEventListener('submit', event => {
    event.preventDefault()
    start(String(new FormData(form).get('token')).trim())
  })
}

/**
 * @param {HTMLElement} root
 * @param {RoomClass} LarderRealtime
 * @param {string} token
 * @param {ReturnType<typeof createDisplay>} show
 */
function createRoom(root, LarderRealtime, token, show) {
  // `?relay` uses TURN only, which hides the IP addresses of peers.
  const relay = new URLSearchParams(location.search).has('relay')
  const room = new LarderRealtime({ token, rtc: relay ? { iceTransportPolicy: 'relay' } : {} })
  // For debugging in the browser's console.
  Object.assign(root, { room })
  const heading = root.querySelector('h1')?.textContent
  room.addEventListener('state', event => {
    const { state, reason } = /** @type {CustomEvent} */ (event).detail
    root.dataset.state = state
    show.state(STATES[state])
    if (state === 'connected') show.problem('')
    if (state !== 'closed') return
    show.note('')
    show.problem(reason === 'left' ? '' : (REASONS[reason] ?? `Closed: ${reason}`))
  })
  room.addEventListener('error', event => {
    const { code, message } = /** @type {CustomEvent} */ (event).detail
    show.problem(REASONS[code] ?? message)
  })
  room.addEventListener('session', event => {
    const { title, code } = /** @type {CustomEvent} */ (event).detail
    const name = title ?? code ?? ''
    show.title(name === heading ? '' : name)
  })
  return room
}

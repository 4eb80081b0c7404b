// @ts-check
/** The pages `/broadcast/{id}` and `/watch/{id}`. */
import { capture, release } from './larder-capture.js'

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

/** @typedef {(video: HTMLVideoElement, addresses: { whep: string, hls: string }, show: import('./larder-edge.js').Show) => void} Player */

/** Shown over the video when nothing plays. @type {[note: string, hint: string]} */
const NOT_STARTED = ["The broadcast hasn't started yet.", 'It starts automatically when the stream goes live.']
/** @type {[note: string, hint: string]} */
const STOPPED = ['The broadcast has stopped.', 'It continues automatically when the stream is live again.']

/**
 * @param {HTMLElement} root
 * @param {RoomClass} LarderRealtime
 * @param {Player} playEdge plays a public stream, which needs no token
 */
export function watchPage(root, LarderRealtime, playEdge) {
  const video = /** @type {HTMLVideoElement} */ (root.querySelector('video'))
  const show = createDisplay(root)
  const cover = (/** @type {string} */ note, hint = '') => {
    show.note(note)
    show.hint(hint)
    setPlaying(root, video, false)
  }
  const uncover = () => {
    show.note('')
    show.hint('')
    setPlaying(root, video, true)
  }
  const { whep, hls } = root.dataset
  reloadOnNewToken()
  if (whep && hls && tokenInUrl() === '') {
    part(root, 'stage').hidden = false
    playEdge(video, { whep, hls }, { playing: uncover, waiting: cover })
    return
  }
  withToken(root, token => {
    let hasStarted = false
    const room = createRoom(root, LarderRealtime, token, show)
    room.addEventListener('stream', event => {
      hasStarted = true
      video.srcObject = /** @type {CustomEvent} */ (event).detail.stream
      uncover()
      // NotAllowedError: playback needs a click. AbortError: another stream replaced this one.
      video.play().catch(error => error.name === 'NotAllowedError' && show.state('Press play to start.'))
    })
    room.addEventListener('peers', event => {
      const publishes = peersIn(event).some(peer => peer.role === 'publisher')
      // Media can continue while the publisher reconnects to the server.
      if (publishes || room.isConnectedToPeer) {
        show.note('')
        show.hint('')
      } else cover(...(hasStarted ? STOPPED : NOT_STARTED))
    })
    room.addEventListener('state', event => {
      const { state, reason } = /** @type {CustomEvent} */ (event).detail
      if (state !== 'closed') return
      cover(ENDINGS.has(reason) ? 'This stream has ended.' : '')
      if (ENDINGS.has(reason)) for (const text of [show.state, show.problem]) text('')
    })
    room.watch()
  })
}

const ENDINGS = new Set(['ended', 'session_ended'])

/** @param {HTMLElement} root @param {HTMLVideoElement} video @param {boolean} isPlaying */
function setPlaying(root, video, isPlaying) {
  part(root, 'stage').classList.toggle('playing', isPlaying)
  part(root, 'live').hidden = !isPlaying
  video.controls = isPlaying
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
      const element = root.querySelector(`[data-${name}]`)
      if (!(element instanceof HTMLElement)) return
      element.textContent = (translations.get(text) ?? text).replace('{0}', String(value))
      element.hidden = text === ''
    }
  return {
    ...{ state: write('state'), note: write('note'), hint: write('hint') },
    ...{ problem: write('problem'), title: write('title') },
  }
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

// @ts-check
/** The pages `/broadcast/{id}` and `/watch/{id}`. */
import { capture, devicesOf, release, showLevel } from './larder-capture.js'
import { openChat } from './larder-chat.js'
import { connectTopics } from './larder-topics.js'

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

/** @typedef {typeof import('./larder-edge.js')} Edge */
/**
 * @typedef {object} MediaRecord
 * @property {string} [whip_url]
 * @property {string} whep_url
 * @property {string} hls_url
 * @property {{ status: string, source: 'edge' | 'browser' | null, viewer_count: number | null }} [state] absent without a valid token
 */

/** Between two looks at where the stream is, while it doesn't play. */
const LOOK_MS = 3000

/** Shown over the video when nothing plays. @type {[note: string, hint: string]} */
const NOT_STARTED = ["The broadcast hasn't started yet.", 'It starts automatically when the stream goes live.']
/** @type {[note: string, hint: string]} */
const STOPPED = ['The broadcast has stopped.', 'It continues automatically when the stream is live again.']

/**
 * Plays the stream from where it is: the media server, or the browser that broadcasts it.
 * @param {HTMLElement} root `data-edge` if there is a media server, `data-public` for a public stream, `data-ended` for one that is over
 * @param {RoomClass} LarderRealtime
 * @param {Edge} edge
 */
export function watchPage(root, LarderRealtime, edge) {
  const hasEdge = 'edge' in root.dataset
  const viewer = createViewer(root, LarderRealtime)
  reloadOnNewToken()
  const isAnonymous = tokenInUrl() === ''
  if (isAnonymous && ('public' in root.dataset || 'ended' in root.dataset)) {
    part(root, 'stage').hidden = false
    viewer.openChat('')
    if ('ended' in root.dataset) viewer.over()
    else void follow(root, viewer, edge, '')
  } else
    withToken(root, 'viewer', token => {
      viewer.openChat(token)
      void (hasEdge ? follow(root, viewer, edge, token) : viewer.watchBrowser(token))
    })
}

/** @param {HTMLElement} root @param {RoomClass} LarderRealtime */
function createViewer(root, LarderRealtime) {
  const video = /** @type {HTMLVideoElement} */ (root.querySelector('video'))
  const show = createDisplay(root)
  const cover = (/** @type {string} */ note, hint = '') => {
    show.note(note)
    show.hint(hint)
    setPlaying(root, video, false)
  }
  const playing = () => {
    show.note('')
    show.hint('')
    show.state('')
    show.problem('')
    setPlaying(root, video, true)
  }

  let chat = { end() {} }
  const over = () => {
    cover('This stream has ended.')
    chat.end()
  }

  /**
   * Plays from the browser that broadcasts. Resolves when the session is over for this viewer, or `mayLeave` resolves
   * to true while nobody broadcasts.
   * @param {string} token
   * @param {() => Promise<boolean>} [mayLeave]
   * @returns {Promise<'closed' | 'left'>}
   */
  const watchBrowser = (token, mayLeave) =>
    new Promise(resolve => {
      let hasStarted = false
      let publishes = false
      const room = createRoom(root, LarderRealtime, token, show)
      room.addEventListener('stream', event => {
        hasStarted = true
        video.srcObject = /** @type {CustomEvent} */ (event).detail.stream
        show.note('')
        show.hint('')
        setPlaying(root, video, true)
        // NotAllowedError: playback needs a click. AbortError: another stream replaced this one.
        video.play().catch(error => error.name === 'NotAllowedError' && show.state('Press play to start.'))
      })
      room.addEventListener('peers', event => {
        publishes = peersIn(event).some(peer => peer.role === 'publisher')
        // Media can continue while the publisher reconnects to the server.
        if (publishes || room.isConnectedToPeer) {
          show.note('')
          show.hint('')
        } else cover(...(hasStarted ? STOPPED : NOT_STARTED))
      })
      const looks =
        mayLeave &&
        setInterval(async () => {
          if (publishes || room.isConnectedToPeer || !(await mayLeave()) || room.state === 'closed') return
          clearInterval(looks)
          resolve('left')
          room.close()
        }, LOOK_MS)
      room.addEventListener('state', event => {
        const { state, reason } = /** @type {CustomEvent} */ (event).detail
        if (state !== 'closed') return
        clearInterval(looks)
        resolve('closed')
        if (reason === 'left') return
        if (ENDINGS.has(reason)) {
          over()
          for (const text of [show.state, show.problem]) text('')
        } else {
          cover('')
          part(root, 'stage').hidden = true
        }
      })
      room.watch()
    })
  return {
    ...{ video, show, cover, over, playing, watchBrowser },
    openChat(/** @type {string} */ token) {
      chat = openChat(root, { token, workspace: root.dataset.workspace ?? '' })
    },
  }
}

/**
 * @param {HTMLElement} root
 * @param {ReturnType<typeof createViewer>} viewer
 * @param {Edge} edge
 * @param {string} token empty for a public stream
 */
async function follow(root, viewer, edge, token) {
  const { video, show, cover, over, playing } = viewer
  const read = () => readMedia(root.dataset.id ?? '', token)
  const fail = (/** @type {string} */ problem) => {
    cover('')
    part(root, 'stage').hidden = true
    show.problem(problem)
    root.dataset.state = 'closed'
  }
  cover('Connecting…')
  const changes = followChanges(root.dataset.id ?? '', token)
  try {
    await play()
  } finally {
    changes.close()
  }

  async function play() {
    for (let hasPlayed = false; ; ) {
      const record = await read()
      const { state } = record ?? {}
      let pause = LOOK_MS
      if (!record) cover('Connection lost. Reconnecting…')
      else if (!state && token !== '')
        return fail(hasPlayed ? 'Your access was revoked.' : 'This link is invalid. Ask for a new one.')
      else if (!state || FINISHED.has(state.status)) return over()
      else if ('accept' in root.dataset && state.status === 'created') cover('Waiting for the session to be accepted…')
      else if (state.source === 'edge') {
        const source = { whep: record.whep_url, hls: record.hls_url, token, signal: changes.ended }
        const result = await edge.playEdge(video, source, {
          playing() {
            hasPlayed = true
            root.dataset.state = 'connected'
            playing()
            video.play().catch(error => error.name === 'NotAllowedError' && show.state('Press play to start.'))
          },
          connected: statistics => Object.assign(root, { room: statistics }),
        })
        if (result === 'refused' && token !== '')
          return fail('This link has reached its usage limit. Ask for a new one.')
        cover(...(EDGE_NOTES[result] ?? (hasPlayed ? STOPPED : NOT_STARTED)))
        if (result === 'ended') pause = LOOK_MS / 10
      } else if (state.source === 'browser') {
        const isElsewhere = async () => (await read())?.state?.source === 'edge'
        const own = token || (await createVisitorToken(root.dataset.id ?? ''))
        if (own === '') cover("This stream isn't available right now.")
        else if ((await viewer.watchBrowser(own, isElsewhere)) === 'closed') return
        else hasPlayed = true
      } else cover(...(hasPlayed ? STOPPED : token === '' ? OFFLINE : NOT_STARTED))
      await Promise.race([changes.next(), new Promise(resolve => setTimeout(resolve, pause))])
    }
  }
}

const FINISHED = new Set(['ended', 'expired'])
/**
 * Changes of the status and live status of a stream. Without them, for example behind a proxy that refuses sockets, the
 * page looks at the media record from time to time.
 * @param {string} id
 * @param {string} token empty for a public stream
 */
function followChanges(id, token) {
  const ended = new AbortController()
  let hasChanged = false
  let resume = () => {}
  const wake = () => {
    hasChanged = true
    resume()
  }
  const params = { stream_id: id, ...(token !== '' && { join_token: token }) }
  const receive = (/** @type {any} */ { change, status }) => {
    if (change === 'status' && FINISHED.has(status)) ended.abort()
    wake()
  }
  const topics = connectTopics({ anonymous: true })
  topics.subscribe('streams.public', params, receive, { onActive: wake, onGap: wake })
  return {
    ended: ended.signal,
    /** Resolves at the first change since it resolved last. */
    async next() {
      if (!hasChanged)
        await new Promise(resolve => {
          resume = () => resolve(undefined)
        })
      hasChanged = false
    },
    close: () => topics.close(),
  }
}

/** @param {string} id of a public stream @returns {Promise<string>} empty if it can't be created */
async function createVisitorToken(id) {
  try {
    const response = await fetch(`/v1/streams/public/${encodeURIComponent(id)}/tokens`, { method: 'POST' })
    return response.ok ? (await response.json()).token : ''
  } catch {
    return ''
  }
}

/** @type {[note: string, hint: string]} */
const OFFLINE = ['This stream is offline right now.', 'It starts automatically when the stream goes live.']
/** @type {Partial<Record<import('./larder-edge.js').Result, [note: string]>>} */
const EDGE_NOTES = {
  ended: ['Connection lost. Reconnecting…'],
  refused: ['Connection lost. Reconnecting…'],
  unreachable: ["This stream isn't available right now."],
}

/** @param {string} id @param {string} token @returns {Promise<MediaRecord | undefined>} undefined if the server can't be reached */
async function readMedia(id, token) {
  const query = token === '' ? '' : `?join_token=${encodeURIComponent(token)}`
  try {
    const response = await fetch(`/v1/streams/${encodeURIComponent(id)}/media${query}`, { cache: 'no-store' })
    // Nobody gets to know which streams exist.
    if (response.status === 404) return { whep_url: '', hls_url: '' }
    return response.ok ? await response.json() : undefined
  } catch {
    return undefined
  }
}

const ENDINGS = new Set(['ended', 'session_ended'])

/** @param {HTMLElement} root @param {HTMLVideoElement} video @param {boolean} isPlaying */
function setPlaying(root, video, isPlaying) {
  part(root, 'stage').classList.toggle('playing', isPlaying)
  part(root, 'live').hidden = !isPlaying
  video.controls = isPlaying
}

/** Why a capture failed, in words. @type {Record<string, string>} */
const CAPTURE_PROBLEMS = {
  NotAllowedError:
    "Your browser doesn't let this page use the camera and the microphone. Allow both in its address bar, then try again.",
  NotFoundError: 'No camera and no microphone were found. Connect one, or share the screen.',
  NotReadableError: 'Another program uses the camera or the microphone. Close it, then try again.',
  OverconstrainedError: 'This device is gone. Choose another one.',
  SecurityError: 'Browsers give cameras and screens to pages with HTTPS only. Open this page by https.',
}
const NO_SCREEN = 'No screen was chosen. Choose a screen or a window to share it.'

/**
 * Shows what is captured, and broadcasts it when the person goes live: through the media server if there is one and the
 * person chooses it, otherwise to the viewers directly.
 * @param {HTMLElement} root
 * @param {RoomClass} LarderRealtime
 * @param {Edge} edge
 */
export function broadcastPage(root, LarderRealtime, edge) {
  const video = /** @type {HTMLVideoElement} */ (root.querySelector('video'))
  const stop = /** @type {HTMLButtonElement} */ (root.querySelector('[data-stop]'))
  const go = /** @type {HTMLButtonElement} */ (root.querySelector('[data-go]'))
  const show = createDisplay(root)
  reloadOnNewToken()
  offerShare(root)
  withToken(root, 'publisher', async token => {
    const chat = openChat(root, { token, workspace: root.dataset.workspace ?? '' })
    root.addEventListener('larder:over', () => chat.end())
    const record = 'edge' in root.dataset ? await readMedia(root.dataset.id ?? '', token) : undefined
    const ways = root.querySelector('fieldset')
    if (ways) ways.hidden = record?.whip_url === undefined
    const showViewers = (/** @type {number} */ viewers) =>
      show.note(viewers === 1 ? '1 viewer' : '{0} viewers', viewers)
    /** @type {Sender | undefined} */
    let sender
    const preview = createPreview(root, video, show)
    const showSteps = () => {
      const isLive = sender !== undefined
      go.hidden = isLive
      go.disabled = !preview.media()
      stop.hidden = part(root, 'live').hidden = !isLive
      part(root, 'stage').classList.toggle('playing', preview.media() !== undefined)
      if (ways) ways.disabled = isLive
    }
    const end = () => {
      preview.close()
      sender?.close()
      sender = undefined
      showSteps()
    }
    const createSender = () =>
      ways && !ways.hidden && new FormData(/** @type {HTMLFormElement} */ (ways.form)).get('way') === 'edge'
        ? edgeSender(root, edge, { whip: record?.whip_url ?? '', token, show, showViewers, end })
        : browserSender(root, LarderRealtime, { token, show, showViewers, end })
    stop.addEventListener('click', end)
    go.addEventListener('click', () => {
      const media = preview.media()
      if (!media) return
      show.problem('')
      sender = createSender()
      sender.send(media)
      showSteps()
      stop.focus()
    })
    preview.onChange(media => {
      if (media && sender) sender.send(media)
      else if (!media) end()
      showSteps()
    })
    showSteps()
  })
}

/**
 * The chosen source: its picture, its sound, and the devices to choose from.
 * @param {HTMLElement} root
 * @param {HTMLVideoElement} video
 * @param {ReturnType<typeof createDisplay>} show
 */
function createPreview(root, video, show) {
  const selects = /** @type {HTMLSelectElement[]} */ ([...root.querySelectorAll('[data-device]')])
  const [camera, microphone] = selects
  const meter = /** @type {HTMLMeterElement} */ (root.querySelector('meter'))
  const sources = /** @type {HTMLElement[]} */ ([...root.querySelectorAll('[data-source]')])
  /** @type {(media: MediaStream | undefined) => void} */
  let changed = () => {}
  let stopMeter = () => {}
  const media = () => (video.srcObject instanceof MediaStream ? video.srcObject : undefined)
  const mark = (/** @type {string} */ source) => {
    for (const button of sources) button.setAttribute('aria-pressed', String(button.dataset.source === source))
    part(root, 'devices').hidden = source !== 'camera'
  }
  const close = () => {
    stopMeter()
    release(video)
    video.hidden = true
    part(root, 'level').hidden = true
    mark('')
  }
  const open = async (/** @type {string} */ source) => {
    try {
      const found = await capture(source, { camera: camera?.value ?? '', microphone: microphone?.value ?? '' })
      stopMeter()
      release(video)
      video.srcObject = found
      video.hidden = false
      // Cameras of computers don't say which way they look.
      const looksAway = found.getVideoTracks()[0]?.getSettings().facingMode === 'environment'
      video.classList.toggle('mirrored', source === 'camera' && !looksAway)
      part(root, 'level').hidden = found.getAudioTracks().length === 0
      stopMeter = showLevel(found, meter)
      mark(source)
      show.problem('')
      if (source === 'camera') await listDevices(found)
      found.getVideoTracks()[0]?.addEventListener('ended', () => {
        if (media() !== found) return
        close()
        changed(undefined)
      })
      changed(found)
    } catch (error) {
      const name = error instanceof DOMException ? error.name : ''
      if (source === 'screen' && name === 'NotAllowedError') show.problem(NO_SCREEN)
      else if (CAPTURE_PROBLEMS[name]) show.problem(CAPTURE_PROBLEMS[name] ?? '')
      else show.problem("Couldn't start capture: {0}", error instanceof Error ? error.message : String(error))
    }
  }
  /** @param {MediaStream} found */
  async function listDevices(found) {
    for (const select of selects) {
      const kind = /** @type {MediaDeviceKind} */ (select.dataset.device)
      const used = found.getTracks().map(track => track.getSettings().deviceId)
      const devices = await devicesOf(kind)
      select.replaceChildren(
        ...devices.map(({ deviceId, label }, at) => {
          const isUsed = used.includes(deviceId)
          return new Option(label || String(at + 1), deviceId, isUsed, isUsed)
        }),
      )
      const field = /** @type {HTMLElement} */ (select.closest('.field'))
      field.hidden = devices.length === 0
    }
  }
  for (const button of sources) button.addEventListener('click', () => void open(button.dataset.source ?? ''))
  for (const select of selects) select.addEventListener('change', () => void open('camera'))
  return {
    media,
    close,
    onChange: (/** @type {typeof changed} */ listener) => {
      changed = listener
    },
  }
}

/** @typedef {{ send(media: MediaStream): void, close(): void }} Sender */
/** @typedef {{ token: string, show: ReturnType<typeof createDisplay>, showViewers: (count: number) => void, end: () => void }} SenderOptions */

/** @param {HTMLElement} root @param {RoomClass} LarderRealtime @param {SenderOptions} options @returns {Sender} */
function browserSender(root, LarderRealtime, { token, show, showViewers, end }) {
  const room = createRoom(root, LarderRealtime, token, show)
  room.addEventListener('peers', event => showViewers(peersIn(event).filter(peer => peer.role === 'viewer').length))
  room.addEventListener('state', event => {
    if (/** @type {CustomEvent} */ (event).detail.state === 'closed') end()
  })
  return { send: media => room.publish(media), close: () => room.close() }
}

/** @param {HTMLElement} root @param {Edge} edge @param {SenderOptions & { whip: string }} options @returns {Sender} */
function edgeSender(root, edge, { whip, token, show, showViewers, end }) {
  /** @type {import('./larder-edge.js').EdgePublisher | undefined} */
  let publisher
  const looks = setInterval(async () => {
    const { state } = (await readMedia(root.dataset.id ?? '', token)) ?? {}
    if (state && FINISHED.has(state.status)) {
      end()
      root.dispatchEvent(new Event('larder:over'))
      show.problem('The session has ended.')
    } else if (state && publisher) showViewers(state.viewer_count ?? 0)
  }, LOOK_MS)
  const close = () => {
    clearInterval(looks)
    publisher?.close()
    publisher = undefined
    show.state('Not connected.')
    show.note('')
    root.dataset.state = 'closed'
  }
  return {
    close,
    send(media) {
      if (publisher) return publisher.replace(media)
      publisher = new edge.EdgePublisher({ whip, token, media })
      Object.assign(root, { room: publisher })
      publisher.addEventListener('state', event => {
        const { state } = /** @type {CustomEvent} */ (event).detail
        root.dataset.state = state
        show.state(STATES[state] ?? '')
        if (state !== 'refused') return
        end()
        show.problem('This link is invalid or has reached its usage limit. Ask for a new one.')
      })
    },
  }
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
    problem: write('problem'),
  }
}

const TOKEN = /^#(?:(?:join_)?token=)?((?:jt|st)_.*)$/
const tokenInUrl = () => TOKEN.exec(decodeURIComponent(location.hash))?.[1] ?? ''

/** Browsers don't load a pasted link that differs in its fragment only. */
const reloadOnNewToken = () => addEventListener('hashchange', () => tokenInUrl() && location.reload())

/** Lifetime of the tokens that the pages create for signed-in members. */
const OWN_TOKEN_SECONDS = 12 * 3600

/**
 * Creates a token with the rights of the signed-in person. The tab keeps it, so that a reload needs no other.
 * @param {HTMLElement} root `data-workspace` is the ID of the stream's workspace
 * @param {'publisher' | 'viewer'} role
 * @param {{ label: string, ttl_seconds?: number }} more
 * @returns {Promise<string>} empty if it can't be created
 */
async function createToken(root, role, more) {
  const { id = '', workspace = '' } = root.dataset
  const key = `larder.stream.${id}.${role}.${more.label}`
  const kept = sessionStorage.getItem(key)
  const record = kept === null ? undefined : await readMedia(id, kept)
  if (kept !== null && (role === 'publisher' ? record?.whip_url : record?.state)) return kept
  try {
    const response = await fetch(`/v1/streams/${encodeURIComponent(id)}/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tenant-id': workspace },
      body: JSON.stringify({ role, ...more }),
    })
    if (!response.ok) return ''
    const { token } = await response.json()
    sessionStorage.setItem(key, token)
    return token
  } catch {
    return ''
  }
}

/**
 * The dialog with the link for viewers, the embed code and the address for OBS.
 * @param {HTMLElement} root
 */
function offerShare(root) {
  const dialog = root.querySelector('dialog')
  if (!dialog) return
  const { id = '' } = root.dataset
  const path = encodeURIComponent(id)
  const words = translationsOf(root)
  const fill = (/** @type {string} */ name, /** @type {string} */ value) => {
    const field = /** @type {HTMLInputElement} */ (dialog.querySelector(`#share-${name}`))
    field.value = value
  }
  const showProblem = (/** @type {boolean} */ failed) => {
    part(dialog, 'share-problem').hidden = !failed
  }
  const label = (/** @type {string} */ text) => ({ label: words.get(text) ?? text })
  const open = part(root, 'share')
  open.hidden = false
  open.addEventListener('click', async () => {
    dialog.showModal()
    const token = 'public' in root.dataset ? '' : await createToken(root, 'viewer', label('Shared link'))
    showProblem(token === '' && !('public' in root.dataset))
    if (token === '' && !('public' in root.dataset)) return
    const fragment = token && `#${token}`
    fill('link', `${location.origin}/watch/${path}${fragment}`)
    const source = `${location.origin}/embed/${path}${fragment}`
    fill('embed', `<iframe src="${source}" width="960" height="540" allow="autoplay; fullscreen"></iframe>`)
  })
  part(dialog, 'close').addEventListener('click', () => dialog.close())
  dialog.querySelector('[data-obs]')?.addEventListener('click', async () => {
    const token = await createToken(root, 'publisher', label('OBS'))
    const address = token && (await readMedia(id, token))?.whip_url
    showProblem(!address)
    if (!address) return
    fill('whip', address)
    fill('key', token)
    part(dialog, 'obs-offer').hidden = true
    part(dialog, 'obs-address').hidden = false
  })
}

/**
 * Reads the token from the fragment, which browsers don't send to servers, creates one with the rights of the person, or
 * takes it from the form.
 * @param {HTMLElement} root
 * @param {'publisher' | 'viewer'} role
 * @param {(token: string) => void} onToken
 */
async function withToken(root, role, onToken) {
  const form = /** @type {HTMLFormElement} */ (root.querySelector('form'))
  const stage = part(root, 'stage')
  const start = (/** @type {string} */ token) => {
    form.hidden = true
    stage.hidden = false
    onToken(token)
  }
  const own = { label: translationsOf(root).get('Browser') ?? 'Browser', ttl_seconds: OWN_TOKEN_SECONDS }
  const token = tokenInUrl() || ('workspace' in root.dataset ? await createToken(root, role, own) : '')
  if (token !== '') return start(token)
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
  // Somebody who debugs in the browser's console finds the room here.
  Object.assign(root, { room })
  const heading = root.querySelector('h1')
  room.addEventListener('state', event => {
    const { state, reason } = /** @type {CustomEvent} */ (event).detail
    root.dataset.state = state
    show.state(STATES[state])
    if (state === 'connected') show.problem('')
    if (state !== 'closed') return
    if (ENDINGS.has(reason)) root.dispatchEvent(new Event('larder:over'))
    show.note('')
    show.problem(reason === 'left' ? '' : (REASONS[reason] ?? `Closed: ${reason}`))
  })
  room.addEventListener('error', event => {
    const { code, message } = /** @type {CustomEvent} */ (event).detail
    show.problem(REASONS[code] ?? message)
  })
  room.addEventListener('session', event => {
    const { title } = /** @type {CustomEvent} */ (event).detail
    if (heading && title) heading.textContent = title
  })
  return room
}

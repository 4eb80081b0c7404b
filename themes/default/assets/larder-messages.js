// @ts-check
/** The page `/messages/{id}`: new messages, older ones on scroll, typing and read state. */

import { connectTopics } from './larder-topics.js'

const REFRESH_DELAY_MS = 100
/** A typing frame counts for this time. Frames are sent at most every second. */
const TYPING_MS = 4000
const TYPING_INTERVAL_MS = 1000

/** @param {HTMLElement} thread */
export function conversationPage(thread) {
  const list = part(thread, '.chat-list')
  const { id = '', tenant = '', user = '' } = thread.dataset
  const refresh = createRefresh(thread, list)
  const typing = createTyping(thread, user)
  for (const message of list.querySelectorAll('article')) sources.set(message.id, sourceOf(message))
  arrange(list)
  enableOlder(thread, list)
  markAsRead(thread)
  document.addEventListener('visibilitychange', () => markAsRead(thread))
  const receive = (/** @type {any} */ change) => {
    if (change.type === 'typing') return typing.show(change.data.userId)
    if (change.type === 'message.created') typing.clear()
    refresh()
  }
  // Messages may have arrived since the server rendered the page, and others read them during a disconnect.
  const missed = { onActive: refresh, onGap: refresh }
  const topics = connectTopics({ tenant })
  const conversation = topics.subscribe('messaging.conversation', { conversationId: id }, receive, missed)
  // Without a connection, others don't see that somebody types.
  enableForm(input => conversation.send(input).catch(() => {}))
}

/** @param {ParentNode} root @param {string} selector */
const part = (root, selector) => /** @type {HTMLElement} */ (root.querySelector(selector))

const isOlderPage = () => new URLSearchParams(location.search).has('before')

/** @param {string} address */
async function readThread(address) {
  const response = await fetch(address, { headers: { accept: 'text/html' }, cache: 'no-store' }).catch(() => null)
  if (!response?.ok) return null
  return new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('#thread')
}

/**
 * Reads the page again and adds what has changed. Older messages that are already loaded stay. Runs once at a time, so
 * that an older answer can't replace a newer one; a change during a run starts another.
 */
function createRefresh(/** @type {HTMLElement} */ thread, /** @type {HTMLElement} */ list) {
  let isRunning = false
  let isChanged = false
  return async () => {
    isChanged = true
    // A page of older messages has no newest one.
    if (isRunning || isOlderPage()) return
    isRunning = true
    while (isChanged) {
      await new Promise(resolve => setTimeout(resolve, REFRESH_DELAY_MS))
      isChanged = false
      const fresh = await readThread(location.pathname)
      if (fresh) update(thread, list, fresh)
    }
    isRunning = false
  }
}

/**
 * Messages as the server sent them, by their IDs, because `arrange` changes the elements.
 * @type {Map<string, string>}
 */
const sources = new Map()

/** Without the times, which scripts write in the zone of the reader. @param {Element} message */
function sourceOf(message) {
  const copy = /** @type {Element} */ (message.cloneNode(true))
  for (const time of copy.querySelectorAll('time')) time.replaceWith(time.dateTime)
  return copy.outerHTML
}

/** @param {HTMLElement} thread @param {HTMLElement} list @param {Element} fresh */
function update(thread, list, fresh) {
  const added = []
  const seen = part(list, '[data-seen]')
  for (const message of fresh.querySelectorAll('article')) {
    const source = sourceOf(message)
    if (sources.get(message.id) === source) continue
    sources.set(message.id, source)
    const known = list.querySelector(`#${message.id}`)
    if (known) known.replaceWith(message)
    else {
      seen.before(message)
      if (!message.classList.contains('mine')) added.push(message)
    }
  }
  list.querySelector('.empty')?.remove()
  seen.textContent = part(fresh, '[data-seen]').textContent
  for (const selector of ['.chat-head', '[data-read]']) replacePart(thread, fresh, selector)
  arrange(list)
  if (added.length > 0) announce(thread, added)
  markAsRead(thread)
}

/** Screen readers get the new messages only. @param {HTMLElement} thread @param {Element[]} messages */
function announce(thread, messages) {
  part(thread, '[data-announce]').replaceChildren(
    ...messages.map(message => {
      const line = document.createElement('p')
      line.textContent = ['[data-sender]', '[data-text]']
        .map(selector => message.querySelector(selector)?.textContent)
        .join(': ')
      return line
    }),
  )
}

/** @param {HTMLElement} thread @param {Element} fresh @param {string} selector */
function replacePart(thread, fresh, selector) {
  const [before, after] = [thread.querySelector(selector), fresh.querySelector(selector)]
  if (before?.contains(document.activeElement)) return
  if (before && after) before.replaceWith(after)
  else if (before) before.remove()
  else if (after) thread.append(after)
}

/** Groups the messages by the days of the reader's time zone. @param {HTMLElement} list */
function arrange(list) {
  const { lang } = document.documentElement
  const days = new Intl.DateTimeFormat(lang, { dateStyle: 'full' })
  const times = new Intl.DateTimeFormat(lang, { timeStyle: 'short' })
  for (const day of list.querySelectorAll('.chat-day')) day.remove()
  let last = ''
  for (const message of list.querySelectorAll('article')) {
    const time = /** @type {HTMLTimeElement} */ (part(message, 'time'))
    const at = new Date(time.dateTime)
    const day = days.format(at)
    time.title = day
    time.textContent = times.format(at)
    if (day === last) continue
    last = day
    const heading = document.createElement('p')
    heading.className = 'chat-day'
    heading.textContent = day
    message.before(heading)
    message.classList.remove('continued')
  }
  document.dispatchEvent(new Event('larder:content'))
}

/** Loads older messages when the start of the list becomes visible. */
function enableOlder(/** @type {HTMLElement} */ thread, /** @type {HTMLElement} */ list) {
  const observer = new IntersectionObserver(
    async entries => {
      const entry = entries.find(({ isIntersecting }) => isIntersecting)
      const link = entry?.target.querySelector('a')
      if (!entry || !link) return
      observer.unobserve(entry.target)
      const older = await readThread(link.href)
      if (!older) return
      entry.target.remove()
      // The list keeps its distance from the end.
      list.prepend(...older.querySelectorAll('.chat-older, article'))
      arrange(list)
      watch()
    },
    { root: thread.querySelector('.chat') },
  )
  const watch = () => {
    const older = list.querySelector('.chat-older')
    if (older) observer.observe(older)
  }
  watch()
}

/** @param {HTMLElement} thread */
async function markAsRead(thread) {
  const form = /** @type {HTMLFormElement | null} */ (thread.querySelector('form[data-read]'))
  if (!form || document.hidden || isOlderPage()) return
  const seq = String(new FormData(form).get('seq'))
  form.remove()
  await fetch(form.action, { method: 'POST', body: new URLSearchParams({ seq }), redirect: 'manual' }).catch(() => {})
}

/** @param {HTMLElement} thread @param {string} ownId */
function createTyping(thread, ownId) {
  const line = part(thread, '[data-typing]')
  const names = /** @type {HTMLTemplateElement} */ (thread.querySelector('template[data-names]'))
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const clear = () => {
    line.textContent = ''
  }
  return {
    clear,
    show(/** @type {string} */ userId) {
      const term = [...names.content.querySelectorAll('dt')].find(({ textContent }) => textContent === userId)
      if (!term || userId === ownId) return
      line.textContent = term.nextElementSibling?.textContent ?? ''
      clearTimeout(timer)
      timer = setTimeout(clear, TYPING_MS)
    },
  }
}

/** @param {(input: object) => void} send */
function enableForm(send) {
  const field = document.querySelector('.chat-form textarea')
  let sentAt = 0
  field?.addEventListener('input', () => {
    if (Date.now() - sentAt < TYPING_INTERVAL_MS) return
    sentAt = Date.now()
    send({ type: 'typing' })
  })
  field?.addEventListener('keydown', event => {
    const { key, ctrlKey, metaKey } = /** @type {KeyboardEvent} */ (event)
    if (key === 'Enter' && (ctrlKey || metaKey)) field.closest('form')?.requestSubmit()
  })
}

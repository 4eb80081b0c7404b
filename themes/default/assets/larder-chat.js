// @ts-check
/** The chat beside a stream, on the pages `/watch/{id}` and `/broadcast/{id}`. */
import { connectTopics } from './larder-topics.js'

/** @typedef {{ id: string, name: string | null, guest: boolean, host: boolean, body: string, created_at: string }} Message */
/** @typedef {{ token: string, workspace: string }} Access `token` and `workspace` may be empty */

/** Between two attempts to read the chat of a stream that waits to be accepted, or without a connection. */
const RETRY_MS = 3000
/** Messages that the page keeps. */
const MAX_SHOWN = 500
const NAME_KEY = 'larder.chat.name'

/**
 * Shows the chat to those who may read it. Without messaging in the recipe, the page has none.
 * @param {HTMLElement} root `data-id` is the ID of the stream
 * @param {Access} access
 * @returns {{ end(): void }} `end` when the stream is over: the messages stay
 */
export function openChat(root, access) {
  const panel = /** @type {HTMLElement | null} */ (root.querySelector('[data-chat]'))
  if (!panel) return { end() {} }
  const chat = createChat(panel, `/v1/streams/${encodeURIComponent(root.dataset.id ?? '')}/chat`, access)
  void follow(root, chat, access)
  return chat
}

/** @param {HTMLElement} root @param {ReturnType<typeof createChat>} chat @param {Access} access */
async function follow(root, chat, { token }) {
  for (let refusals = 0; ; ) {
    const answer = await chat.read()
    if (answer === 'read') break
    // Between the last use of a token and the connection that it opens, the token opens nothing.
    if (answer === 'refused' && ++refusals > 1) return
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
  const params = { stream_id: root.dataset.id ?? '', ...(token !== '' && { join_token: token }) }
  const topics = connectTopics({ anonymous: true })
  const refresh = () => void chat.read()
  const receive = (/** @type {any} */ change) =>
    change.change === 'created' ? chat.add([change.message]) : chat.drop(change.id)
  topics.subscribe('streams.chat', params, receive, { onActive: refresh, onGap: refresh })
}

/** @param {HTMLElement} panel @param {string} address @param {Access} access */
function createChat(panel, address, { token, workspace }) {
  const list = part(panel, 'messages')
  const form = /** @type {HTMLFormElement} */ (panel.querySelector('form'))
  const nameField = /** @type {HTMLInputElement} */ (form.elements.namedItem('name'))
  const bodyField = /** @type {HTMLInputElement} */ (form.elements.namedItem('body'))
  const template = /** @type {HTMLTemplateElement} */ (panel.querySelector('template[data-message]'))
  const words = wordsOf(panel)
  const times = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'short' })
  const isSignedIn = 'signedIn' in panel.dataset
  let mayModerate = 'host' in panel.dataset && (isSignedIn || !token.startsWith('jt_'))
  const headers = workspace === '' ? {} : { 'x-tenant-id': workspace }
  const query = token === '' ? '' : `?join_token=${encodeURIComponent(token)}`
  /** Removed messages, which an older answer may still have. @type {Set<string>} */
  const removed = new Set()
  form.hidden = !isSignedIn && token === ''
  part(panel, 'sign-in').hidden = !form.hidden
  part(panel, 'guest').hidden = isSignedIn
  nameField.required = !isSignedIn
  nameField.value = isSignedIn ? '' : (sessionStorage.getItem(NAME_KEY) ?? '')
  const fail = (/** @type {string} */ text) => {
    const element = part(panel, 'chat-problem')
    element.textContent = words.get(text) ?? text
    element.hidden = text === ''
  }

  function show(/** @type {Message} */ message) {
    const element = /** @type {HTMLElement} */ (
      /** @type {DocumentFragment} */ (template.content.cloneNode(true)).firstElementChild
    )
    const name = message.name ?? words.get('Without a name') ?? ''
    element.dataset.message = message.id
    part(element, 'name').textContent = name
    part(element, 'host').hidden = !message.host
    part(element, 'guest-mark').hidden = !message.guest
    part(element, 'text').textContent = message.body
    const time = /** @type {HTMLTimeElement} */ (element.querySelector('time'))
    time.dateTime = message.created_at
    time.textContent = times.format(new Date(message.created_at))
    const button = part(element, 'remove')
    button.hidden = !mayModerate
    button.setAttribute('aria-label', (words.get('Remove the message of {0}') ?? '').replace('{0}', name))
    button.addEventListener('click', async () => {
      const response = await fetch(`${address}/${message.id}${query}`, { method: 'DELETE', headers }).catch(() => null)
      if (response?.ok || response?.status === 404) drop(message.id)
      // A join token broadcasts, and doesn't remove messages.
      else if (response?.status === 403) {
        mayModerate = false
        for (const each of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('[data-remove]')))
          each.hidden = true
      }
    })
    return element
  }

  /** @param {readonly Message[]} messages in any order */
  function add(messages) {
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40
    for (const message of messages) {
      if (removed.has(message.id) || list.querySelector(`[data-message="${message.id}"]`)) continue
      const elements = /** @type {HTMLElement[]} */ ([...list.children])
      const next = elements.find(({ dataset }) => (dataset.message ?? '') > message.id)
      list.insertBefore(show(message), next ?? null)
    }
    while (list.children.length > MAX_SHOWN) list.firstElementChild?.remove()
    settle()
    if (isAtEnd) list.scrollTop = list.scrollHeight
  }
  function drop(/** @type {string} */ id) {
    removed.add(id)
    list.querySelector(`[data-message="${id}"]`)?.remove()
    settle()
  }
  const settle = () => {
    part(panel, 'empty').hidden = list.children.length > 0
  }

  form.addEventListener('submit', async event => {
    event.preventDefault()
    const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'))
    const body = bodyField.value.trim()
    if (body === '' || button.disabled) return
    button.disabled = true
    if (!isSignedIn) sessionStorage.setItem(NAME_KEY, nameField.value.trim())
    const response = await fetch(address, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        body,
        ...(!isSignedIn && { name: nameField.value.trim() }),
        ...(token !== '' && { join_token: token }),
      }),
    }).catch(() => null)
    button.disabled = false
    const answer = await response?.json().catch(() => null)
    if (response?.ok) {
      bodyField.value = ''
      fail('')
      add([answer])
      list.scrollTop = list.scrollHeight
    } else if (response?.status === 409) end()
    else if (response?.status === 429) fail('You write too fast. Wait a moment.')
    else fail(answer?.errors?.[0]?.message ?? answer?.detail ?? 'The message could not be sent. Please try again.')
    bodyField.focus()
  })

  function end() {
    form.hidden = true
    part(panel, 'sign-in').hidden = true
    part(panel, 'over').hidden = false
  }

  return {
    add,
    drop,
    end,
    /** Reads the newest messages. @returns {Promise<'read' | 'refused' | 'later'>} */
    async read() {
      const shown = /** @type {HTMLElement[]} */ ([...list.children]).map(({ dataset }) => dataset.message ?? '')
      const response = await fetch(`${address}${query}`, { headers, cache: 'no-store' }).catch(() => null)
      const answer = response?.ok ? await response.json().catch(() => null) : null
      if (answer) {
        /** @type {Message[]} */
        const found = answer.data
        const known = new Set(found.map(({ id }) => id))
        const oldest = answer.next_cursor === null ? '' : (found.at(-1)?.id ?? '')
        // Messages that were removed while there was no connection.
        for (const id of shown) if (id > oldest && !known.has(id)) drop(id)
        panel.hidden = false
        add(found)
        return 'read'
      }
      return response && response.status >= 400 && response.status < 500 && ![409, 429].includes(response.status)
        ? 'refused'
        : 'later'
    },
  }
}

/** @param {ParentNode} root @param {string} name */
const part = (root, name) => /** @type {HTMLElement} */ (root.querySelector(`[data-${name}]`))

/** @param {HTMLElement} panel @returns {Map<string, string>} */
function wordsOf(panel) {
  const template = /** @type {HTMLTemplateElement | null} */ (panel.querySelector('template[data-chat-words]'))
  const terms = [...(template?.content.querySelectorAll('dt') ?? [])]
  return new Map(terms.map(term => [term.textContent ?? '', term.nextElementSibling?.textContent ?? '']))
}

// @ts-check
/** Follows one topic of the realtime socket `/v1/realtime`. Connects again when the connection is lost. */

const MIN_RETRY_MS = 500
const MAX_RETRY_MS = 10_000

/**
 * @typedef {object} Topic
 * @property {string} topic
 * @property {object} params
 * @property {object} hello `{ tenantId }`, or `{ anonymous: true }`
 * @property {(message: any) => void} receive
 * @property {() => void} missed Messages may have been missed, also before the first connection: since the server rendered the page.
 */

/**
 * @param {Topic} topic
 * @returns {{ send(input: object): void, close(): void }} `send` sends to the topic
 */
export function followTopic({ topic, params, hello, receive, missed }) {
  const subscription = 'page'
  let wait = MIN_RETRY_MS
  let isClosed = false
  /** @type {WebSocket} */
  let socket
  const send = (/** @type {string} */ type, /** @type {object} */ data) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type, data }))
  }
  const open = () => {
    if (isClosed) return
    socket = new WebSocket(new URL('/v1/realtime', location.href.replace(/^http/, 'ws')))
    socket.onopen = () => send('hello', hello)
    socket.onmessage = ({ data: text }) => {
      const { type, data } = JSON.parse(text)
      if (type === 'ping') send('pong', data)
      else if (type === 'welcome') send('subscribe', { subscription, topic, params })
      else if (type === 'message') receive(data.message)
      else if (type === 'error' && data.retryable) socket.close()
      else if (type === 'subscribed' || type === 'gap') {
        wait = MIN_RETRY_MS
        missed()
      }
    }
    socket.onclose = ({ code }) => {
      // The server refuses this login or workspace.
      if (code >= 4400 && code < 4500) return
      setTimeout(open, wait)
      wait = Math.min(wait * 2, MAX_RETRY_MS)
    }
  }
  open()
  return {
    send: input => send('send', { subscription, input }),
    close() {
      isClosed = true
      socket.close()
    },
  }
}

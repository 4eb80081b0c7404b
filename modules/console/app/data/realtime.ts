/** Live updates: a subscription to a topic of `/v1/realtime`, with the cookie of the signed-in person. */
import { useEffect, useRef } from 'react'
import { workspace } from '../browser/document.ts'

const MIN_RETRY_MS = 500
const MAX_RETRY_MS = 30_000
/** The server closes with these codes what would fail again. */
const isFinal = (code: number): boolean => code >= 4400 && code < 4500

interface Frame {
  readonly type: string
  readonly data?: unknown
}

/**
 * Calls `onChange` for each message, and when messages may have been missed: after each subscription and after a gap.
 * Without a connection, it retries.
 */
export function useTopic(topic: string, onChange: () => void): void {
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    if (!workspace) return undefined
    return subscribe(topic, workspace.id, () => latest.current())
  }, [topic])
}

/** Returns a function that ends the subscription. */
function subscribe(topic: string, tenantId: string, onChange: () => void): () => void {
  let socket: WebSocket
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = 0
  let isEnded = false

  const send = (type: string, data: unknown) => socket.send(JSON.stringify({ type, data }))
  const answer = ({ type, data }: Frame) => {
    if (type === 'welcome') send('subscribe', { subscription: topic, topic, params: {} })
    else if (type === 'ping') send('pong', data)
    else if (type === 'subscribed' || type === 'message' || type === 'gap') {
      attempt = 0
      onChange()
    }
  }
  function connect(): void {
    socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/v1/realtime`)
    socket.onopen = () => send('hello', { tenantId })
    socket.onmessage = ({ data }) => answer(JSON.parse(String(data)) as Frame)
    socket.onclose = ({ code }) => {
      if (isEnded || isFinal(code)) return
      timer = setTimeout(connect, Math.min(MIN_RETRY_MS * 2 ** attempt++, MAX_RETRY_MS) * (0.5 + Math.random() / 2))
    }
  }
  connect()
  return () => {
    isEnded = true
    clearTimeout(timer)
    socket.close()
  }
}

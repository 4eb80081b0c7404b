import { LarderError } from './errors.ts'
import type { WebSocketLike } from './options.ts'
import { helloOf, listen, openSocket, webSocketOf } from './realtime-socket.ts'
import type { Realtime, SubscriptionHandlers, TopicTypes } from './realtime-types.ts'
import { delay } from './retry.ts'
import type { Transport } from './transport.ts'

const FIRST_RECONNECT_MS = 500
const MAX_RECONNECT_MS = 30_000
/** The server pings every 20 seconds. */
const SILENCE_MS = 60_000
const IS_OPEN = 1

interface Entry {
  readonly id: string
  readonly topic: string
  readonly params: object
  readonly handle: (message: never) => void
  readonly handlers: SubscriptionHandlers
  position: string | undefined
  active: boolean
  /** True after the first confirmation: a later one that doesn't resume means missed messages. */
  confirmed: boolean
  /** Refusals in a row that may be temporary. */
  refusals: number
}

interface Frame {
  readonly type: string
  readonly id?: string
  readonly data: FrameData
}

interface FrameData {
  readonly subscription?: unknown
  readonly position?: unknown
  readonly resumed?: unknown
  readonly message?: unknown
  readonly reason?: unknown
  readonly code?: unknown
  readonly retryable?: unknown
  readonly retryAfterMs?: unknown
  readonly t?: unknown
}

interface Waiting {
  done(): void
  fail(error: LarderError): void
}

/** @internal */
export function createRealtime<All extends { readonly [Name in keyof All]: TopicTypes }>(
  transport: Transport,
): Realtime<All> {
  const entries = new Map<string, Entry>()
  const waiting = new Map<string, Waiting>()
  let socket: WebSocketLike | undefined
  let greeted = false
  let isConnecting = false
  let failures = 0
  let count = 0
  let lastPing: unknown
  let retryAfterMs = 0
  /** Why the server is about to close the socket. */
  let refusal: LarderError | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  const send = (type: string, data: object, id?: string): void => {
    if (socket?.readyState === IS_OPEN) socket.send(JSON.stringify({ type, ...(id !== undefined && { id }), data }))
  }
  const subscribeNow = ({ id, topic, params, position }: Entry): void =>
    send('subscribe', { subscription: id, topic, params, ...(position !== undefined && { after: position }) })

  async function connect(): Promise<void> {
    if (isConnecting || socket || entries.size === 0) return
    isConnecting = true
    try {
      if (failures > 0) await delay(reconnectDelay(failures, retryAfterMs), undefined)
      const hello = await helloOf(transport, lastPing)
      if (entries.size > 0) open(hello)
      else failures = 0
    } catch {
      failures++
      isConnecting = false
      await connect()
    } finally {
      isConnecting = false
    }
  }

  function open(hello: object): void {
    const opened = openSocket(transport)
    socket = opened
    listen(opened, 'open', () => send('hello', hello))
    listen(opened, 'message', ({ data }) => {
      if (socket !== opened) return
      watch()
      receive(JSON.parse(String(data)) as Frame)
    })
    listen(opened, 'error', () => {})
    listen(opened, 'close', ({ code = 1006, reason = '' }) => {
      if (socket === opened) closed(code, reason)
    })
    watch()
  }

  /** A connection that is lost without notice is closed after a time without pings. */
  function watch(): void {
    clearTimeout(silence)
    silence = setTimeout(() => {
      const lost = socket
      closed(1006, 'The server sent nothing.')
      lost?.close()
    }, SILENCE_MS)
  }

  function closed(code: number, reason: string): void {
    const error = refusal ?? realtimeError(closeReason(code), reason)
    forget(reason)
    failures++
    // The server would refuse the same request again.
    if (code >= 4400 && code < 4500) for (const { id } of [...entries.values()]) end(id, error)
    else if (entries.size > 0) void connect()
  }

  function forget(reason: string): void {
    clearTimeout(silence)
    socket = undefined
    greeted = false
    refusal = undefined
    for (const entry of entries.values()) entry.active = false
    const error = realtimeError('network_error', reason || 'The connection was lost.')
    for (const { fail } of waiting.values()) fail(error)
    waiting.clear()
  }

  function end(id: string, error: LarderError): void {
    const entry = entries.get(id)
    entries.delete(id)
    if (entry) entry.active = false
    if (entry?.handlers.onEnd) call(() => entry.handlers.onEnd?.(error))
    closeIfIdle()
  }

  function closeIfIdle(): void {
    if (entries.size > 0) return
    const idle = socket
    forget('The subscription was closed.')
    idle?.close(1000)
  }

  function receive({ type, id, data }: Frame): void {
    const entry = entries.get(String(data.subscription))
    if (type === 'welcome') welcome()
    else if (type === 'ping') {
      lastPing = data.t
      send('pong', data)
    } else if (type === 'closing') retryAfterMs = Number(data.retryAfterMs ?? 0)
    else if (type === 'accepted') settle(id)?.done()
    else if (type === 'error') refuse(id, entry, data)
    else if (entry) deliver(entry, type, data)
  }

  function welcome(): void {
    greeted = true
    retryAfterMs = 0
    for (const entry of entries.values()) subscribeNow(entry)
  }

  function deliver(entry: Entry, type: string, data: FrameData): void {
    const position = typeof data.position === 'string' ? data.position : entry.position
    const missed = type === 'gap' || (type === 'subscribed' && entry.confirmed && data.resumed !== true)
    if (type === 'unsubscribed') end(entry.id, realtimeError('subscription_ended', String(data.reason)))
    if (type === 'subscribed') {
      failures = 0
      Object.assign(entry, { active: true, confirmed: true, refusals: 0 })
    }
    entry.position = position
    if (missed) call(() => entry.handlers.onGap?.())
    if (type === 'subscribed') call(() => entry.handlers.onActive?.())
    if (type === 'message') call(() => entry.handle(data.message as never))
  }

  function refuse(id: string | undefined, entry: Entry | undefined, data: FrameData): void {
    const error = realtimeError(String(data.code), String(data.message))
    const request = settle(id)
    request?.fail(error)
    if (data.subscription === undefined && !request) refusal = error
    if (request || !entry || entry.active) return
    if (data.retryable === true) retry(entry)
    else end(entry.id, error)
  }

  /** On this connection: a new one subscribes again by itself. */
  function retry(entry: Entry): void {
    const refusing = socket
    void delay(reconnectDelay(++entry.refusals, 0), undefined).then(
      () => entries.has(entry.id) && socket === refusing && subscribeNow(entry),
    )
  }

  function settle(id: string | undefined): Waiting | undefined {
    const request = id === undefined ? undefined : waiting.get(id)
    if (id !== undefined) waiting.delete(id)
    return request
  }

  return {
    subscribe(topic, params, handle, handlers = {}) {
      const id = `s${++count}`
      webSocketOf(transport)
      const confirmed = handlers.after !== undefined
      const position = handlers.after
      const entry = { id, topic, params, handle, handlers, position, active: false, confirmed, refusals: 0 }
      entries.set(id, entry)
      if (greeted) subscribeNow(entry)
      else void connect()
      return {
        get position() {
          return entry.position
        },
        get active() {
          return entry.active
        },
        send: input =>
          new Promise((done, fail) => {
            if (!entry.active) return fail(realtimeError('network_error', 'The subscription is not active.'))
            const request = `r${++count}`
            waiting.set(request, { done, fail })
            send('send', { subscription: id, input }, request)
          }),
        close() {
          if (!entries.delete(id)) return
          entry.active = false
          send('unsubscribe', { subscription: id })
          closeIfIdle()
        },
      }
    },
    close() {
      entries.clear()
      closeIfIdle()
    },
  }
}

const reconnectDelay = (failures: number, atLeast: number): number =>
  Math.max(atLeast, Math.min(MAX_RECONNECT_MS, FIRST_RECONNECT_MS * 2 ** (failures - 1)) * (0.5 + Math.random() / 2))

const CLOSE_CODES: Readonly<Record<number, string>> = { 4401: 'unauthenticated', 4403: 'forbidden' }
const closeReason = (code: number): string => CLOSE_CODES[code] ?? 'connection_refused'

const realtimeError = (code: string, detail: string): LarderError =>
  new LarderError({ type: 'about:blank', title: 'Realtime error', status: 0, detail, code })

/** An error of a handler must not stop the other subscriptions. It is reported like an uncaught one. */
function call(handler: () => void): void {
  try {
    handler()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

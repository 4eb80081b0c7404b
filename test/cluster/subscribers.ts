/** Clients that follow the rows of a collection over a socket, resume after each lost connection, and read after a gap. */
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { MINUTE } from '../../kernel/base/units.ts'
import type { HttpClient } from './http-client.ts'

export interface Subscriber {
  readonly name: string
  /** The keys of rows that arrived as messages, or that were read after a gap. */
  readonly seen: ReadonlySet<string>
  /** Connections after the first. */
  reconnected(): number
  /** Subscriptions that went on where they had ended. */
  resumed(): number
  /** Errors that a client can't recover from. */
  readonly failed: readonly string[]
  end(): void
}

interface Frame {
  readonly type: string
  readonly data: {
    readonly t?: number
    readonly position?: string | null
    readonly resumed?: boolean
    readonly code?: string
    readonly message?: { readonly type: string; readonly row?: { readonly key: string } }
  }
}

interface Page {
  readonly data: readonly { readonly key: string; readonly createdAt: string }[]
  readonly nextCursor: string | null
}

const RECONNECT_MS = 200
/** Longer than it takes until a gap is noticed. Rows that came after what is missing may all have arrived. */
const READ_BACK_MS = 2 * MINUTE

export function startSubscriber(client: HttpClient, token: string): Subscriber {
  const seen = new Set<string>()
  const failed: string[] = []
  let connections = 0
  let resumptions = 0
  let position: string | undefined
  let lastPing: number | undefined
  let isEnding = false
  let socket: WebSocket | undefined

  async function readPage(path: string): Promise<Page> {
    for (;;) {
      const answer = await client
        .send('GET', path, { headers: { authorization: `Bearer ${token}` } })
        .catch(() => undefined)
      if (answer?.status === 200) return JSON.parse(answer.text) as Page
      if (isEnding) return { data: [], nextCursor: null }
      await pause(RECONNECT_MS)
    }
  }

  async function readNewest(): Promise<void> {
    const until = Date.now() - READ_BACK_MS
    for (let cursor = ''; ; ) {
      const { data, nextCursor } = await readPage(`/v1/data/books?limit=200&sort=-createdAt${cursor}`)
      for (const { key } of data) seen.add(key)
      if (!nextCursor || data.some(({ createdAt }) => Date.parse(createdAt) < until)) return
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`
    }
  }

  function receive({ type, data }: Frame): void {
    if (data.position || type === 'gap') position = data.position ?? undefined
    if (type === 'ping') {
      lastPing = data.t
      socket?.send(JSON.stringify({ type: 'pong', data }))
    }
    if (type === 'message' && data.message?.row) seen.add(data.message.row.key)
    if (type === 'subscribed' && data.resumed) resumptions++
    if (type === 'gap' || (type === 'subscribed' && !data.resumed)) void readNewest()
    if (type === 'error' || type === 'unsubscribed') failed.push(JSON.stringify({ type, data }))
  }

  function connect(): void {
    connections++
    socket = new WebSocket(`${client.url.replace(/^http/, 'ws')}/v1/realtime`, { ca: client.ca })
    const send = (frame: object) => socket?.send(JSON.stringify(frame))
    socket.on('open', () => {
      send({ type: 'hello', id: '1', data: { token, ...(lastPing !== undefined && { lastPing }) } })
      const subscription = { subscription: 'rows', topic: 'collections.rows', params: { collection: 'books' } }
      send({ type: 'subscribe', id: '2', data: { ...subscription, ...(position && { after: position }) } })
    })
    socket.on('message', data => receive(JSON.parse(String(data)) as Frame))
    socket.on('error', () => {})
    socket.on('close', (code, reason) => {
      if (code >= 4400) failed.push(`closed with ${code} ${reason}`)
      if (!isEnding) setTimeout(connect, RECONNECT_MS)
    })
  }
  connect()
  return {
    name: client.name,
    seen,
    failed,
    reconnected: () => connections - 1,
    resumed: () => resumptions,
    end() {
      isEnding = true
      socket?.terminate()
    },
  }
}

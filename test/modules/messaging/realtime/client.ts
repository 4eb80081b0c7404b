/** A real `ws` client, as tests want one: frames by type, in order, with patience. */
import { WebSocket } from 'ws'

export interface Frame {
  readonly type: string
  readonly id?: string
  readonly conversationId?: string
  readonly seq?: number
  readonly version?: number
  readonly code?: string
  readonly data: Record<string, unknown>
}
export interface Client {
  readonly ws: WebSocket
  /** Everything that came and was not asked for yet. */
  readonly waiting: Frame[]
  send(frame: unknown): void
  /** The next frame of one of these types; those before it stay. */
  next(...types: string[]): Promise<Frame>
  readonly closed: Promise<{ code: number; reason: string }>
  /** As a network that drops. */
  cut(): void
}
export interface DialOptions {
  readonly pong?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

const PATIENCE = 10_000

export async function dial(url: string, { pong = true, headers = {} }: DialOptions = {}): Promise<Client> {
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/messaging/realtime`, { headers })
  const waiting: Frame[] = []
  const wanted: { types: string[]; take: (frame: Frame) => void }[] = []
  const closed = new Promise<{ code: number; reason: string }>(resolve =>
    ws.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  ws.on('message', data => {
    const frame = JSON.parse(String(data)) as Frame
    if (frame.type === 'ping' && pong) return ws.send(JSON.stringify({ type: 'pong', data: frame.data }))
    const index = wanted.findIndex(({ types }) => types.includes(frame.type))
    if (index < 0) waiting.push(frame)
    else wanted.splice(index, 1)[0]?.take(frame)
  })
  ws.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    ws.once('open', () => resolve())
    ws.once('unexpected-response', (_request, answer) => reject(new Error(`refused with ${answer.statusCode}`)))
    void closed.then(({ code }) => reject(new Error(`closed with ${code}`)))
  })
  const next = (...types: string[]): Promise<Frame> => {
    const index = waiting.findIndex(frame => types.includes(frame.type))
    if (index >= 0) return Promise.resolve(waiting.splice(index, 1)[0] as Frame)
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`no ${types}; there is ${JSON.stringify(waiting).slice(0, 500)}`))
      const timer = setTimeout(late, PATIENCE)
      wanted.push({
        types,
        take(frame) {
          clearTimeout(timer)
          resolve(frame)
        },
      })
    })
  }
  return {
    ws,
    waiting,
    next,
    closed,
    send: frame => ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    cut: () => ws.terminate(),
  }
}

export interface Joined extends Client {
  readonly welcome: Frame
  readonly unread: Frame
}
/** Says hello and waits for the unread totals, with which everything missed has come. */
export async function join(
  url: string,
  { token, tenantId }: { token: string; tenantId: string },
  more: Record<string, unknown> = {},
): Promise<Joined> {
  const client = await dial(url)
  client.send({ type: 'hello', data: { tenantId, token, ...more } })
  const welcome = await client.next('welcome')
  const unread = await client.next('unread')
  return Object.assign(client, { welcome, unread })
}

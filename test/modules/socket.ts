/** A real `ws` client, as tests want one: frames by type, in order, with patience. */
import { WebSocket } from 'ws'

export interface AnyFrame {
  readonly type: string
  readonly seq?: number
  readonly data: Record<string, unknown>
}
export interface SocketClient<Frame extends AnyFrame> {
  readonly ws: WebSocket
  /** Everything that came and was not asked for yet. */
  readonly waiting: Frame[]
  /** A text goes as it is, everything else as JSON. */
  send(frame: unknown): void
  /** The next frame of one of these types; those before it stay. */
  next(...types: string[]): Promise<Frame>
  /** Number of the last frame that came; 0 before. */
  seen(): number
  readonly closed: Promise<{ code: number; reason: string }>
  /** As a network that drops. */
  cut(): void
}
export interface DialOptions {
  /** False for one that answers no ping. */
  readonly pong?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

const PATIENCE = 10_000

/** @param address `http:` as a kernel says it. Rejects where it is refused or closed before it opens. */
export async function dialSocket<Frame extends AnyFrame>(
  address: string,
  { pong = true, headers = {} }: DialOptions = {},
): Promise<SocketClient<Frame>> {
  const ws = new WebSocket(address.replace(/^http/, 'ws'), { headers })
  const waiting: Frame[] = []
  const wanted: { types: string[]; take: (frame: Frame) => void }[] = []
  let seq = 0
  const closed = new Promise<{ code: number; reason: string }>(resolve =>
    ws.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  ws.on('message', data => {
    const frame = JSON.parse(String(data)) as Frame
    if (frame.type === 'ping' && pong) return ws.send(JSON.stringify({ type: 'pong', data: frame.data }))
    seq = frame.seq ?? seq
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
    seen: () => seq,
    send: frame => ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    cut: () => ws.terminate(),
  }
}

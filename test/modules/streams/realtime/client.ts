/** A real `ws` client, as tests want one: frames by type, in order, with patience. */
import { WebSocket } from 'ws'

export interface Frame {
  readonly type: string
  readonly seq?: number
  readonly id?: string
  readonly from?: string
  readonly to?: string
  readonly data: Record<string, unknown>
}
export interface WelcomeData extends Record<string, unknown> {
  readonly peer_id: string
  readonly role: string
  readonly peers: { peer_id: string; role: string; polite: boolean }[]
  readonly resume_token: string
  readonly resumed: boolean
  readonly last_seq: number
  readonly session: Record<string, unknown>
}
export interface Client {
  readonly ws: WebSocket
  /** Everything that came and was not asked for yet. */
  readonly waiting: Frame[]
  send(frame: unknown): void
  /** The next frame of one of these types; those before it stay. */
  next(...types: string[]): Promise<Frame>
  hello(data: Record<string, unknown>, id?: string): Promise<WelcomeData>
  /** Number of the last frame that came. */
  seen(): number
  readonly closed: Promise<{ code: number; reason: string }>
  /** As a network that drops. */
  cut(): void
}

const PATIENCE = 10_000

export async function dial(
  url: string,
  query = '',
  { pong = true, path = '/v1/streams/realtime' } = {},
): Promise<Client> {
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}${path}${query}`)
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
  const send = (frame: unknown) => ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
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
    send,
    next,
    closed,
    async hello(data, id) {
      send({ type: 'hello', data, ...(id && { id }) })
      return (await next('welcome')).data as WelcomeData
    },
    seen: () => seq,
    cut: () => ws.terminate(),
  }
}

export async function join(url: string, data: Record<string, unknown>): Promise<Client & { me: WelcomeData }> {
  const client = await dial(url)
  const me = await client.hello(data)
  return Object.assign(client, { me })
}

export const offer = (connection_id = 'c1', sdp = 'v=0') => ({ connection_id, description: { type: 'offer', sdp } })
export const candidate = (n: number, connection_id = 'c1') => ({
  connection_id,
  candidate: { candidate: `candidate:${n}`, sdpMid: '0', sdpMLineIndex: 0 },
})

/** Peers in rooms of Larder and of the raw relay. */
import { WebSocket } from 'ws'
import type { BenchEnvironment } from './fixtures.ts'
import { child } from './measure.ts'

export interface Peer {
  send(text: string): void
  /** Called with every frame except pings, which are answered automatically. */
  onFrame: (text: string) => void
  /** Terminates the connection without a close frame. */
  cut(): void
  readonly closed: Promise<number>
}
export type Role = 'publisher' | 'viewer'

export interface Side {
  readonly name: string
  readonly pid: number
  /** Creates rooms. `join` refers to them by index. */
  rooms(count: number): Promise<void>
  join(room: number, role: Role): Promise<Peer>
  stop(): Promise<void>
}

const CONCURRENCY = 50
/** Fewer than a server has database connections, so that no request waits too long for one on a busy machine. */
export const WRITE_CONCURRENCY = 8

/** Calls `work` with 0 to `count - 1`. Returns the results in order. */
export async function mapConcurrently<T>(
  count: number,
  work: (index: number) => Promise<T>,
  concurrency = CONCURRENCY,
): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const loop = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, loop))
  return results
}

export async function dial(url: string): Promise<Peer> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const closed = new Promise<number>(resolve => socket.once('close', resolve))
  const peer = {
    send: (text: string) => socket.send(text),
    onFrame: (_: string) => {},
    cut: () => socket.terminate(),
    closed,
  }
  socket.on('message', data => {
    const text = data.toString()
    if (text.startsWith('{"type":"ping"')) socket.send(text.replace('ping', 'pong'))
    else peer.onFrame(text)
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.on('error', () => socket.terminate())
  return peer
}

export interface Welcome {
  readonly peer_id: string
  readonly resume_token: string
  readonly resumed: boolean
  readonly last_seq: number
}

/** Sends hello and waits for the welcome. Later frames go to `onFrame`. */
export async function sendHello(
  peer: Peer,
  hello: object,
  onFrame: (text: string) => void = () => {},
): Promise<Welcome> {
  return new Promise((resolve, reject) => {
    void peer.closed.then(code => reject(new Error(`closed with ${code} before the welcome`)))
    peer.onFrame = text => {
      if (!text.startsWith('{"type":"welcome"')) return
      peer.onFrame = onFrame
      resolve((JSON.parse(text) as { data: Welcome }).data)
    }
    peer.send(JSON.stringify({ type: 'hello', data: hello }))
  })
}

export async function startRaw(): Promise<Side> {
  const raw = await child<{ url: string }>('./raw-relay.js', [])
  return {
    name: 'ws alone',
    pid: raw.process.pid as number,
    rooms: async () => {},
    join: room => dial(`${raw.ready.url}/${room}`),
    stop: raw.stop,
  }
}

export interface LarderSide extends Side {
  /** URL of the realtime socket. */
  readonly url: string
  /** Join tokens of the rooms. */
  readonly tokens: readonly string[]
}

export async function startLarder(environment: BenchEnvironment, recipe: string): Promise<LarderSide> {
  const log = `${environment.folder}/signaling.log`
  const larder = await child<{ url: string }>('./larder-server.js', ['web', log, recipe], environment.env)
  const base = larder.ready.url
  const account = { email: `peers-${Date.now()}@example.test`, password: 'correct horse battery staple' }
  const { token } = await post<{ token: string }>(`${base}/v1/auth/register`, account)
  const headers = { authorization: `Bearer ${token}` }
  const url = `${base.replace(/^http/, 'ws')}/v1/streams/realtime`
  const tokens: string[] = []
  return {
    name: 'larder',
    pid: larder.process.pid as number,
    url,
    tokens,
    async rooms(count) {
      const create = () => post<{ join_token: string }>(`${base}/v1/streams`, {}, headers)
      const streams = await mapConcurrently(count, create, WRITE_CONCURRENCY)
      tokens.splice(0, tokens.length, ...streams.map(({ join_token }) => join_token))
    },
    async join(room, role) {
      const peer = await dial(url)
      await sendHello(peer, { token: tokens[room], role })
      return peer
    },
    stop: larder.stop,
  }
}

export async function post<T>(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`POST ${url} returned ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

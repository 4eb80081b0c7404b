/** Peers in rooms, of Larder and of the raw relay alike: what the parts of signaling load. */
import { WebSocket } from 'ws'
import type { Stage } from './fixtures.ts'
import { child } from './measure.ts'

export interface Peer {
  send(text: string): void
  /** Called with every frame but pings, which are answered here. */
  hear: (text: string) => void
  /** As a network that drops. */
  cut(): void
  readonly closed: Promise<number>
}
export type Role = 'publisher' | 'viewer'

export interface Side {
  readonly name: string
  readonly pid: number
  /** Opens so many rooms; `join` names them by their place. */
  rooms(count: number): Promise<void>
  join(room: number, role: Role): Promise<Peer>
  stop(): Promise<void>
}

/** Rooms that are opened, and sockets that are joined, at the same time. */
const AT_ONCE = 50

/** Runs `work` for 0 to `count`, some at a time; results in order. */
export async function each<T>(count: number, work: (index: number) => Promise<T>, atOnce = AT_ONCE): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const lane = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane))
  return results
}

export async function dial(url: string): Promise<Peer> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const closed = new Promise<number>(resolve => socket.once('close', resolve))
  const peer = {
    send: (text: string) => socket.send(text),
    hear: (_: string) => {},
    cut: () => socket.terminate(),
    closed,
  }
  socket.on('message', data => {
    const text = data.toString()
    if (text.startsWith('{"type":"ping"')) socket.send(text.replace('ping', 'pong'))
    else peer.hear(text)
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

/** Says hello and waits for the welcome; what comes after it is heard by `hear`. */
export async function greet(peer: Peer, hello: object, hear: (text: string) => void = () => {}): Promise<Welcome> {
  return new Promise((resolve, reject) => {
    void peer.closed.then(code => reject(new Error(`closed with ${code} before it was welcomed`)))
    peer.hear = text => {
      if (!text.startsWith('{"type":"welcome"')) return
      peer.hear = hear
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
  /** Of the realtime socket. */
  readonly url: string
  /** Join tokens of the rooms that were opened. */
  readonly tokens: readonly string[]
}

export async function startLarder(stage: Stage, recipe: string): Promise<LarderSide> {
  const log = `${stage.folder}/signaling.log`
  const larder = await child<{ url: string }>('./larder-server.js', ['web', log, recipe], stage.env)
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
      const made = await each(count, () => post<{ join_token: string }>(`${base}/v1/streams`, {}, headers))
      tokens.splice(0, tokens.length, ...made.map(({ join_token }) => join_token))
    },
    async join(room, role) {
      const peer = await dial(url)
      await greet(peer, { token: tokens[room], role })
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
  if (!response.ok) throw new Error(`POST ${url} was answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

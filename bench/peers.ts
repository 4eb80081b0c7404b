/** Signaling peers of Larder and of a server that uses `ws` alone. */
import { WebSocket } from 'ws'
import { type BenchEnvironment, type Checkout, register } from './fixtures.ts'
import { child, mapConcurrently, send, WRITE_CONCURRENCY } from './measure.ts'

export interface Peer {
  send(text: string): void
  /** Called with every frame except pings, which are answered automatically. */
  onFrame: (text: string) => void
  /** Terminates the connection without a close frame. */
  cut(): void
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

async function dial(url: string): Promise<Peer> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const peer: Peer = {
    send: text => socket.send(text),
    onFrame: () => {},
    cut: () => socket.terminate(),
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

export async function startRaw(): Promise<Side> {
  const { ready, pid, stop } = await child<{ url: string }>('./raw-relay.js', [])
  return {
    name: '`ws` alone, frames not parsed',
    pid,
    rooms: async () => {},
    join: room => dial(`${ready.url}/${room}`),
    stop,
  }
}

export async function startLarder(environment: BenchEnvironment, checkout: Checkout): Promise<Side> {
  const { ready, pid, stop } = await environment.start(checkout, 'web', 'recipe.yaml')
  const headers = await register(ready.url)
  const socketUrl = `${ready.url.replace(/^http/, 'ws')}/v1/streams/realtime`
  let tokens: readonly string[] = []
  return {
    name: checkout.name,
    pid,
    async rooms(count) {
      const create = () => send<{ join_token: string }>('POST', `${ready.url}/v1/streams`, {}, headers)
      tokens = (await mapConcurrently(count, create, WRITE_CONCURRENCY)).map(({ join_token }) => join_token)
    },
    async join(room, role) {
      const peer = await dial(socketUrl)
      const welcomed = new Promise<void>(resolve => {
        peer.onFrame = text => {
          if (text.startsWith('{"type":"welcome"')) resolve()
        }
      })
      peer.send(JSON.stringify({ type: 'hello', data: { token: tokens[room], role } }))
      await welcomed
      peer.onFrame = () => {}
      return peer
    },
    stop,
  }
}

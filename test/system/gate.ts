/** A connection between a browser and a server that a test can cut. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { ExecutionContext } from 'ava'

export interface Gate {
  readonly port: number
  /** Ends all connections, and refuses new ones until `open`. */
  cut(): void
  open(): void
}

/** Forwards connections to a port of this machine that is known later. */
export async function createGate(t: ExecutionContext, target: () => number): Promise<Gate> {
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createServer(client => {
    if (!isOpen) return void client.destroy()
    const upstream = connect(target(), '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    isOpen = false
    for (const socket of sockets) socket.destroy()
  }
  t.teardown(() => {
    cut()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    open: () => {
      isOpen = true
    },
  }
}

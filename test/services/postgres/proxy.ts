/** A proxy in front of PostgreSQL that can stop forwarding, like a server that hangs, or lead to another server. */
import { once } from 'node:events'
import { createServer, connect as openSocket, type Socket } from 'node:net'

export interface Proxy {
  readonly port: number
  hang(): void
  /** Hangs the next time that a client sends this text, which the server still receives. Resolves then. */
  hangAt(text: string): Promise<void>
  resume(): void
  /** New connections lead to this server. Open ones remain. */
  switchTo(target: URL): void
  /** Closes all open connections. */
  cut(): void
  close(): void
}

/** Port 0 selects a free one. */
export async function createProxy(target: URL, port = 0): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let hanging = false
  let current = target
  let trigger: { readonly text: string; readonly fire: () => void } | undefined
  const pauseAll = (some: Iterable<Socket>) => {
    for (const socket of some) socket.pause()
  }
  const hang = () => {
    hanging = true
    pauseAll(sockets)
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const proxy = createServer(client => {
    const server = openSocket(Number(current.port), current.hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', chunk => {
      if (!trigger || !chunk.includes(trigger.text)) return
      hang()
      trigger.fire()
      trigger = undefined
    })
    client.pipe(server).pipe(client)
    if (hanging) pauseAll([client, server])
  })
  proxy.listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as { port: number }).port,
    hang,
    hangAt: text =>
      new Promise<void>(fire => {
        trigger = { text, fire }
      }),
    resume() {
      hanging = false
      for (const socket of sockets) socket.resume()
    },
    switchTo(next) {
      current = next
    },
    cut,
    close() {
      cut()
      proxy.close()
    },
  }
}

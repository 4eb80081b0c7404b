import type { Duplex } from 'node:stream'

/** Requests wait for the kernel that starts, because the answers of the previous one would be outdated. */
export interface Hold {
  /** Requests wait from now on, until `release`. */
  start(): void
  release(): void
  /** Runs `handle` now, or after the release unless the client has left. */
  pass(socket: Duplex, handle: () => void): void
}

/** Requests wait until the first `release`. */
export function createHold(): Hold {
  let isHeld = true
  let waiting: { readonly socket: Duplex; readonly handle: () => void }[] = []
  // A client that leaves while it waits is no error.
  const ignore = () => {}
  return {
    start() {
      isHeld = true
    },
    release() {
      isHeld = false
      const held = waiting
      waiting = []
      for (const { socket, handle } of held) {
        // The error of a destroyed socket may follow.
        if (socket.destroyed) continue
        socket.off('error', ignore)
        handle()
      }
    },
    pass(socket, handle) {
      if (!isHeld) return handle()
      socket.on('error', ignore)
      waiting.push({ socket, handle })
    },
  }
}

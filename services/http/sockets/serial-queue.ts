/** The frames of one socket, in order and one at a time. What needs no waiting is done at once, without a promise. */

import type { SocketSession } from 'larder/kernel'

/** Frames that may wait for their turn before the socket is no longer read. */
const MAX_WAITING = 64

export interface Turns {
  take(text: string): void
  /** Until then frames wait; without a session they are dropped. */
  begin(session: SocketSession | undefined): void
  /** When no frame is under way and none waits. */
  idle(): Promise<void>
}
export interface TurnsDeps {
  /** Stops and goes on reading the socket. */
  readonly pause: () => void
  readonly resume: () => void
  readonly broken: (error: unknown) => void
}

export function createTurns({ pause, resume, broken }: TurnsDeps): Turns {
  let session: SocketSession | undefined
  let busy = true
  let waiting: string[] | undefined
  let wake: (() => void) | undefined

  function run(text: string): void {
    try {
      const done = session?.message(text)
      if (!done) return
      busy = true
      done.catch(broken).then(next)
    } catch (error) {
      broken(error)
    }
  }
  function next(): void {
    busy = false
    while (!busy && waiting) {
      const text = waiting.shift() as string
      if (waiting.length === MAX_WAITING - 1) resume()
      if (waiting.length === 0) waiting = undefined
      run(text)
    }
    if (!busy) wake?.()
  }
  return {
    take(text) {
      if (!busy) return run(text)
      waiting ??= []
      if (waiting.push(text) >= MAX_WAITING) pause()
    },
    begin(opened) {
      session = opened
      next()
    },
    idle: () =>
      new Promise(resolve => {
        if (busy) wake = resolve
        else resolve()
      }),
  }
}

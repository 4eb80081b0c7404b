/** The frames of one socket, in order and one at a time. What needs no waiting is done at once, without a promise. */

import type { SocketSession } from 'larder/kernel'

/** Frames that may wait for their turn before the socket is no longer read. */
const MAX_QUEUED_FRAMES = 64

export interface SerialQueue {
  push(text: string): void
  /** Until then frames wait; without a session they are dropped. */
  start(session: SocketSession | undefined): void
  /** When no frame is under way and none waits. */
  idle(): Promise<void>
}
export interface SerialQueueDeps {
  /** Stops and goes on reading the socket. */
  readonly pause: () => void
  readonly resume: () => void
  readonly fail: (error: unknown) => void
}

export function createSerialQueue({ pause, resume, fail }: SerialQueueDeps): SerialQueue {
  let session: SocketSession | undefined
  let busy = true
  let waiting: string[] | undefined
  let wake: (() => void) | undefined

  function run(text: string): void {
    try {
      const done = session?.message(text)
      if (!done) return
      busy = true
      done.catch(fail).then(next)
    } catch (error) {
      fail(error)
    }
  }
  function next(): void {
    busy = false
    while (!busy && waiting) {
      const text = waiting.shift() as string
      if (waiting.length === MAX_QUEUED_FRAMES - 1) resume()
      if (waiting.length === 0) waiting = undefined
      run(text)
    }
    if (!busy) wake?.()
  }
  return {
    push(text) {
      if (!busy) return run(text)
      waiting ??= []
      if (waiting.push(text) >= MAX_QUEUED_FRAMES) pause()
    },
    start(opened) {
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

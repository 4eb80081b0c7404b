/** Handles the frames of one socket in order, one at a time. Synchronous handlers run without a promise. */

import type { SocketSession } from '@larder-dev/larder/kernel'

/** Reading from the socket pauses at this number of waiting frames. */
const MAX_QUEUED_FRAMES = 64

export interface SerialQueue {
  push(text: string): void
  /** Frames wait until this is called; without a session they are dropped. */
  start(session: SocketSession | undefined): void
  /** Resolves when no frame is in progress or waiting. */
  idle(): Promise<void>
}
export interface SerialQueueDeps {
  /** Pauses and resumes reading from the socket. */
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

/** Loops that work as long as there is something to do, then wait to be woken or for the next poll. */
import type { Logger } from 'pino'
import { SECOND } from './units.ts'

export interface LanesOptions {
  readonly width: number
  /** Milliseconds. */
  readonly poll: number
  readonly log: Logger
  /** One piece of work; true where there is probably more. */
  readonly work: () => Promise<boolean>
}
export interface Lanes {
  start(): void
  /** Something has come: one lane looks, and the others when it finds much. */
  wake(): void
  stop(): Promise<void>
}

const LONGEST_PAUSE = 5 * SECOND
/** One line in the log at most while the database is away. */
const TELL_EVERY = 10 * SECOND

export function createLanes({ width, poll, log, work }: LanesOptions): Lanes {
  const asleep: (() => void)[] = []
  let running = false
  /** Woken while nobody slept: whoever is next to sleep looks once more. */
  let owed = false
  let lanes: Promise<void>[] = []
  let told = 0

  function wake(): void {
    const lane = asleep.shift()
    if (lane) lane()
    else owed = true
  }

  function sleep(milliseconds: number): Promise<void> {
    if (owed || !running) {
      owed = false
      return Promise.resolve()
    }
    return new Promise(resolve => {
      const woken = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        asleep.splice(asleep.indexOf(woken), 1)
        resolve()
      }, milliseconds)
      asleep.push(woken)
    })
  }

  async function lane(): Promise<void> {
    let pause = 100
    while (running)
      try {
        const more = await work()
        pause = 100
        if (more) wake()
        else await sleep(poll)
      } catch (error) {
        tell(error)
        await sleep(pause)
        pause = Math.min(2 * pause, LONGEST_PAUSE)
      }
  }

  function tell(error: unknown): void {
    if (Date.now() - told < TELL_EVERY) return
    told = Date.now()
    log.warn({ err: error }, 'work is put off: the database does not answer')
  }

  return {
    wake,
    start() {
      running = true
      lanes = Array.from({ length: width }, lane)
    },
    async stop() {
      running = false
      while (asleep.length > 0) wake()
      await Promise.all(lanes)
    },
  }
}

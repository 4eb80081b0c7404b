import type { Logger } from 'pino'
import { SECOND } from '../kernel/units.ts'
import { complain, tell } from './shell.ts'

/** Longer than the kernel's own grace, which is 10 s: past it something hangs. */
const PATIENCE = 15 * SECOND
const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Waits for SIGTERM or SIGINT, stops in order, and ends the process. A second signal, or 15 s, ends it at once; so does
 * an error that nobody caught, for what is left of the process then is not known. What is queued survives either.
 */
export async function untilStopped(stop: () => Promise<void>, log: Logger & { close(): void }): Promise<never> {
  const fatal = (error: unknown) => {
    log.fatal({ err: error }, 'an error that nobody caught')
    end(log, 'an error that nobody caught: see the log')
  }
  process.on('uncaughtException', fatal)
  process.on('unhandledRejection', fatal)

  await new Promise<void>(resolve => {
    for (const signal of SIGNALS) process.once(signal, () => resolve())
  })
  tell('stopping; a second signal ends at once')
  for (const signal of SIGNALS) process.once(signal, () => end(log, 'ended at once, as told'))
  setTimeout(() => end(log, `did not stop within ${PATIENCE / SECOND} s: ended`), PATIENCE)
  await stop().catch(error => {
    log.error({ err: error }, 'did not stop in order')
    end(log, `did not stop in order: ${error instanceof Error ? error.message : String(error)}`)
  })
  log.close()
  // Not left to the event loop: for each job that it ran, Agenda holds a timer of 30 s.
  process.exit(0)
}

function end(log: { close(): void }, why: string): never {
  complain(why)
  log.close()
  process.exit(1)
}

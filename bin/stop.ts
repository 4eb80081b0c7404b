import { SECOND } from '../kernel/base/index.ts'
import type { ServerLog } from './log.ts'
import { complain, tell } from './shell.ts'

/** Longer than the kernel's own grace, which is 10 s: past it something hangs. */
const PATIENCE = 15 * SECOND
const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Waits for SIGTERM or SIGINT, stops in order, and ends the process. A second signal, or 15 s, ends it at once; so does
 * an error that nobody caught, for what is left of the process then is not known. What is queued survives either.
 */
export async function untilStopped(stop: () => Promise<void>, log: ServerLog): Promise<never> {
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
  const failure = await stop().then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (failure) {
    log.error({ err: failure.error }, 'did not stop in order')
    const { error } = failure
    complain(`did not stop in order: ${error instanceof Error ? error.message : String(error)}`)
  }
  await log.close()
  // Not left to the event loop: for each job that it ran, Agenda holds a timer of 30 s.
  process.exit(failure ? 1 : 0)
}

function end(log: ServerLog, why: string): void {
  complain(why)
  void log.close().then(() => process.exit(1))
}

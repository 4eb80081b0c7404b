import { SECOND } from '../kernel/base/index.ts'
import type { ServerLog } from './log.ts'
import { printError, printInfo } from './shell.ts'

/** Longer than the grace period of the kernel, 10 s. */
const STOP_TIMEOUT_MS = 15 * SECOND
const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Waits for SIGTERM or SIGINT, stops gracefully and exits. A second signal, a timeout of 15 s or an uncaught error exits
 * at once; queued events and jobs survive that.
 */
export async function untilStopped(stop: () => Promise<void>, log: ServerLog): Promise<never> {
  const fatal = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught error')
    end(log, 'uncaught error; see the log')
  }
  process.on('uncaughtException', fatal)
  process.on('unhandledRejection', fatal)

  await new Promise<void>(resolve => {
    for (const signal of SIGNALS) process.once(signal, () => resolve())
  })
  printInfo('Stopping. Press Ctrl-C again to exit at once.')
  for (const signal of SIGNALS) process.once(signal, () => end(log, 'exiting without a graceful stop'))
  setTimeout(() => end(log, `did not stop within ${STOP_TIMEOUT_MS / SECOND} s; exiting`), STOP_TIMEOUT_MS)
  const failure = await stop().then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (failure) {
    log.error({ err: failure.error }, 'graceful stop failed')
    const { error } = failure
    printError(`graceful stop failed: ${error instanceof Error ? error.message : String(error)}`)
  }
  await log.close()
  // Agenda holds a timer of 30 s for each job that it ran, so the event loop would stay alive.
  process.exit(failure ? 1 : 0)
}

function end(log: ServerLog, why: string): void {
  printError(why)
  void log.close().then(() => process.exit(1))
}

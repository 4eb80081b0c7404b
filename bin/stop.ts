import { SECOND } from '../kernel/base/index.ts'
import type { ServerLog } from './log.ts'
import { printError, printInfo } from './shell.ts'

/** Longer than the grace period of the kernel, 10 s, which begins after the shutdown delay. */
const STOP_TIMEOUT_MS = 15 * SECOND
const SIGNALS = ['SIGTERM', 'SIGINT'] as const
const PARENT_CHECK_INTERVAL_MS = 0.5 * SECOND

/**
 * Returns a signal that the first SIGTERM or SIGINT aborts. A second one exits at once, and so does a stop that takes
 * longer than 15 s and the shutdown delay; queued events and jobs survive that. Call it before anything starts that must be stopped.
 */
export function stopSignal(log: Pick<ServerLog, 'close'>, shutdownDelayMs = 0): AbortSignal {
  const timeoutMs = STOP_TIMEOUT_MS + shutdownDelayMs
  const stopping = new AbortController()
  const stop = () => {
    printInfo('Stopping. Press Ctrl-C again to exit at once.')
    for (const signal of SIGNALS)
      process.off(signal, stop).once(signal, () => end(log, 'exiting without a graceful stop'))
    setTimeout(() => end(log, `did not stop within ${timeoutMs / SECOND} s; exiting`), timeoutMs).unref()
    clearInterval(parentCheck)
    stopping.abort(new Error('stopped by a signal'))
  }
  const parentCheck = watchParent(stop)
  for (const signal of SIGNALS) process.on(signal, stop)
  return stopping.signal
}

/**
 * Calls `stop` when the shell ends in which npm runs its scripts: npm passes a SIGTERM on to the shell only, which doesn't
 * pass it on.
 */
function watchParent(stop: () => void): NodeJS.Timeout | undefined {
  if (process.env.npm_lifecycle_event === undefined) return undefined
  const { ppid } = process
  return setInterval(() => process.ppid !== ppid && stop(), PARENT_CHECK_INTERVAL_MS).unref()
}

/** Waits for the signal, stops gracefully and exits. An uncaught error exits at once. */
export async function untilStopped(stop: () => Promise<void>, log: ServerLog, signal: AbortSignal): Promise<never> {
  const fatal = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught error')
    end(log, 'uncaught error; see the log')
  }
  process.on('uncaughtException', fatal)
  process.on('unhandledRejection', fatal)

  if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
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

function end(log: Pick<ServerLog, 'close'>, why: string): void {
  printError(why)
  void log.close().then(() => process.exit(1))
}

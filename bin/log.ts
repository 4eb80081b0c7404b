import { type DestinationStream, type Logger, pino } from 'pino'
import { logHooks, SECOND, traceFields } from '../kernel/base/index.ts'
import { createLogDestination } from './log-destination.ts'
import { prettyLine } from './pretty-log.ts'

const FLUSH_INTERVAL_MS = 200
/** Limits how long a reader that stopped reading can delay the exit. */
const FINAL_FLUSH_TIMEOUT_MS = SECOND

/** `close` flushes the buffer and never rejects. */
export type ServerLog = Logger & { close(): Promise<void> }

/** Writes to stdout: readable lines on a terminal, else JSON lines, buffered. */
export function serverLog(level: string): ServerLog {
  if (process.stdout.isTTY) {
    const log = pino(
      { level, base: undefined, mixin: traceFields, hooks: logHooks },
      { write: line => void process.stdout.write(prettyLine(line)) },
    )
    return Object.assign(log, { close: async () => {} })
  }
  const destination = createLogDestination(1)
  const timer = setInterval(() => destination.flush(), FLUSH_INTERVAL_MS)
  timer.unref()
  const log = pino({ level, base: undefined, mixin: traceFields, hooks: logHooks }, destination)
  return Object.assign(log, {
    // flushSync retries forever if the reader of the pipe has exited, as in `larder start | tee log` after Ctrl-C.
    close: () =>
      new Promise<void>(resolve => {
        clearInterval(timer)
        setTimeout(resolve, FINAL_FLUSH_TIMEOUT_MS).unref()
        destination.flush(() => resolve())
      }),
  })
}

/** The log of commands that print a result and exit: it writes warnings and errors to stderr. */
export function toolLog(level: string): Logger {
  const quiet = level === 'info' ? 'warn' : level
  return pino(
    { level: quiet, base: undefined, hooks: logHooks },
    pino.destination({ dest: 2, sync: true }) as DestinationStream,
  )
}

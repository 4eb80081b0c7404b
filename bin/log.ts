import { type DestinationStream, type Logger, pino } from 'pino'
import { SECOND } from '../kernel/base/index.ts'

/** Bytes that are gathered before one write: a log line a request would else be a write a request. */
const BUFFER = 4096
const FLUSH_MS = 200
/** A reader that takes nothing any more holds no end up for longer. */
const LAST_FLUSH = SECOND

/** `close` writes out what is gathered, and never rejects. */
export type ServerLog = Logger & { close(): Promise<void> }

/** JSON lines on stdout, gathered; written out every 200 ms and at the end. */
export function serverLog(level: string): ServerLog {
  const destination = pino.destination({ dest: 1, sync: false, minLength: BUFFER })
  const timer = setInterval(() => destination.flush(), FLUSH_MS)
  timer.unref()
  const log = pino({ level, base: undefined }, destination)
  return Object.assign(log, {
    // Not by flushSync: where the reader of a pipe is gone, as of `larder start | tee log` at Ctrl-C, it tries for ever.
    close: () =>
      new Promise<void>(resolve => {
        clearInterval(timer)
        setTimeout(resolve, LAST_FLUSH).unref()
        destination.flush(() => resolve())
      }),
  })
}

/** For commands that answer and end: warnings alone, on stderr. */
export function toolLog(level: string): Logger {
  const quiet = level === 'info' ? 'warn' : level
  return pino({ level: quiet, base: undefined }, pino.destination({ dest: 2, sync: true }) as DestinationStream)
}

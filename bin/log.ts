import { type DestinationStream, type Logger, pino } from 'pino'

/** Bytes that are gathered before one write: a log line a request would else be a write a request. */
const BUFFER = 4096
const FLUSH_MS = 200

/** JSON lines on stdout, gathered; written out every 200 ms and at the end. */
export function serverLog(level: string): Logger & { close(): void } {
  const destination = pino.destination({ dest: 1, sync: false, minLength: BUFFER })
  const timer = setInterval(() => destination.flush(), FLUSH_MS)
  timer.unref()
  const log = pino({ level, base: undefined }, destination)
  return Object.assign(log, {
    close() {
      clearInterval(timer)
      destination.flushSync()
    },
  })
}

/** For commands that answer and end: warnings alone, on stderr. */
export function toolLog(level: string): Logger {
  const quiet = level === 'info' ? 'warn' : level
  return pino({ level: quiet, base: undefined }, pino.destination({ dest: 2, sync: true }) as DestinationStream)
}

/** Keeps the lines that the logger of this process wrote in the last hour, in memory. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { hostname } from 'node:os'
import { HOUR } from '@larder-dev/larder/kernel'
import type { Logger } from 'pino'
import { createLineBuffer, type Line } from './line-buffer.ts'
import type { LogEntry, LogQuery, RecentLog } from './ports.ts'

const WARN = 40
const INFO = 30
/** Warnings and errors have their own buffer: a busy server writes thousands of request lines in a minute. */
const PROBLEM_LIMITS = { lines: 1000, bytes: 2 ** 20, ageMs: HOUR }
const OTHER_LIMITS = { lines: 5000, bytes: 2 ** 21, ageMs: HOUR }
/** Characters. Longer lines keep their beginning. */
const MAX_LINE_LENGTH = 16_384
const MAX_TEXT_LENGTH = 4000

export type RecordedLog = RecentLog & { close(): void }

export function createRecentLog(log: Logger, now: () => number = Date.now): RecordedLog {
  const name = `${hostname()}:${process.pid}`
  const problems = createLineBuffer(PROBLEM_LIMITS)
  const others = createLineBuffer(OTHER_LIMITS)
  let sequence = 0
  const close = onLine(log, text => {
    const line = { sequence: sequence++, at: now(), level: levelOf(text), text: shortened(text) }
    const buffer = line.level >= WARN ? problems : others
    buffer.add(line)
  })

  function list({ minLevel, text, requestId, since = 0, until = Infinity, accepts, limit }: LogQuery) {
    const wanted = text?.toLowerCase()
    const entries: LogEntry[] = []
    const buffers = minLevel >= WARN ? [problems] : [problems, others]
    for (const line of newestOf(buffers.map(buffer => buffer.newest(now())))) {
      if (line.at < since) break
      if (line.at > until || line.level < minLevel) continue
      if (requestId !== undefined && !line.text.includes(requestId)) continue
      if (wanted !== undefined && !line.text.toLowerCase().includes(wanted)) continue
      const entry = toEntry(line, name)
      if (requestId !== undefined && entry.requestId !== requestId) continue
      if (accepts && !accepts(entry)) continue
      if (entries.length === limit) return { entries, hasMore: true }
      entries.push(entry)
    }
    return { entries, hasMore: false }
  }
  return { process: name, list, close }
}

/** Merges lines that are each sorted, newest first. */
function* newestOf(sources: readonly Generator<Line>[]): Generator<Line> {
  const heads = sources.map(source => ({ source, line: source.next().value as Line | undefined }))
  for (;;) {
    const [newest] = heads
      .filter(({ line }) => line !== undefined)
      .sort((a, b) => (b.line?.sequence ?? 0) - (a.line?.sequence ?? 0))
    if (!newest?.line) return
    yield newest.line
    newest.line = newest.source.next().value as Line | undefined
  }
}

function toEntry({ sequence, at, text }: Line, process: string): LogEntry {
  const { level, time, msg, requestId, ...fields } = parse(text)
  return {
    id: `${process}:${sequence}`,
    at: new Date(typeof time === 'number' ? time : at).toISOString(),
    level: typeof level === 'number' ? level : INFO,
    message: typeof msg === 'string' ? msg : '',
    requestId: typeof requestId === 'string' ? requestId : null,
    fields,
  }
}

const parse = (text: string) => JSON.parse(text) as Record<string, unknown>

const LEVEL = '{"level":'
const MAX_LEVEL_DIGITS = 3

/** The level is the first property of a line. */
const levelOf = (text: string): number =>
  text.startsWith(LEVEL) ? Number.parseInt(text.slice(LEVEL.length, LEVEL.length + MAX_LEVEL_DIGITS), 10) : INFO

function shortened(text: string): string {
  if (text.length <= MAX_LINE_LENGTH) return text
  const { level, time, msg, requestId, err } = parse(text)
  const cut = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : value)
  const { type, message, stack } = ((typeof err === 'object' ? err : null) ?? {}) as Record<string, unknown>
  return JSON.stringify({
    level,
    time,
    msg: cut(msg),
    requestId: cut(requestId),
    shortened: true,
    ...(err !== undefined && { err: { type: cut(type), message: cut(message), stack: cut(stack) } }),
  })
}

/** pino publishes each line here before it writes it. */
const LINES = 'tracing:pino_asJson:end'

/** Calls the listener with each line that the logger, its parents or its children write. Returns a function that stops. */
function onLine(log: Logger, listener: (text: string) => void): () => void {
  const receive = (message: unknown) => {
    const { instance, result } = message as { readonly instance: object; readonly result: string }
    if (instance === log || isChildOf(instance, log) || isChildOf(log, instance)) listener(result)
  }
  subscribe(LINES, receive)
  return () => void unsubscribe(LINES, receive)
}

/** A child inherits from its parent. */
const isChildOf = (logger: object, parent: object): boolean => Object.prototype.isPrototypeOf.call(parent, logger)

/**
 * Outages of a server that this process needs. Whoever knows its state announces the beginning and the end, one line each.
 * Until then, all work that needs it fails: its errors are attributed to the outage, and the log counts the lines about
 * them instead of writing them. Errors of other causes are logged as always.
 */
import type { Logger, LoggerOptions } from 'pino'
import { Problem } from './problem.ts'
import { SECOND } from './units.ts'

export interface OutageLogOptions {
  readonly log: Logger
  /** Messages of the two lines. */
  readonly begins: string
  readonly ends: string
}

export interface OutageLog {
  /** The server may be away: lines about attributed errors wait for `begin`, `end` or `close`. */
  suspect(): void
  /** Attributes the error to the outage, if there is or may be one, and returns it. */
  attribute<E>(error: E): E
  /** Announces the outage, unless it is announced. */
  begin(reason: unknown): void
  /** The server answers. */
  end(): void
  /** The state of the server won't be known any more. */
  close(): void
}

/** Undefined while it is only suspected, and false if the server has answered. */
type Announced = boolean | undefined

interface Outage {
  readonly since: Date
  isAnnounced: Announced
  firstError?: unknown
  /** Numbers of lines that were not written, by their message. */
  readonly failures: Map<string, number>
  /** Called when `isAnnounced` is known. */
  readonly waiting: (() => void)[]
}

/** Bounds the end line: modules may write messages with values. */
const MAX_MESSAGES = 50
const WARN = 40
const outages = new WeakMap<object, Outage>()

export function createOutageLog({ log, begins, ends }: OutageLogOptions): OutageLog {
  let current: Outage | undefined

  const suspected = (): Outage =>
    (current ??= { since: new Date(), isAnnounced: undefined, failures: new Map(), waiting: [] })

  function settle(outage: Outage, isAnnounced: boolean): void {
    outage.isAnnounced = isAnnounced
    for (const write of outage.waiting.splice(0)) write()
  }
  function close(): void {
    if (current && current.isAnnounced === undefined) settle(current, false)
    current = undefined
  }

  return {
    suspect: () => void suspected(),
    attribute(error) {
      if (current && error instanceof Error) {
        current.firstError ??= error
        outages.set(error, current)
      }
      return error
    },
    begin(error) {
      const outage = suspected()
      if (outage.isAnnounced) return
      const [reason, firstError] = [reasonOf(error), reasonOf(outage.firstError ?? error)]
      const since = outage.since.toISOString()
      log.error({ reason, ...(firstError !== reason && { firstError }), since }, begins)
      settle(outage, true)
    },
    end() {
      if (current?.isAnnounced) {
        const { since, failures } = current
        const seconds = Math.round((Date.now() - since.getTime()) / (SECOND / 10)) / 10
        log.info({ since: since.toISOString(), seconds, failures: Object.fromEntries(failures) }, ends)
      }
      close()
    },
    close,
  }
}

/** The outage that the error or one of its causes is attributed to. */
function outageOf(error: unknown): Outage | undefined {
  const seen = new Set<unknown>()
  for (let each = error; each instanceof Error && !seen.has(each); each = each.cause) {
    const found = outages.get(each)
    if (found) return found
    seen.add(each)
  }
  return undefined
}

export interface LogWriter {
  write(): unknown
  /** Called instead if the error belongs to an announced outage, which counts the message. */
  withhold(): void
}

/** Calls one of both, at once or when it is known whether there is an outage. */
export function unlessAnnounced(error: unknown, message: string, { write, withhold }: LogWriter): void {
  const outage = outageOf(error)
  const decide = () => {
    if (!outage?.isAnnounced) return void write()
    const { failures } = outage
    const key = failures.has(message) || failures.size < MAX_MESSAGES ? message : 'others'
    failures.set(key, (failures.get(key) ?? 0) + 1)
    withhold()
  }
  if (outage && outage.isAnnounced === undefined) outage.waiting.push(decide)
  else decide()
}

/**
 * Options of a logger. A warning or an error whose `err` belongs to an announced outage is counted, and written at the level
 * `debug`. Another `err` that is a 503, the outage of a server that nobody announces, has no stack.
 */
export const logHooks: NonNullable<LoggerOptions['hooks']> = {
  logMethod(args, method, level) {
    const [fields, message] = args as [unknown, unknown?]
    if (level < WARN || !isLineOfError(fields)) return method.apply(this, args)
    const { err, ...others } = fields
    unlessAnnounced(err, String(message), {
      write: () =>
        isUnavailable(err)
          ? method.call(this, { code: err.code, reason: reasonOf(err), ...others }, String(message))
          : method.apply(this, args),
      withhold: () => this.debug(fields, String(message)),
    })
  },
}

const isLineOfError = (fields: unknown): fields is { readonly err: Error } =>
  typeof fields === 'object' && fields !== null && 'err' in fields && fields.err instanceof Error

const isUnavailable = (error: unknown): error is Problem => Problem.is(error) && error.status === 503

/** The message of the innermost cause, which an operator can act on. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ')
  return cause instanceof Error ? reasonOf(cause) : error.message
}

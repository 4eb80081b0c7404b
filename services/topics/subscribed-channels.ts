/**
 * The channels that have subscribers in any process, in a table. Publishers look channels up after the commit, and
 * publish nothing to the others. An entry outlives the last subscription by more than the retention of messages, so
 * clients that reconnect to another process miss nothing.
 */
import { type Deps, MINUTE, newId, SECOND, type Step, withContext } from 'larder/kernel'

export interface SubscribedChannels {
  /**
   * Resolves with the epoch of the channel once every later message is published. Messages may be missing between two
   * different epochs. Throws if the database is unavailable.
   */
  subscribe(channel: string): Promise<string>
  /** Extends the entries of channels that still have subscriptions. Returns their epochs. */
  renew(channels: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Those of the channels that have subscribers; all if the table can't be read. */
  find(channels: ReadonlySet<string>): Promise<ReadonlySet<string>>
}

interface Entry {
  readonly epoch: string
  /** Time of `performance.now()` until which the entry exists, if nobody extends it. */
  readonly until: number
}
interface EntryRow {
  readonly id: string
  readonly epoch: string
  readonly remaining_ms: number
}

const LEASE_MS = 5 * MINUTE
export const RENEW_INTERVAL_MS = MINUTE
/** An entry with less time has a new epoch: a publisher may miss an extension that is committed after the end. */
const MIN_REMAINING_MS = 30 * SECOND
/**
 * A new subscription doesn't extend an entry with more time. If it ends before the next renewal, the entry still outlives
 * it by more than the retention of messages.
 */
const FRESH_MS = LEASE_MS - RENEW_INTERVAL_MS
const MAX_BATCH = 500
/** Kept in memory. */
const MAX_ENTRIES = 10_000

const interval = (milliseconds: number): string => `interval '${milliseconds / SECOND} seconds'`
const REMAINING = '(extract(epoch from until - now()) * 1000)::float8 as remaining_ms'
const FIND = `/* pipelined */ select id, epoch, ${REMAINING} from larder_subscribed_channels
  where id = any ($1::text[]) and until > now()`
const EXTEND = `insert into larder_subscribed_channels as c (id, epoch, until)
  select id, $2, now() + ${interval(LEASE_MS)} from unnest($1::text[]) id
  on conflict (id) do update set until = greatest(c.until, excluded.until),
    epoch = case when c.until > now() + ${interval(MIN_REMAINING_MS)} then c.epoch else excluded.epoch end
  returning id, epoch, ${REMAINING}`
/** Waits for no other process. */
const DELETE_ENDED: Step = [
  `delete from larder_subscribed_channels where id in (select id from larder_subscribed_channels
    where until < now() - ${interval(LEASE_MS)} limit 1000 for update skip locked)`,
]

export function createSubscribedChannels({ systemDatabase, log }: Deps<'systemDatabase' | 'log'>): SubscribedChannels {
  const unit = () => systemDatabase.acrossTenants('channels of topics belong to all processes')
  const known = new Map<string, Entry>()
  /** The next extension, which more channels may join. */
  let next: { readonly channels: Set<string>; readonly epochs: Promise<ReadonlyMap<string, string>> } | undefined
  let last: Promise<unknown> = Promise.resolve()

  const remaining = (channel: string): number => (known.get(channel)?.until ?? 0) - performance.now()

  /** `asked` is the time at which the statement was sent: no entry ends before that time plus its remaining time. */
  function remember(rows: readonly EntryRow[], asked: number): void {
    if (known.size >= MAX_ENTRIES) known.clear()
    for (const { id, epoch, remaining_ms } of rows) known.set(id, { epoch, until: asked + remaining_ms })
  }

  /** Runs `work` after earlier work of this process, outside the unit and the precondition of the caller. */
  function queue<T>(work: () => Promise<T>): Promise<T> {
    const queued = withContext({ unit: undefined, precondition: undefined }, () => last.then(work))
    last = queued.catch(() => undefined)
    return queued
  }

  async function extend(channels: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const epochs = new Map<string, string>()
    // All processes lock entries in the same order, so that they can't deadlock.
    const sorted = [...channels].sort()
    for (let at = 0; at < sorted.length; at += MAX_BATCH) {
      const asked = performance.now()
      const values = [sorted.slice(at, at + MAX_BATCH), newId('epoch').slice(-EPOCH_LENGTH)]
      const { rows } = await unit().query<EntryRow>(EXTEND, values)
      remember(rows, asked)
      for (const { id, epoch } of rows) epochs.set(id, epoch)
    }
    return epochs
  }

  function extendWithNext(): NonNullable<typeof next> {
    const channels = new Set<string>()
    const epochs = queue(() => {
      next = undefined
      return extend(channels)
    })
    return { channels, epochs }
  }

  return {
    async subscribe(channel) {
      if (remaining(channel) > FRESH_MS) return (known.get(channel) as Entry).epoch
      next ??= extendWithNext()
      next.channels.add(channel)
      return (await next.epochs).get(channel) as string
    },
    renew: channels =>
      queue(async () => {
        const epochs = await extend(channels)
        await unit().batch([DELETE_ENDED])
        return epochs
      }),
    async find(channels) {
      const unknown = [...channels].filter(channel => remaining(channel) <= 0)
      if (unknown.length === 0) return channels
      const asked = performance.now()
      try {
        const { rows } = await unit().query<EntryRow>(FIND, [unknown])
        remember(rows, asked)
        const found = new Set(channels)
        for (const channel of unknown) found.delete(channel)
        for (const { id } of rows) found.add(id)
        return found
      } catch (error) {
        log.warn({ err: error }, 'the subscribed channels could not be read, so every message is published')
        return channels
      }
    },
  }
}
/** Random characters at the end of an ID. */
const EPOCH_LENGTH = 8

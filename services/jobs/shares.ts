/**
 * Shares a worker among tenants. Jobs are leased oldest first, until those of one tenant fill a lease: it may have a backlog,
 * so the next lease takes one job of each tenant, in turn. Some of the slots of a job stay free for other tenants, so that
 * a tenant whose jobs hang doesn't hold up theirs. In a product of people, each customer counts as tenants do elsewhere.
 */
import type { Job } from '@larder-dev/larder/kernel'

/** Free slots of a job. */
export interface Room {
  readonly job: Job
  readonly slots: number
}
export interface TurnRoom extends Room {
  /** The tenant that had the last turn. */
  readonly after: string
  /** Tenants that have their share already. */
  readonly without: readonly string[]
}
/** A job that runs, or was leased just now. */
interface Held {
  readonly name: string
  readonly tenant_id: string | null
  readonly share?: string | null
}

export interface Shares {
  /**
   * What this worker can lease. The slots of all rooms may exceed those of the process.
   * @param free slots of the process.
   */
  rooms(
    running: readonly Held[],
    free: number,
  ): { readonly oldest: readonly Room[]; readonly inTurn: readonly TurnRoom[] }
  tookOldest(rooms: readonly Room[], rows: readonly Held[]): void
  /** Returns whether another lease may find more. */
  tookInTurn(rooms: readonly TurnRoom[], rows: readonly Held[]): boolean
}

const DEFAULT_CONCURRENCY = 10
/** One of so many slots stays free for other tenants. */
const RESERVED = 5
/** A job with two slots or more keeps one at least free for other people. */
const RESERVED_FOR_PEOPLE = 1
/** How long a worker doesn't look for other tenants after it found none: it reads an entry of each that waits for a time. */
const REST_MS = 200
/** Jobs without a tenant have turns, too. Below every ID. */
export const NO_TENANT = '-'
const keyOf = ({ tenant_id, share }: Held): string => share ?? tenant_id ?? NO_TENANT
const isOfSomebody = (held: Held): boolean => keyOf(held) !== NO_TENANT

export function createShares(
  jobs: readonly Job[],
  now: () => number = () => performance.now(),
  byPerson = false,
): Shares {
  const minReserved = byPerson ? RESERVED_FOR_PEOPLE : 0

  /** Names of jobs of which one tenant filled the last lease. */
  const filled = new Set<string>()
  /** The tenant that had the last turn, by the name of the job. */
  const last = new Map<string, string>()
  const restsUntil = new Map<string, number>()

  function roomOf(job: Job, running: readonly Held[], free: number): { oldest?: Room; inTurn?: TurnRoom } {
    const own = running.filter(({ name }) => name === job.name)
    const concurrency = job.concurrency ?? DEFAULT_CONCURRENCY
    const slots = Math.min(concurrency - own.length, free)
    if (slots <= 0) return {}
    const share = Math.max(1, concurrency - Math.max(minReserved, Math.floor(concurrency / RESERVED)))
    const held = new Map<string, number>()
    for (const key of own.filter(isOfSomebody).map(keyOf)) held.set(key, (held.get(key) ?? 0) + 1)
    const without = [...held].flatMap(([key, count]) => (count >= share ? key : []))
    const isResting = (restsUntil.get(job.name) ?? 0) > now()
    if ((without.length > 0 || filled.has(job.name)) && !isResting)
      return { inTurn: { job, slots, after: last.get(job.name) ?? '', without } }
    if (without.length > 0) return {}
    return { oldest: { job, slots: Math.min(slots, share - Math.max(0, ...held.values())) } }
  }

  return {
    rooms(running, free) {
      const rooms = jobs.map(job => roomOf(job, running, free))
      return {
        oldest: rooms.flatMap(({ oldest }) => oldest ?? []),
        inTurn: rooms.flatMap(({ inTurn }) => inTurn ?? []),
      }
    },
    tookOldest(rooms, rows) {
      for (const { job, slots } of rooms) {
        const own = rows.filter(({ name }) => name === job.name)
        const [first] = own
        if (first && isOfSomebody(first) && own.length === slots && own.every(each => keyOf(each) === keyOf(first)))
          filled.add(job.name)
      }
    },
    tookInTurn(rooms, rows) {
      let hasMore = rows.length > 0
      for (const { job, slots, after } of rooms) {
        const own = rows.filter(({ name }) => name === job.name)
        filled.delete(job.name)
        // After the last tenant, it is the turn of the first.
        last.set(job.name, own.length < slots ? '' : own.map(keyOf).reduce((a, b) => (a > b ? a : b)))
        if (own.length > 0) continue
        if (after === '') restsUntil.set(job.name, now() + REST_MS)
        else hasMore = true
      }
      return hasMore
    },
  }
}

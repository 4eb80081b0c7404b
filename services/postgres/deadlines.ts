/**
 * Time limits of connections, batches and checkouts. One timer serves all limits of the same length: a timer for each
 * would cost about as much as sending a batch.
 */
import { AsyncResource } from 'node:async_hooks'
import { SECOND } from 'larder/kernel'
import { createLinkedQueue, type LinkedQueue, type Links } from './linked-queue.ts'

export interface Deadline extends Links<Deadline> {
  /** Milliseconds, as `performance.now()`. */
  readonly at: number
  readonly group: Group
  expire(): void
}
interface Group {
  readonly milliseconds: number
  /** In the order in which they end. */
  readonly pending: LinkedQueue<Deadline>
  /** When its timer ends; undefined without a timer. */
  timerAt: number | undefined
}

/** A timer that is later than this was delayed by a pause of the process, for example on a machine without free cores. */
const MIN_PAUSE_MS = 100
/** How much later than its time a limit may expire because of pauses. */
const MAX_EXTENSION_MS = 20 * SECOND

const groups = new Map<number, Group>()
/** A timer keeps the async context in which it starts. */
const root = new AsyncResource('larder.deadlines')

/**
 * Calls `expire` after this time, unless `clearDeadline` is called before. Pauses of the process extend the time. Doesn't
 * keep the process running.
 */
export function setDeadline(milliseconds: number, expire: () => void): Deadline {
  const group = groups.get(milliseconds) ?? { milliseconds, pending: createLinkedQueue(), timerAt: undefined }
  groups.set(milliseconds, group)
  const deadline = { at: performance.now() + milliseconds, group, expire, previous: undefined, next: undefined }
  group.pending.add(deadline)
  if (group.timerAt === undefined) arm(group, milliseconds)
  return deadline
}

export function clearDeadline(deadline: Deadline): void {
  deadline.group.pending.remove(deadline)
}

function arm(group: Group, milliseconds: number): void {
  group.timerAt = performance.now() + milliseconds
  // Timers run before sockets are read: after a pause of this process, responses may have arrived that nobody has read.
  const expireAfterRead = () => setImmediate(() => expireDue(group))
  root.runInAsyncScope(() => setTimeout(expireAfterRead, Math.ceil(milliseconds)).unref())
}

function expireDue(group: Group): void {
  const now = performance.now()
  const pausedMs = now - (group.timerAt ?? now)
  group.timerAt = undefined
  for (let deadline = group.pending.first; deadline; deadline = group.pending.first) {
    // Work that takes several responses needs the time of the pause, too.
    const extension = pausedMs > MIN_PAUSE_MS ? Math.min(pausedMs, deadline.at + MAX_EXTENSION_MS - now) : 0
    const rest = Math.max(deadline.at - now, extension)
    if (rest > 0) {
      arm(group, rest)
      return
    }
    group.pending.remove(deadline)
    deadline.expire()
  }
}

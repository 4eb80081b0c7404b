/**
 * Time limits of batches and checkouts. One timer serves all limits of the same length: a timer for each would cost about
 * as much as sending a batch.
 */
import { AsyncResource } from 'node:async_hooks'

export interface Deadline {
  /** Milliseconds, as `performance.now()`. */
  readonly at: number
  readonly group: Group
  expire(): void
}
interface Group {
  readonly milliseconds: number
  /** In the order in which they end. */
  readonly pending: Set<Deadline>
  armed: boolean
}

const groups = new Map<number, Group>()
/** A timer keeps the async context in which it starts. */
const root = new AsyncResource('larder.deadlines')

/** Calls `expire` after this time, unless `clearDeadline` is called before. Doesn't keep the process running. */
export function setDeadline(milliseconds: number, expire: () => void): Deadline {
  const group = groups.get(milliseconds) ?? { milliseconds, pending: new Set(), armed: false }
  groups.set(milliseconds, group)
  const deadline = { at: performance.now() + milliseconds, group, expire }
  group.pending.add(deadline)
  if (!group.armed) arm(group, milliseconds)
  return deadline
}

export function clearDeadline(deadline: Deadline): void {
  deadline.group.pending.delete(deadline)
}

function arm(group: Group, milliseconds: number): void {
  group.armed = true
  // Timers run before sockets are read: after a pause of this process, responses may have arrived that nobody has read.
  const expireAfterRead = () => setImmediate(() => expireDue(group))
  root.runInAsyncScope(() => setTimeout(expireAfterRead, Math.ceil(milliseconds)).unref())
}

function expireDue(group: Group): void {
  group.armed = false
  const now = performance.now()
  for (const deadline of group.pending) {
    if (deadline.at > now) {
      arm(group, deadline.at - now)
      return
    }
    group.pending.delete(deadline)
    deadline.expire()
  }
}

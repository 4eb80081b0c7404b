/**
 * Time limits of batches and checkouts. One timer serves all limits of the same length: a timer for each would cost about
 * as much as sending a batch.
 */
import { AsyncResource } from 'node:async_hooks'
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
  armed: boolean
}

const groups = new Map<number, Group>()
/** A timer keeps the async context in which it starts. */
const root = new AsyncResource('larder.deadlines')

/** Calls `expire` after this time, unless `clearDeadline` is called before. Doesn't keep the process running. */
export function setDeadline(milliseconds: number, expire: () => void): Deadline {
  const group = groups.get(milliseconds) ?? { milliseconds, pending: createLinkedQueue(), armed: false }
  groups.set(milliseconds, group)
  const deadline = { at: performance.now() + milliseconds, group, expire, previous: undefined, next: undefined }
  group.pending.add(deadline)
  if (!group.armed) arm(group, milliseconds)
  return deadline
}

export function clearDeadline(deadline: Deadline): void {
  deadline.group.pending.remove(deadline)
}

function arm(group: Group, milliseconds: number): void {
  group.armed = true
  root.runInAsyncScope(() => setTimeout(() => expireDue(group), Math.ceil(milliseconds)).unref())
}

function expireDue(group: Group): void {
  group.armed = false
  const now = performance.now()
  for (let deadline = group.pending.first; deadline; deadline = group.pending.first) {
    if (deadline.at > now) {
      arm(group, deadline.at - now)
      return
    }
    group.pending.remove(deadline)
    deadline.expire()
  }
}

/**
 * Sends messages of channels to their subscriptions, in order. What a subscriber may see is computed once for all with
 * the same view, and a frame is encoded once for all subscriptions with the same ID. Other work runs between chunks.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { withContext } from '@larder-dev/larder/kernel'
import type { Channel } from './message-log.ts'
import type { ClientSubscription } from './subscription.ts'

/** A message for subscriptions of a channel. */
export interface Delivery {
  readonly text: string
  readonly position: string
  /** The parsed message. */
  value(): unknown
}

/** Views that are computed, and frames that are sent, before other work runs. */
const CHUNK_SIZE = 100
/** Messages of one channel that wait, times their subscriptions. Later ones become gaps. */
const MAX_WAITING = 100_000

interface Target {
  readonly subscription: ClientSubscription
  /** A message that was published before a gap isn't sent after it: the client has read newer state. */
  readonly gaps: number
}
interface Job {
  readonly message: Delivery
  readonly targets: readonly Target[]
}
interface Queue {
  readonly jobs: Job[]
  waiting: number
}
/** Subscriptions that see the same of a message. */
interface Group {
  readonly view: ClientSubscription['grant']['view']
  readonly members: { readonly target: Target; readonly grant: ClientSubscription['grant'] }[]
}

export function createDeliveries(failed: (error: unknown) => void) {
  const queues = new Map<string, Queue>()

  async function run(id: string, queue: Queue): Promise<void> {
    for (let job = queue.jobs[0]; job; job = queue.jobs[0]) {
      await deliver(job.message, job.targets).catch(failed)
      queue.jobs.shift()
      queue.waiting -= job.targets.length
    }
    queues.delete(id)
  }

  async function deliver(message: Delivery, targets: readonly Target[]): Promise<void> {
    let sent = 0
    const changed: Target[] = []
    for (const chunk of chunksOf(groupsOf(targets))) {
      // All of a chunk begin in one turn, so that they can read from the database together.
      const seen = await Promise.all(chunk.map(group => see(group, message)))
      for (const [index, { members }] of chunk.entries()) {
        const text = seen[index]
        const frames = new Map<string, Buffer>()
        for (const { target, grant } of members) {
          const { subscription } = target
          if (!isOpen(target)) continue
          // Its rights may have changed meanwhile.
          if (subscription.grant !== grant) changed.push(target)
          else if (text === FAILED) subscription.pauseWithGap()
          else if (text !== undefined) subscription.deliver(frames, text, message.position)
          if (++sent % CHUNK_SIZE === 0) await nextTurn()
        }
      }
      if (chunk.length === CHUNK_SIZE) await nextTurn()
    }
    if (changed.length > 0) await deliver(message, changed)
  }

  /** The JSON of what these subscribers see of the message; undefined to skip it. */
  async function see({ view, members }: Group, message: Delivery): Promise<string | typeof FAILED | undefined> {
    if (!view) return message.text
    if (!members.some(({ target }) => isOpen(target))) return undefined
    try {
      const value = message.value()
      const seen = await view(value)
      return seen === undefined ? undefined : seen === value ? message.text : JSON.stringify(seen)
    } catch (error) {
      failed(error)
      return FAILED
    }
  }

  return {
    send({ id }: Channel<ClientSubscription>, message: Delivery, subscriptions: Iterable<ClientSubscription>): void {
      const targets = [...subscriptions].map(subscription => ({ subscription, gaps: subscription.gaps })).filter(isOpen)
      if (targets.length === 0) return
      const queue = queues.get(id) ?? { jobs: [], waiting: 0 }
      if (queue.waiting > MAX_WAITING) {
        for (const { subscription } of targets) subscription.pauseWithGap()
        return
      }
      queue.waiting += targets.length
      if (queue.jobs.push({ message, targets }) > 1) return
      queues.set(id, queue)
      withContext({ unit: undefined, precondition: undefined, beside: 0, share: undefined }, () =>
        run(id, queue),
      ).catch(failed)
    },
  }
}
export type Deliveries = ReturnType<typeof createDeliveries>

const FAILED = Symbol('failed')

const isOpen = ({ subscription, gaps }: Target): boolean =>
  !subscription.closed && !subscription.isPaused && subscription.gaps === gaps

function groupsOf(targets: readonly Target[]): Group[] {
  const groups = new Map<unknown, Group>()
  for (const target of targets) {
    const { grant } = target.subscription
    // Without a view, all see the message itself.
    const key = grant.view ? (grant.sharedView ?? target) : undefined
    const group = groups.get(key)
    if (group) group.members.push({ target, grant })
    else groups.set(key, { view: grant.view, members: [{ target, grant }] })
  }
  return [...groups.values()]
}

function* chunksOf(groups: readonly Group[]): Iterable<readonly Group[]> {
  for (let at = 0; at < groups.length; at += CHUNK_SIZE) yield groups.slice(at, at + CHUNK_SIZE)
}

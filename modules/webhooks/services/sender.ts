/** Sends due deliveries with limited concurrency per host. Only workers wake it. */
import { AsyncResource } from 'node:async_hooks'
import { newId, SECOND } from 'larder/kernel'
import { isFull, saturated, selectNext } from '../domain/host-scheduling.ts'
import type { WebhookSender } from '../ports.ts'
import { createAttempt, type SenderDeps } from './attempt.ts'
import { createAttemptWriter } from './attempt-writer.ts'
import {
  CLAIM_HOSTS,
  CLAIM_ROWS_PER_HOST,
  CLAIM_ROWS_PER_TENANT,
  type ClaimedDelivery,
  createDeliveryQueue,
  LEASE_MS,
} from './delivery-queue.ts'
import type { HttpClient } from './http-client.ts'
import { createResponseTimes } from './response-times.ts'

/** Deliveries held by this process, waiting or in flight. */
const MAX_HELD = 4096
/** A tenant with unresponsive receivers leaves room for others. */
export const MAX_HELD_PER_TENANT = 1024
const MAX_HELD_PER_HOST = 128
/** Interval of deep claims, which look past saturated addresses for others of the same host. */
const DEEP_CLAIM_INTERVAL_MS = 250
/** Requests in flight at a stop may take this long before they are aborted. */
const STOP_GRACE_MS = 5 * SECOND
/** While hosts have enough deliveries, calls of `wake` within this time become one claim: most find nothing to claim. */
const BUSY_WAKE_INTERVAL_MS = 20
const RENEWAL_INTERVAL_MS = LEASE_MS / 3

interface HostQueue {
  readonly waiting: ClaimedDelivery[]
  readonly inFlight: ClaimedDelivery[]
  /** The last claim was full, so that more rows are likely due. */
  hasMore: boolean
}

export function createSender(deps: SenderDeps, http: HttpClient): WebhookSender {
  const { log } = deps
  const queue = createDeliveryQueue(deps, newId('snd'))
  const attempt = createAttempt(deps, http)
  const attemptWriter = createAttemptWriter(queue, log, () => {
    if (wakeRequested) wake()
    notifyIfIdle()
  })
  const responseTimes = createResponseTimes()
  const hostQueues = new Map<string, HostQueue>()
  const aborted: string[] = []
  let wakeRequested = false
  /** The last claim omitted tenants, which may have due rows. */
  let tenantsOmitted = false
  let claiming = false
  let claimed: Promise<void> | undefined
  let stopping = false
  let renewal: NodeJS.Timeout | undefined
  let deepClaimTimer: NodeJS.Timeout | undefined
  let busyWakeTimer: NodeJS.Timeout | undefined
  let lastDeep = 0
  let onIdle: (() => void) | undefined

  const waiting = () => [...hostQueues.values()].flatMap(hostQueue => hostQueue.waiting)
  const held = () => [
    ...[...hostQueues.values()].flatMap(hostQueue => [...hostQueue.waiting, ...hostQueue.inFlight]),
    ...attemptWriter.unwritten(),
  ]

  /** Bound to its own async context, because callers may be inside a unit of work that this must not join. */
  const wake = AsyncResource.bind((): void => {
    wakeRequested = true
    if (!stopping && !claiming) claimed = claimAll()
  })

  function wakeSoon(): void {
    if (![...hostQueues.values()].some(hasEnough)) {
      wake()
      return
    }
    busyWakeTimer ??= setTimeout(() => {
      busyWakeTimer = undefined
      wake()
    }, BUSY_WAKE_INTERVAL_MS).unref()
  }

  /** Stops at the maximum of held deliveries. `wakeRequested` remains set until there is room again. */
  async function claimAll(): Promise<void> {
    claiming = true
    try {
      while (wakeRequested && !stopping && held().length < MAX_HELD) {
        wakeRequested = false
        const tenants = fullTenants()
        tenantsOmitted = tenants.length > 0
        const limits = {
          hosts: fullHosts(),
          ...saturated(waiting(), responseTimes.speedOf),
          tenants,
          quickHosts: quickHosts(),
        }
        const claimed = await queue.claim(limits)
        accept(claimed)
        if (isPartial(claimed)) wakeRequested = true
      }
    } catch (error) {
      log.warn({ err: error }, 'failed to claim due webhooks')
    }
    claiming = false
  }

  function fullTenants(): string[] {
    return [...countTenants(held())].filter(([, count]) => count >= MAX_HELD_PER_TENANT).map(([tenant]) => tenant)
  }

  const hasEnough = ({ waiting }: HostQueue): boolean => isFull(waiting, responseTimes.speedOf)

  /** Hosts to omit from the next claim. A deep claim is expensive for long queues, so it runs at intervals. */
  function fullHosts(): string[] {
    const deep = performance.now() - lastDeep >= DEEP_CLAIM_INTERVAL_MS
    if (deep) lastDeep = performance.now()
    const isOmitted = (hostQueue: HostQueue) =>
      deep ? hostQueue.waiting.length >= MAX_HELD_PER_HOST : hasEnough(hostQueue)
    const full = [...hostQueues].filter(([, hostQueue]) => isOmitted(hostQueue)).map(([host]) => host)
    if (!deep && full.length > 0)
      deepClaimTimer ??= setTimeout(() => {
        deepClaimTimer = undefined
        wake()
      }, DEEP_CLAIM_INTERVAL_MS).unref()
    return full
  }

  /** Hosts of which every held delivery goes to an address that responds quickly. */
  function quickHosts(): string[] {
    const isQuick = ({ address }: ClaimedDelivery) => responseTimes.speedOf(address) === 'quick'
    return [...hostQueues]
      .filter(([, { waiting, inFlight }]) => waiting.every(isQuick) && inFlight.every(isQuick))
      .map(([host]) => host)
  }

  function accept(claimed: readonly ClaimedDelivery[]): void {
    const hosts = new Set(claimed.map(({ host }) => host))
    const partial = isPartial(claimed)
    for (const host of hosts) {
      const deliveries = claimed.filter(delivery => delivery.host === host)
      const hostQueue = hostQueues.get(host) ?? { waiting: [], inFlight: [], hasMore: false }
      hostQueues.set(host, hostQueue)
      hostQueue.waiting.push(...deliveries)
      hostQueue.hasMore = partial || deliveries.length >= CLAIM_ROWS_PER_HOST
      advance(host, hostQueue)
    }
    if (hosts.size > 0) renewal ??= setInterval(renew, RENEWAL_INTERVAL_MS).unref()
  }

  function advance(host: string, hostQueue: HostQueue): void {
    for (;;) {
      const next = stopping ? undefined : selectNext(hostQueue.waiting, hostQueue.inFlight, responseTimes.speedOf)
      if (next === undefined) break
      const [delivery] = hostQueue.waiting.splice(next, 1) as [ClaimedDelivery]
      hostQueue.inFlight.push(delivery)
      const finish = responseTimes.begin(delivery.address, () => advance(host, hostQueue))
      void attempt(delivery).then(result => {
        finish()
        hostQueue.inFlight.splice(hostQueue.inFlight.indexOf(delivery), 1)
        if (result) attemptWriter.add(result)
        else if (stopping) aborted.push(delivery.id)
        advance(host, hostQueue)
        afterAttempt(host, hostQueue)
      })
    }
  }

  function afterAttempt(host: string, hostQueue: HostQueue): void {
    const isLow = hostQueue.hasMore && !hasEnough(hostQueue)
    if (wakeRequested || tenantsOmitted || isLow) wake()
    if (hostQueue.waiting.length + hostQueue.inFlight.length === 0) hostQueues.delete(host)
    notifyIfIdle()
  }

  function notifyIfIdle(): void {
    if (hostQueues.size > 0 || attemptWriter.unwritten().length > 0) return
    clearInterval(renewal)
    renewal = undefined
    onIdle?.()
  }

  const renew = AsyncResource.bind(() => {
    queue
      .renew(held().map(({ id }) => id))
      .catch(error => log.warn({ err: error }, 'failed to renew the leases of webhooks'))
  })

  async function releaseWaiting(): Promise<void> {
    const waitingDeliveries = [...hostQueues.values()].flatMap(hostQueue => hostQueue.waiting.splice(0))
    if (waitingDeliveries.length > 0) await queue.release(waitingDeliveries.map(({ id }) => id))
    for (const [host, hostQueue] of hostQueues) afterAttempt(host, hostQueue)
  }

  return {
    wake: wakeSoon,
    async stop() {
      stopping = true
      clearTimeout(deepClaimTimer)
      clearTimeout(busyWakeTimer)
      await claimed
      const finished = new Promise<void>(resolve => {
        onIdle = resolve
      })
      const cut = setTimeout(() => http.abort(), STOP_GRACE_MS)
      await releaseWaiting().catch(error =>
        log.warn({ err: error }, 'failed to release webhooks; their leases will expire'),
      )
      notifyIfIdle()
      await finished
      await attemptWriter.flush()
      if (aborted.length > 0) await queue.release(aborted)
      clearTimeout(cut)
      http.close()
    },
  }
}

function countTenants(deliveries: readonly ClaimedDelivery[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { tenant_id } of deliveries) counts.set(tenant_id, (counts.get(tenant_id) ?? 0) + 1)
  return counts
}

/** Whether a claim reached its limit of hosts or of rows per tenant, so that more rows are likely due. */
const isPartial = (claimed: readonly ClaimedDelivery[]): boolean =>
  new Set(claimed.map(({ host }) => host)).size >= CLAIM_HOSTS ||
  [...countTenants(claimed).values()].some(count => count >= CLAIM_ROWS_PER_TENANT)

/** Sends due deliveries with limited concurrency per host. */
import { AsyncResource } from 'node:async_hooks'
import { type Deps, newId, SECOND } from '@larder-dev/larder/kernel'
import type { ClaimedDelivery } from '../domain/delivery.ts'
import { isFull, saturated, selectNext } from '../domain/host-scheduling.ts'
import { policyOf, type WebhooksOptions } from '../options.ts'
import { createAttempt, type SenderDeps } from './attempt.ts'
import { createAttemptWriter } from './attempt-writer.ts'
import { CLAIM_ROWS_PER_HOST, type Claim, countTenants, createDeliveryQueue, LEASE_MS } from './delivery-queue.ts'
import { createHostLeases } from './host-leases.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
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
const BUSY_WAKE_INTERVAL_MS = 50
/** Hosts without deliveries are released together within this time, by a claim that also finds their new deliveries. */
const RELEASE_INTERVAL_MS = 20

interface HostQueue {
  readonly waiting: ClaimedDelivery[]
  readonly inFlight: ClaimedDelivery[]
  /** The last claim was full, so that more rows are likely due. */
  hasMore: boolean
}

export interface Sender {
  /** Sends due deliveries in the background. Cheap and safe to call at any time. */
  wake(): void
  /** Waits a grace period for requests in flight and releases the other deliveries. */
  stop(): Promise<void>
}

/** A sender that connects as the port `outbound` allows. */
export function createConnectedSender(
  deps: SenderDeps & Deps<'outbound' | 'process'>,
  options: WebhooksOptions,
): Sender {
  const sender = createSender(deps, createHttpClient(deps.outbound.connections(policyOf(options))))
  // A process that only answers requests sends nothing: the job of a worker finds what is due.
  return deps.process.role === 'web' ? { ...sender, wake() {} } : sender
}

export function createSender(deps: SenderDeps, http: HttpClient): Sender {
  const { log } = deps
  const queue = createDeliveryQueue(deps, newId('snd'))
  const attempt = createAttempt(deps, http)
  const attemptWriter = createAttemptWriter(queue, log, failed => {
    for (const { delivery } of failed) holdBack(delivery)
    if (wakeRequested) wake()
    if (leases.idle().length > 0) releaseSoon()
    notifyIfIdle()
  })
  const responseTimes = createResponseTimes()
  const hostQueues = new Map<string, HostQueue>()
  /** Deliveries whose attempt has ended, but whose result isn't stored yet. */
  const heldBack = new Set<ClaimedDelivery>()
  const leases = createHostLeases({ queue, log, usedHosts, onLost: dropWaiting })
  let wakeRequested = false
  /** The last claim omitted tenants, which may have due rows. */
  let tenantsOmitted = false
  let claiming = false
  let claimed: Promise<void> | undefined
  let stopping = false
  let deepClaimTimer: NodeJS.Timeout | undefined
  let busyWakeTimer: NodeJS.Timeout | undefined
  let releaseTimer: NodeJS.Timeout | undefined
  let lastDeep = 0
  let onIdle: (() => void) | undefined

  const waiting = () => [...hostQueues.values()].flatMap(hostQueue => hostQueue.waiting)
  const held = () => [
    ...[...hostQueues.values()].flatMap(hostQueue => [...hostQueue.waiting, ...hostQueue.inFlight]),
    ...attemptWriter.unwritten(),
    ...heldBack,
  ]

  /** Delays the next attempt after an error of this process or of the database. */
  function holdBack(delivery: ClaimedDelivery): void {
    heldBack.add(delivery)
    setTimeout(() => {
      heldBack.delete(delivery)
      wake()
    }, LEASE_MS).unref()
  }

  function usedHosts(): Set<string> {
    return new Set([...hostQueues.keys(), ...attemptWriter.unwritten().map(({ host }) => host)])
  }

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

  function releaseSoon(): void {
    releaseTimer ??= setTimeout(() => {
      releaseTimer = undefined
      wake()
    }, RELEASE_INTERVAL_MS).unref()
  }

  /** Stops at the maximum of held deliveries. `wakeRequested` remains set until there is room again. */
  async function claimAll(): Promise<void> {
    claiming = true
    try {
      while (wakeRequested && !stopping && held().length < MAX_HELD) {
        wakeRequested = false
        const tenants = fullTenants()
        tenantsOmitted = tenants.length > 0
        const idle = leases.idle()
        const limits = {
          held: held().map(({ id }) => id),
          idleHosts: idle,
          hosts: fullHosts(),
          ...saturated(waiting(), responseTimes.speedOf),
          tenants,
          quickHosts: quickHosts(),
        }
        const claim = await queue.claim(limits)
        leases.delete(idle)
        accept(claim)
        if (claim.isPartial || claim.moved > 0) wakeRequested = true
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

  function accept({ deliveries: claimed, isPartial }: Claim): void {
    for (const host of new Set(claimed.map(({ host }) => host))) {
      leases.add(host)
      const deliveries = claimed.filter(delivery => delivery.host === host)
      const hostQueue = hostQueues.get(host) ?? { waiting: [], inFlight: [], hasMore: false }
      hostQueues.set(host, hostQueue)
      hostQueue.waiting.push(...deliveries)
      hostQueue.hasMore = isPartial || deliveries.length >= CLAIM_ROWS_PER_HOST
      advance(host, hostQueue)
    }
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
        else holdBack(delivery)
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
    if (hostQueues.size === 0) onIdle?.()
  }

  /** Deliveries without an attempt remain due. */
  function dropWaiting(host: string): void {
    const hostQueue = hostQueues.get(host)
    if (!hostQueue) return
    hostQueue.waiting.length = 0
    afterAttempt(host, hostQueue)
  }

  deps.caches.keep({
    has: tenantId => waiting().some(delivery => delivery.tenant_id === tenantId),
    delete(tenantId) {
      for (const [host, hostQueue] of hostQueues) {
        const others = hostQueue.waiting.filter(delivery => delivery.tenant_id !== tenantId)
        hostQueue.waiting.splice(0, hostQueue.waiting.length, ...others)
        afterAttempt(host, hostQueue)
      }
    },
    clear() {
      for (const host of [...hostQueues.keys()]) dropWaiting(host)
      wake()
    },
  })

  return {
    wake: wakeSoon,
    async stop() {
      stopping = true
      clearTimeout(deepClaimTimer)
      clearTimeout(busyWakeTimer)
      clearTimeout(releaseTimer)
      await claimed
      const finished = new Promise<void>(resolve => {
        onIdle = resolve
      })
      const cut = setTimeout(() => http.abort(), STOP_GRACE_MS)
      for (const host of [...hostQueues.keys()]) dropWaiting(host)
      notifyIfIdle()
      await finished
      await attemptWriter.flush()
      clearTimeout(cut)
      await leases.close()
      http.close()
    },
  }
}

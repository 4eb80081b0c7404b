/** Sends what is due, many at a time, a few a host. Runs where it is woken: in workers. */

import { AsyncResource } from 'node:async_hooks'
import { setMaxListeners } from 'node:events'
import { type Deps, newId, SECOND } from 'larder/kernel'
import { bodyOf } from '../domain/payload.ts'
import { MAX_PER_HOST, nextOf, plentiful } from '../domain/host-scheduling.ts'
import { verdictOf } from '../domain/retry-schedule.ts'
import { signedHeaders } from '../domain/signature.ts'
import type { Answered, Post } from './http-client.ts'
import { createPaces } from './response-times.ts'
import type { WebhookSender } from '../ports.ts'
import { type Attempt, type Claimed, createQueue, LEASE, PER_HOST } from './delivery-queue.ts'
import { createRecorder } from './attempt-writer.ts'
import { createSecretStore } from './secret-store.ts'

/** Held by this process, waiting or under way: in all, and of one host. */
export const MOST_HELD = 1024
const MOST_OF_HOST = 128
/** Between looks past the addresses of which enough waits here, for others of their host. Milliseconds. */
const DEEP_EVERY = 250
/** What is under way at a stop may finish for this long; the rest is another process's. */
const GRACE = 5 * SECOND
const RENEWAL = LEASE / 3

interface Lane {
  readonly waiting: Claimed[]
  readonly inFlight: Claimed[]
  /** The last claim took as much as it may: there is probably more. */
  more: boolean
}
type SenderDeps = Deps<'database' | 'clock' | 'secrets' | 'log' | 'webhookTargets'>

export function createSender(deps: SenderDeps, post: Post): WebhookSender {
  const { log } = deps
  const queue = createQueue(deps, newId('snd'))
  const halt = new AbortController()
  setMaxListeners(0, halt.signal)
  const attempt = createAttempt(deps, post, halt.signal)
  const recorder = createRecorder(queue, log, () => {
    if (asked) wake()
    settle()
  })
  const paces = createPaces()
  const lanes = new Map<string, Lane>()
  const calledOff: string[] = []
  let asked = false
  let claiming = false
  let claimed: Promise<void> | undefined
  let stopping = false
  let renewal: NodeJS.Timeout | undefined
  let later: NodeJS.Timeout | undefined
  let lastDeep = 0
  let idle: (() => void) | undefined

  const waiting = () => [...lanes.values()].flatMap(lane => lane.waiting)
  const held = () => [...[...lanes.values()].flatMap(lane => [...lane.waiting, ...lane.inFlight]), ...recorder.open()]

  /** Who wakes stands in a unit of work of their own, which this must not join. */
  const wake = AsyncResource.bind((): void => {
    asked = true
    if (!stopping && !claiming) claimed = claimAll()
  })

  /** Ends at once where no more may be held: `asked` stays, for when there is room. */
  async function claimAll(): Promise<void> {
    claiming = true
    try {
      while (asked && !stopping && held().length < MOST_HELD) {
        asked = false
        accept(await queue.claim(fullHosts(), plentiful(waiting())))
      }
    } catch (error) {
      log.warn({ err: error }, 'webhooks wait: what is due could not be read')
    }
    claiming = false
  }

  /** Looking past a long queue costs the database more than taking from its front: it is done now and then. */
  function fullHosts(): string[] {
    const deep = performance.now() - lastDeep >= DEEP_EVERY
    if (deep) lastDeep = performance.now()
    const most = deep ? MOST_OF_HOST : MAX_PER_HOST
    const full = [...lanes].filter(([, lane]) => lane.waiting.length >= most).map(([host]) => host)
    if (!deep && full.length > 0)
      later ??= setTimeout(() => {
        later = undefined
        wake()
      }, DEEP_EVERY).unref()
    return full
  }

  function accept(claimed: readonly Claimed[]): void {
    const hosts = new Set(claimed.map(({ host }) => host))
    for (const host of hosts) {
      const deliveries = claimed.filter(delivery => delivery.host === host)
      const lane = lanes.get(host) ?? { waiting: [], inFlight: [], more: false }
      lanes.set(host, lane)
      lane.waiting.push(...deliveries)
      lane.more = deliveries.length === PER_HOST
      advance(host, lane)
    }
    if (hosts.size > 0) renewal ??= setInterval(renew, RENEWAL).unref()
  }

  function advance(host: string, lane: Lane): void {
    for (;;) {
      const next = stopping ? undefined : nextOf(lane.waiting, lane.inFlight, paces.of)
      if (next === undefined) break
      const [delivery] = lane.waiting.splice(next, 1) as [Claimed]
      lane.inFlight.push(delivery)
      const over = paces.begin(delivery.address, () => advance(host, lane))
      void attempt(delivery).then(made => {
        over()
        lane.inFlight.splice(lane.inFlight.indexOf(delivery), 1)
        if (made) recorder.add(made)
        else if (stopping) calledOff.push(delivery.id)
        advance(host, lane)
        rest(host, lane)
      })
    }
  }

  function rest(host: string, lane: Lane): void {
    if (asked || (lane.more && lane.waiting.length < MAX_PER_HOST)) wake()
    if (lane.waiting.length + lane.inFlight.length === 0) lanes.delete(host)
    settle()
  }

  function settle(): void {
    if (lanes.size > 0 || recorder.open().length > 0) return
    clearInterval(renewal)
    renewal = undefined
    idle?.()
  }

  const renew = AsyncResource.bind(() => {
    queue.renew(held().map(({ id }) => id)).catch(error => log.warn({ err: error }, 'webhooks could not be held'))
  })

  async function giveBack(): Promise<void> {
    const untried = [...lanes.values()].flatMap(lane => lane.waiting.splice(0))
    if (untried.length > 0) await queue.release(untried.map(({ id }) => id))
    for (const [host, lane] of lanes) rest(host, lane)
  }

  return {
    wake,
    async stop() {
      stopping = true
      clearTimeout(later)
      await claimed
      const finished = new Promise<void>(resolve => {
        idle = resolve
      })
      const cut = setTimeout(() => halt.abort(), GRACE)
      await giveBack().catch(error => log.warn({ err: error }, 'webhooks wait until their lease is over'))
      settle()
      await finished
      await recorder.done()
      if (calledOff.length > 0) await queue.release(calledOff)
      clearTimeout(cut)
      post.close()
    },
  }
}

/** Sends one. Resolves with nothing where it was called off, or could not even be tried. Never rejects. */
function createAttempt(deps: SenderDeps, post: Post, halt: AbortSignal) {
  const { clock, log, webhookTargets } = deps
  const store = createSecretStore(deps)

  async function send(delivery: Claimed, at: number): Promise<Answered> {
    const refusal = webhookTargets.refusal(delivery.url)
    if (refusal) return { status: null, error: `the address ${refusal}`, refused: true, answer: null }
    const secrets = delivery.secrets?.map(store.open) ?? (await store.all(delivery.tenant_id))
    const body = bodyOf(delivery, at)
    const signed = signedHeaders(secrets, { id: delivery.id, timestamp: Math.floor(at / SECOND), body })
    const headers = { 'content-type': 'application/json', 'user-agent': 'Larder-Webhooks/1', ...signed }
    return post(delivery.url, headers, body, halt)
  }

  return async (delivery: Claimed): Promise<Attempt | undefined> => {
    const at = clock.now()
    const started = performance.now()
    try {
      const outcome = await send(delivery, at)
      if (outcome.status === null && halt.aborted) return undefined
      const duration = Math.round(performance.now() - started)
      return { delivery, at, duration, outcome, verdict: verdictOf(outcome, delivery.failures + 1, at + duration) }
    } catch (error) {
      log.warn({ err: error, delivery: delivery.id }, 'a webhook could not be signed: it waits until its lease is over')
      return undefined
    }
  }
}

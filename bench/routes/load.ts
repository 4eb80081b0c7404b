/** Loads one route and the raw server in turns. */
import autocannon from 'autocannon'
import { cpuSeconds } from '../cpu.ts'
import { percentile } from '../measure.ts'
import { expectedStatus, makeRequest, type RouteInfo } from './catalog.ts'
import type { RouteCounts } from './counts.ts'
import type { RouteEnvironment } from './environment.ts'
import { type RawWork, rawWork } from './raw.ts'
import type { RouteRequest } from './request.ts'

const CONNECTIONS = 32
const MIN_RESPONSES = 50
/** Warms up the JIT compiler. */
const WARM_UP = { maxRequests: 300, seconds: 2 }
/** Requests that need new records are prepared before the load: at most this many, within this time. */
const MAX_PREPARED = 160
const PREPARE_TIMEOUT_MS = 5000
/** Prepared requests may take this much longer than the load. */
const PREPARED_SECONDS = 10
/** Of the prepared requests, this part warms up. */
const PREPARED_WARM_UP = 0.4
const CONCURRENT_PREPARATIONS = 8
/** Numbers below are those of the counted requests. */
const FIRST_NUMBER = 1000
/** Uploads wait for files that other requests have uploaded. */
const RESPONSE_TIMEOUT_SECONDS = 60
/** Autocannon ends a load with a sample, up to this long after the last response. */
const SAMPLE_MS = 100
/** Autocannon takes up to two requests per connection that it does not send. */
const UNSENT_PER_CONNECTION = 2

export interface RouteRate {
  readonly perSecond: number
  /** Per CPU second of the server, which other load of the machine hardly changes. */
  readonly perCpuSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}
export interface RouteResult {
  readonly counts: RouteCounts
  readonly rate: RouteRate
  readonly raw: RouteRate
  readonly shape: RawWork['shape']
  readonly ratio: number
  /** Of the rates per CPU second. */
  readonly cpuRatio: number
}
/** A running server. */
export interface Server {
  readonly url: string
  readonly pid: number
}

interface Load {
  readonly server: Server
  readonly method: string
  readonly next: () => RouteRequest
  readonly isExpected: (status: number, request: RouteRequest) => boolean
  readonly seconds: number
  /** Ends the load when they are answered. */
  readonly maxRequests?: number | undefined
  readonly connections?: number | undefined
}

/** @throws Error if a response has an unexpected status. */
export async function measureRoute(
  environment: RouteEnvironment,
  rawServer: Server,
  counts: RouteCounts,
  seconds: number,
): Promise<RouteResult> {
  const { world, server } = environment
  const { route } = counts
  const { next, first, prepared } = await createSource(environment, route)
  const work = await rawWork(world, counts, prepared !== undefined, first.body)
  let rawNumber = 0
  const rawLoad = {
    ...{ server: rawServer, method: work.method, next: () => work.request(rawNumber++) },
    isExpected: (status: number) => status === 200,
  }
  const routeLoad = {
    connections: first.connections,
    ...{ server: { url: server.ready.url, pid: server.process.pid as number }, method: route.method, next },
    isExpected: (status: number, request: RouteRequest) => status === expectedStatus(route, request),
  }
  await load({ ...rawLoad, ...WARM_UP })
  const warmUp = Math.floor((prepared ?? 0) * PREPARED_WARM_UP)
  await load({ ...routeLoad, ...WARM_UP, ...(prepared !== undefined && { maxRequests: warmUp }) })
  const before = await load({ ...rawLoad, seconds: seconds / 2 })
  const rate = await load({ ...routeLoad, seconds, maxRequests: prepared && prepared - warmUp })
  const after = await load({ ...rawLoad, seconds: seconds / 2 })
  const raw = mean(before, after)
  return {
    ...{ counts, rate, raw, shape: work.shape, ratio: rate.perSecond / raw.perSecond },
    cpuRatio: rate.perCpuSecond / raw.perCpuSecond,
  }
}

const mean = (a: RouteRate, b: RouteRate): RouteRate => ({
  perSecond: (a.perSecond + b.perSecond) / 2,
  perCpuSecond: (a.perCpuSecond + b.perCpuSecond) / 2,
  p50: (a.p50 + b.p50) / 2,
  p99: (a.p99 + b.p99) / 2,
})

interface Source {
  readonly first: RouteRequest
  readonly next: () => RouteRequest
  /** The number of requests, if they were made in advance. */
  readonly prepared: number | undefined
}

let number = FIRST_NUMBER
async function createSource({ world }: RouteEnvironment, route: RouteInfo): Promise<Source> {
  const made = makeRequest(world, route, number++)
  if (!(made instanceof Promise))
    return { first: made, prepared: undefined, next: () => makeRequest(world, route, number++) as RouteRequest }
  const first = await made
  if (route.method === 'GET') return { first, prepared: undefined, next: () => first }
  const all = [first]
  const deadline = performance.now() + PREPARE_TIMEOUT_MS
  const prepare = async () => {
    while (all.length < MAX_PREPARED && performance.now() < deadline)
      all.push(await makeRequest(world, route, number++))
  }
  await Promise.all(Array.from({ length: CONCURRENT_PREPARATIONS }, prepare))
  let used = 0
  return { first, prepared: all.length, next: () => all[used++ % all.length] as RouteRequest }
}

async function load(given: Load): Promise<RouteRate> {
  const { pid } = given.server
  const before = await cpuSeconds(pid)
  const { times, seconds } = await sendAll(given)
  const cpu = (await cpuSeconds(pid)) - before
  return {
    perSecond: times.length / seconds,
    perCpuSecond: times.length / cpu,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  }
}

interface Sent {
  /** Milliseconds of each request. */
  readonly times: number[]
  /** How long all of them took together. */
  readonly seconds: number
}

/** Repeats the load for twice as long until there are enough responses to compare: slow requests end with their load. */
async function sendAll(given: Load): Promise<Sent> {
  let all = await send(given)
  let { seconds } = given
  while (all.times.length < MIN_RESPONSES && given.maxRequests === undefined) {
    seconds *= 2
    const more = await send({ ...given, seconds })
    all = { times: [...all.times, ...more.times], seconds: all.seconds + more.seconds }
  }
  return all
}

function send(given: Load): Promise<Sent> {
  const { server, method, next, isExpected, seconds, maxRequests } = given
  const times: number[] = []
  let lastAt: number | undefined
  const unexpected = new Map<number, number>()
  const wanted = given.connections ?? CONNECTIONS
  const connections = Math.max(1, Math.min(wanted, Math.floor((maxRequests ?? Number.POSITIVE_INFINITY) / 8)))
  let current: RouteRequest | undefined
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    current = next()
    const { path, headers, body } = current
    return { ...request, method: method as 'GET', path, headers: { ...headers }, ...(body !== undefined && { body }) }
  }
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const instance = autocannon(
      {
        ...{ url: server.url, connections, requests: [{ setupRequest }] },
        ...{ sampleInt: SAMPLE_MS, timeout: RESPONSE_TIMEOUT_SECONDS },
        ...(maxRequests === undefined ? { duration: seconds } : { amount: sendable(maxRequests, connections) }),
      },
      (error, result) => {
        clearTimeout(timer)
        if (error) reject(error)
        else if (unexpected.size > 0 || result.errors > 0)
          reject(new Error(`${result.errors} errors, statuses ${JSON.stringify([...unexpected])}`))
        else resolve({ times, seconds: ((lastAt ?? performance.now()) - started) / 1000 })
      },
    )
    const stop = () => (instance as unknown as { stop(): void }).stop()
    const timer = setTimeout(stop, (maxRequests === undefined ? seconds : seconds + PREPARED_SECONDS) * 1000)
    instance.on('response', (_client, status, _bytes, time) => {
      times.push(time)
      lastAt = performance.now()
      if (current && !isExpected(status, current)) unexpected.set(status, (unexpected.get(status) ?? 0) + 1)
    })
  })
}

/** A multiple of the number of connections. */
const sendable = (prepared: number, connections: number): number =>
  Math.max(1, Math.floor(prepared / connections) - UNSENT_PER_CONNECTION) * connections

/** Signaling: frames from one peer to one and to 99, idle sockets, and reconnection of all sockets. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cpuSeconds } from './cpu.ts'
import type { BenchEnvironment } from './fixtures.ts'
import { collectGarbage, median, percentile, type Row } from './measure.ts'
import { mapConcurrently, type Peer, type Side, startLarder, startRaw } from './peers.ts'
import { reconnectStorm } from './storm.ts'

const RECIPE = fileURLToPath(new URL('./control-plane.yaml', import.meta.url))
const ROUNDS = 5
const LATENCY_ROUNDS = 32
/** A peer may send a burst of 200 frames and 50 per second after it. Larder's bucket refills during the pause. */
const FRAMES = 100
const REFILL_MS = 2200
/** Excluded from the measurement, for the JIT compiler. */
const WARM_SECONDS = 2
/**
 * Each round of latencies. On virtual machines, the kernel or the host may hold up a core for several milliseconds about
 * once a second, whatever runs there. Every second round of half a second is free of that.
 */
const PACED_SECONDS = 0.5
/** Share of the rounds that are at least as good as the result. */
const UNDISTURBED = 0.25
/** Before each round, not measured: most slow frames are in the first tenth of a second after a pause. */
const LEAD_SECONDS = 0.3
const MAX_FRAMES_PER_SECOND = 45

interface Shape {
  readonly what: string
  readonly rooms: number
  readonly viewers: number
  /** Frames per publisher and round. */
  readonly frames: number
}
const ONE_TO_ONE: Shape = { what: 'one to one', rooms: 300, viewers: 1, frames: FRAMES }
/** A session is limited to 100 peers, including the publisher. */
const ONE_TO_MANY: Shape = { what: 'one to 99 (the maximum of a session)', rooms: 6, viewers: 99, frames: 50 }

export async function signaling(environment: BenchEnvironment): Promise<Row[]> {
  const raw = await startRaw()
  const larder = await startLarder(environment, RECIPE)
  try {
    const rows = [await measureRelay(ONE_TO_ONE, raw, larder), await measureRelay(ONE_TO_MANY, raw, larder)]
    return [...rows, ...(await reconnectStorm(environment, RECIPE))]
  } finally {
    await Promise.all([raw.stop(), larder.stop()])
  }
}

/** The peers of one side. */
interface ConnectedPeers {
  readonly side: Side
  readonly publishers: readonly Peer[]
  readonly viewers: readonly Peer[]
  /** Number of frames that viewers have received, and the latency of those with a send time. */
  received: number
  readonly latenciesMs: number[]
}

async function connectPeers(side: Side, { rooms, viewers }: Shape): Promise<ConnectedPeers> {
  await side.rooms(rooms)
  const publishers = await mapConcurrently(rooms, room => side.join(room, 'publisher'))
  const watching = await mapConcurrently(rooms * viewers, index => side.join(index % rooms, 'viewer'))
  const peers: ConnectedPeers = { side, publishers, viewers: watching, received: 0, latenciesMs: [] }
  for (const viewer of watching)
    viewer.onFrame = text => {
      if (!text.includes('"candidate"')) return
      peers.received++
      const at = text.indexOf('left ')
      if (at >= 0) peers.latenciesMs.push(performance.now() - Number.parseFloat(text.slice(at + 5, at + 25)))
    }
  return peers
}

const candidate = (note = '') =>
  JSON.stringify({
    type: 'candidate',
    data: {
      connection_id: 'c1',
      candidate: {
        candidate: `candidate:842163049 1 udp 1677729535 203.0.113.7 54321 typ srflx raddr 0.0.0.0 rport 0 ${note}`,
        sdpMid: '0',
        sdpMLineIndex: 0,
        usernameFragment: 'EsAw',
      },
    },
  })

interface Throughput {
  /** Deliveries per CPU second. */
  readonly perCore: number
  readonly perSecond: number
}

/** Sends frames as fast as possible. */
async function burst(
  { publishers, viewers, ...peers }: ConnectedPeers,
  receiver: ConnectedPeers,
  frames: number,
): Promise<Throughput> {
  const text = candidate()
  const expected = receiver.received + frames * viewers.length
  const [cpu, started] = [await cpuSeconds(peers.side.pid), performance.now()]
  for (let frame = 0; frame < frames; frame++) for (const publisher of publishers) publisher.send(text)
  await waitForFrames(receiver, expected)
  const seconds = (performance.now() - started) / 1000
  const used = (await cpuSeconds(peers.side.pid)) - cpu
  return { perCore: (frames * viewers.length) / used, perSecond: (frames * viewers.length) / seconds }
}

async function waitForFrames(peers: ConnectedPeers, expected: number): Promise<void> {
  const deadline = performance.now() + 30_000
  while (peers.received < expected) {
    if (performance.now() > deadline)
      throw new Error(`${peers.side.name}: ${peers.received} of ${expected} frames arrived`)
    await new Promise(resolve => setTimeout(resolve, 2))
  }
}

/** The target: latency at half load, divided by that of `ws` in the same run. */
const MAX_P99_RATIO = 1.5
/** CPU cores. */
const HALF_LOAD = 0.5

/**
 * Sends `frames` per second, each at its time. A timer would send the frames of a millisecond or more at once, although
 * the publishers don't know of each other, and the frames would wait for each other.
 */
async function sendEvenly(
  { publishers, viewers, ...peers }: ConnectedPeers,
  receiver: ConnectedPeers,
  frames: number,
  seconds: number,
) {
  const before = receiver.received
  const [cpu, started] = [await cpuSeconds(peers.side.pid), performance.now()]
  let sent = 0
  for (;;) {
    const elapsed = (performance.now() - started) / 1000
    if (elapsed > seconds) break
    while (sent < elapsed * frames)
      publishers[sent++ % publishers.length]?.send(candidate(`left ${performance.now()} `))
    await nextTurn()
  }
  const busy = ((await cpuSeconds(peers.side.pid)) - cpu) / ((performance.now() - started) / 1000)
  await waitForFrames(receiver, before + (sent * viewers.length) / publishers.length)
  return { busy }
}

/** CPU cores that a server uses for the most frames that Larder's rate limits allow. */
async function loadOf(peers: ConnectedPeers): Promise<number> {
  const maxRate = MAX_FRAMES_PER_SECOND * peers.publishers.length
  // The first run warms up the JIT compiler.
  await sendEvenly(peers, peers, maxRate, WARM_SECONDS)
  const { busy } = await sendEvenly(peers, peers, maxRate, WARM_SECONDS)
  return busy
}

/**
 * Frames per second at which each side uses half a CPU core. If Larder's rate limits don't allow so many, both sides use
 * as much as Larder does at its limit.
 */
async function halfLoads(sides: readonly [ConnectedPeers, ConnectedPeers]): Promise<readonly [number, number]> {
  const maxRate = MAX_FRAMES_PER_SECOND * sides[0].publishers.length
  const [rawLoad, load] = [await loadOf(sides[0]), await loadOf(sides[1])]
  const target = Math.min(HALF_LOAD, load)
  return [(maxRate * target) / rawLoad, (maxRate * target) / load]
}

interface TailLatency {
  /** 99th percentile of the frames of a round without disturbance, in milliseconds. */
  readonly p99: number
  /** The same of the median round. */
  readonly medianP99: number
}

/** The rounds alternate, so that other load of the machine affects both sides. */
async function measureTails(
  sides: readonly [ConnectedPeers, ConnectedPeers],
  rates: readonly [number, number],
): Promise<readonly TailLatency[]> {
  const seen: number[][] = sides.map(() => [])
  for (let round = 0; round <= LATENCY_ROUNDS; round++)
    for (const [at, peers] of sides.entries()) {
      const rate = rates[at] as number
      // A full collection in this process, which has the clients of both sides, would delay more than 1% of the frames.
      collectGarbage()
      await sendEvenly(peers, peers, rate, LEAD_SECONDS)
      peers.latenciesMs.length = 0
      await sendEvenly(peers, peers, rate, PACED_SECONDS)
      // The first round warms up the JIT compiler.
      if (round > 0) seen[at]?.push(percentile(peers.latenciesMs, 0.99))
    }
  return seen.map(rounds => ({ p99: percentile(rounds, UNDISTURBED), medianP99: median(rounds) }))
}

async function measureRelay(shape: Shape, raw: Side, larder: Side): Promise<Row> {
  const sides = [await connectPeers(raw, shape), await connectPeers(larder, shape)] as const
  const seen: Throughput[][] = [[], []]
  for (let round = 0; round <= ROUNDS; round++)
    for (const [at, peers] of sides.entries()) {
      if (peers.side === larder) await new Promise(resolve => setTimeout(resolve, REFILL_MS))
      const throughput = await burst(peers, peers, shape.frames)
      // The first run warms up the JIT compiler.
      if (round > 0) seen[at]?.push(throughput)
    }
  const middle = (at: number, key: keyof Throughput) => median((seen[at] ?? []).map(throughput => throughput[key]))
  await new Promise(resolve => setTimeout(resolve, REFILL_MS))
  const rates = await halfLoads(sides)
  const [rawTail, tail] = (await measureTails(sides, rates)) as [TailLatency, TailLatency]
  const [rawFrames, frames] = rates.map(rate => rate * shape.viewers) as [number, number]
  for (const { publishers, viewers } of sides) for (const peer of [...publishers, ...viewers]) peer.cut()
  const per = (value: number) => `${Math.round(value).toLocaleString('en')}/s`
  return {
    what: `signaling, ${shape.what}: frames delivered per CPU second`,
    measured: `**${(middle(1, 'perCore') / middle(0, 'perCore')).toFixed(2)}** (${per(middle(1, 'perCore'))}; ${per(middle(1, 'perSecond'))} with the clients on the same machine; **p99 ${tail.p99.toFixed(2)} ms, ${(tail.p99 / rawTail.p99).toFixed(2)} × that of \`ws\`**, at ${per(frames)}; both at the same CPU time, at most half a core; ${tail.medianP99.toFixed(2)} ms in the median round)`,
    against: `\`ws\` alone, frames not parsed: ${per(middle(0, 'perCore'))}, ${per(middle(0, 'perSecond'))}, p99 ${rawTail.p99.toFixed(2)} ms at ${per(rawFrames)}, ${rawTail.medianP99.toFixed(2)} ms in the median round`,
    aim: `≥ 0.8, p99 ≤ ${MAX_P99_RATIO} × that of \`ws\``,
  }
}

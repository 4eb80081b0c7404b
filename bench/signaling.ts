/** Signaling: frames from one peer to one and to 99, beside `ws` alone. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { BenchEnvironment } from './fixtures.ts'
import { cpuSeconds, mapConcurrently, median, percentile, perSecond, type Row } from './measure.ts'
import { type Peer, type Side, startLarder, startRaw } from './peers.ts'

const ROUNDS = 5
const LATENCY_ROUNDS = 16
const PACED_SECONDS = 0.5
/** A peer may send a burst of 200 frames and 50 per second after it. Larder's bucket refills during the pause. */
const REFILL_MS = 2200
/** Most that a peer may send continuously, per second. */
const MAX_FRAME_RATE = 45
/** The share of MAX_FRAME_RATE at which latencies are measured. */
const PACED_SHARE = 0.5

interface Shape {
  readonly what: string
  readonly rooms: number
  readonly viewers: number
  /** Frames per publisher and round. */
  readonly frames: number
}
const SHAPES: readonly Shape[] = [
  { what: 'one to one', rooms: 300, viewers: 1, frames: 100 },
  { what: 'one to 99 (the maximum of a session)', rooms: 6, viewers: 99, frames: 50 },
]

/** The peers of one side. */
interface Room {
  readonly side: Side
  readonly publishers: readonly Peer[]
  readonly viewers: readonly Peer[]
  /** Number of frames that viewers have received, and the latency of those with a send time. */
  received: number
  readonly latenciesMs: number[]
}

export async function signaling(environment: BenchEnvironment): Promise<Row[]> {
  const sides = [await startRaw()]
  for (const checkout of environment.checkouts) sides.push(await startLarder(environment, checkout))
  try {
    const rows: Row[] = []
    for (const shape of SHAPES) rows.push(await measureShape(shape, sides))
    return rows
  } finally {
    await Promise.all(sides.map(side => side.stop()))
  }
}

async function measureShape(shape: Shape, sides: readonly Side[]): Promise<Row> {
  const all = []
  for (const side of sides)
    all.push({ room: await connectPeers(side, shape), perCpuSecond: [] as number[], p99: [] as number[] })
  // The sides alternate, so that other load of the machine affects all of them. The first round warms up the JIT compiler.
  for (let round = 0; round <= ROUNDS; round++)
    for (const { room, perCpuSecond } of all) {
      await pause(REFILL_MS)
      const rate = await burst(room, shape.frames)
      if (round > 0) perCpuSecond.push(rate)
    }
  for (let round = 0; round <= LATENCY_ROUNDS; round++)
    for (const { room, p99 } of all) {
      room.latenciesMs.length = 0
      await sendEvenly(room, MAX_FRAME_RATE * PACED_SHARE * shape.rooms)
      if (round > 0) p99.push(percentile(room.latenciesMs, 0.99))
    }
  for (const { room } of all) for (const peer of [...room.publishers, ...room.viewers]) peer.cut()
  const [raw, larder, other] = all.map(({ room, perCpuSecond, p99 }) => ({
    name: room.side.name,
    rate: median(perCpuSecond),
    p99: median(p99),
  }))
  if (!raw || !larder) throw new Error('expected two sides')
  const one = ({ rate, p99 }: typeof raw) => `${perSecond(rate)}, p99 ${p99.toFixed(2)} ms`
  return {
    what: `signaling, ${shape.what}: frames delivered per CPU second; p99 at ${perSecond(MAX_FRAME_RATE * PACED_SHARE * shape.rooms * shape.viewers)}`,
    measured: `**${(larder.rate / raw.rate).toFixed(2)}** (${one(larder)})`,
    against: [raw, other]
      .filter(side => side !== undefined)
      .map(side => `${side.name} ${one(side)}`)
      .join('; '),
    target: '≥ 0.6',
  }
}

async function connectPeers(side: Side, { rooms, viewers }: Shape): Promise<Room> {
  await side.rooms(rooms)
  const publishers = await mapConcurrently(rooms, index => side.join(index, 'publisher'))
  const watching = await mapConcurrently(rooms * viewers, index => side.join(index % rooms, 'viewer'))
  const room: Room = { side, publishers, viewers: watching, received: 0, latenciesMs: [] }
  for (const viewer of watching)
    viewer.onFrame = text => {
      if (!text.includes('"candidate"')) return
      room.received++
      const at = text.indexOf('left ')
      if (at >= 0) room.latenciesMs.push(performance.now() - Number.parseFloat(text.slice(at + 5, at + 25)))
    }
  return room
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

/** Sends frames as fast as possible. Returns the deliveries per CPU second. */
async function burst(room: Room, frames: number): Promise<number> {
  const text = candidate()
  const expected = room.received + frames * room.viewers.length
  const before = await cpuSeconds(room.side.pid)
  for (let frame = 0; frame < frames; frame++) for (const publisher of room.publishers) publisher.send(text)
  await untilReceived(room, expected)
  return (frames * room.viewers.length) / ((await cpuSeconds(room.side.pid)) - before)
}

/** Sends `rate` frames per second, each at its time: a timer would send the frames of a millisecond at once. */
async function sendEvenly(room: Room, rate: number): Promise<void> {
  const { publishers, viewers } = room
  const before = room.received
  const started = performance.now()
  let sent = 0
  for (;;) {
    const elapsed = (performance.now() - started) / 1000
    if (elapsed > PACED_SECONDS) break
    while (sent < elapsed * rate) publishers[sent++ % publishers.length]?.send(candidate(`left ${performance.now()} `))
    await nextTurn()
  }
  await untilReceived(room, before + (sent * viewers.length) / publishers.length)
}

async function untilReceived(room: Room, expected: number): Promise<void> {
  const deadline = performance.now() + 30_000
  while (room.received < expected) {
    if (performance.now() > deadline)
      throw new Error(`${room.side.name}: ${room.received} of ${expected} frames arrived`)
    await pause(2)
  }
}

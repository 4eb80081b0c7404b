/** Signalling: frames from one to one and from one to a hundred, idle sockets, and everybody coming back at once. */
import { fileURLToPath } from 'node:url'
import { cpuSeconds } from './cpu.ts'
import type { Stage } from './fixtures.ts'
import { median, percentile, type Row } from './measure.ts'
import { each, type Peer, type Side, startLarder, startRaw } from './peers.ts'
import { storm } from './storm.ts'

const RECIPE = fileURLToPath(new URL('./control-plane.yaml', import.meta.url))
const ROUNDS = 5
/** A peer may send 200 at once and 50 a second after that: so many a round, and this pause for Larder to refill. */
const FRAMES = 100
const REFILL = 2200
/** Of an even load the first seconds are for the compiler. */
const WARM_SECONDS = 2
const PACED_SECONDS = 4
const MOST_A_SECOND = 45
/** Milliseconds. A longer one sends so many frames at once that the last of them waits for the first. */
const TICK = 1

interface Shape {
  readonly what: string
  readonly rooms: number
  readonly viewers: number
  /** Frames of each publisher in a round. */
  readonly frames: number
}
const ONE_TO_ONE: Shape = { what: 'one to one', rooms: 300, viewers: 1, frames: FRAMES }
/** A session takes a hundred peers: the publisher and those that it speaks to. */
const ONE_TO_MANY: Shape = { what: 'one to 99, the most that a session takes', rooms: 6, viewers: 99, frames: 50 }

export async function signaling(stage: Stage): Promise<Row[]> {
  const raw = await startRaw()
  const larder = await startLarder(stage, RECIPE)
  try {
    const rows = [await relayed(ONE_TO_ONE, raw, larder), await relayed(ONE_TO_MANY, raw, larder)]
    return [...rows, ...(await storm(stage, RECIPE))]
  } finally {
    await Promise.all([raw.stop(), larder.stop()])
  }
}

/** Rooms full of peers: what one side carries of a load. */
interface Crowd {
  readonly side: Side
  readonly publishers: readonly Peer[]
  readonly viewers: readonly Peer[]
  /** Frames that viewers have heard, and how long each took in milliseconds, where it said when it left. */
  heard: number
  readonly took: number[]
}

async function gather(side: Side, { rooms, viewers }: Shape): Promise<Crowd> {
  await side.rooms(rooms)
  const publishers = await each(rooms, room => side.join(room, 'publisher'))
  const watching = await each(rooms * viewers, index => side.join(index % rooms, 'viewer'))
  const crowd: Crowd = { side, publishers, viewers: watching, heard: 0, took: [] }
  for (const viewer of watching)
    viewer.hear = text => {
      if (!text.includes('"candidate"')) return
      crowd.heard++
      const at = text.indexOf('left ')
      if (at >= 0) crowd.took.push(performance.now() - Number.parseFloat(text.slice(at + 5, at + 25)))
    }
  return crowd
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

interface Carried {
  /** Deliveries a second of one processor. */
  readonly perCore: number
  readonly perSecond: number
}

/** As fast as it goes. */
async function burst({ publishers, viewers, ...crowd }: Crowd, heard: Crowd, frames: number): Promise<Carried> {
  const text = candidate()
  const expected = heard.heard + frames * viewers.length
  const [cpu, started] = [await cpuSeconds(crowd.side.pid), performance.now()]
  for (let frame = 0; frame < frames; frame++) for (const publisher of publishers) publisher.send(text)
  await came(heard, expected)
  const seconds = (performance.now() - started) / 1000
  const used = (await cpuSeconds(crowd.side.pid)) - cpu
  return { perCore: (frames * viewers.length) / used, perSecond: (frames * viewers.length) / seconds }
}

async function came(crowd: Crowd, expected: number): Promise<void> {
  const deadline = performance.now() + 30_000
  while (crowd.heard < expected) {
    if (performance.now() > deadline) throw new Error(`${crowd.side.name}: ${crowd.heard} of ${expected} frames came`)
    await new Promise(resolve => setTimeout(resolve, 2))
  }
}

/** Of one processor, for which the server works while it is half loaded. */
const HALF = 0.5

/** Sends so many frames a second, evenly, for so long. */
async function evenly({ publishers, viewers, ...crowd }: Crowd, heard: Crowd, frames: number, seconds: number) {
  const before = heard.heard
  const [cpu, started] = [await cpuSeconds(crowd.side.pid), performance.now()]
  let sent = 0
  for (;;) {
    const elapsed = (performance.now() - started) / 1000
    if (elapsed > seconds) break
    while (sent < elapsed * frames)
      publishers[sent++ % publishers.length]?.send(candidate(`left ${performance.now()} `))
    await new Promise(resolve => setTimeout(resolve, TICK))
  }
  const busy = ((await cpuSeconds(crowd.side.pid)) - cpu) / ((performance.now() - started) / 1000)
  await came(heard, before + (sent * viewers.length) / publishers.length)
  return { busy }
}

/** Frames a second that keep the server busy for half of a processor, or the most that its limits let through. */
async function halfLoad(crowd: Crowd): Promise<number> {
  const most = MOST_A_SECOND * crowd.publishers.length
  // The first is for the compiler.
  await evenly(crowd, crowd, most, WARM_SECONDS)
  const { busy } = await evenly(crowd, crowd, most, WARM_SECONDS)
  return Math.min(most, (most * HALF) / busy)
}

/** How long each delivery takes, in milliseconds. */
async function timed(crowd: Crowd, frames: number): Promise<readonly number[]> {
  await evenly(crowd, crowd, frames, WARM_SECONDS)
  crowd.took.length = 0
  await evenly(crowd, crowd, frames, PACED_SECONDS)
  return [...crowd.took]
}

async function relayed(shape: Shape, raw: Side, larder: Side): Promise<Row> {
  const crowds = [await gather(raw, shape), await gather(larder, shape)]
  const seen: Carried[][] = [[], []]
  for (let round = 0; round <= ROUNDS; round++)
    for (const [at, crowd] of crowds.entries()) {
      if (crowd.side === larder) await new Promise(resolve => setTimeout(resolve, REFILL))
      const carried = await burst(crowd, crowd, shape.frames)
      // The first is for the compiler.
      if (round > 0) seen[at]?.push(carried)
    }
  const middle = (at: number, key: keyof Carried) => median((seen[at] ?? []).map(carried => carried[key]))
  await new Promise(resolve => setTimeout(resolve, REFILL))
  const [one, other] = crowds as [Crowd, Crowd]
  const frames = await halfLoad(other)
  const p99 = { larder: percentile(await timed(other, frames), 0.99), raw: percentile(await timed(one, frames), 0.99) }
  for (const { publishers, viewers } of crowds) for (const peer of [...publishers, ...viewers]) peer.cut()
  const per = (value: number) => `${Math.round(value).toLocaleString('en')}/s`
  return {
    what: `signaling, ${shape.what}: frames that a processor delivers`,
    measured: `**${(middle(1, 'perCore') / middle(0, 'perCore')).toFixed(2)}** (${per(middle(1, 'perCore'))}; with its clients on this machine ${per(middle(1, 'perSecond'))}; **p99 ${p99.larder.toFixed(1)} ms** of ${per(frames * shape.viewers)} one by one, half of a processor)`,
    against: `\`ws\` alone, frames unread ${per(middle(0, 'perCore'))}, ${per(middle(0, 'perSecond'))}, p99 ${p99.raw.toFixed(1)} ms`,
    aim: '≥ 0.8, p99 < 10 ms',
  }
}

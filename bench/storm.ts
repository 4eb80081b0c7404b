/** Five thousand sockets: what each costs while it is quiet, and how soon all are back when the network drops them. */
import { cpuSeconds } from './cpu.ts'
import type { Stage } from './fixtures.ts'
import { type Row, residentMiB } from './measure.ts'
import { dial, each, greet, type LarderSide, type Peer, type Role, startLarder } from './peers.ts'

const ROOMS = 1250
const IN_A_ROOM = 4
/** Frames of each publisher, sent when its viewers are cut and before it is. */
const MISSED = 5
const AT_ONCE = 5000

interface Seat {
  readonly room: number
  readonly role: Role
  readonly resume_token: string
  peer: Peer
  /** Number of the last frame that came. */
  seen: number
  /** Numbers of the candidates that came, of both connections. */
  readonly heard: number[]
}

export async function storm(stage: Stage, recipe: string): Promise<Row[]> {
  const larder = await startLarder(stage, recipe)
  try {
    await larder.rooms(ROOMS)
    // The first of everything: what is loaded, compiled and pooled once is not a socket's.
    const first = await each(100, () => dial(larder.url))
    for (const peer of first) peer.cut()
    await rest(2)
    const before = await residentMiB(larder.pid)
    const seats = await each(ROOMS * IN_A_ROOM, at => sit(larder, at))
    await rest(10)
    const grown = ((await residentMiB(larder.pid)) - before) * 1024
    return [
      {
        what: `${seats.length.toLocaleString('en')} idle sockets in one process, in ${ROOMS.toLocaleString('en')} sessions`,
        measured: `**${(grown / seats.length).toFixed(1)} KB** each`,
        against: '–',
        aim: '≤ 40 KB',
      },
      await comeBack(larder, seats),
    ]
  } finally {
    await larder.stop()
  }
}

const isPublisher = ({ role }: Seat): boolean => role === 'publisher'
const rest = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))

async function sit(larder: LarderSide, at: number): Promise<Seat> {
  const room = at % ROOMS
  const role = at < ROOMS ? 'publisher' : 'viewer'
  const peer = await dial(larder.url)
  const heard: number[] = []
  const seat: Seat = { room, role, resume_token: '', peer, seen: 0, heard }
  const { resume_token } = await greet(peer, { token: larder.tokens[room], role }, text => note(seat, text))
  return Object.assign(seat, { resume_token })
}

function note(seat: Seat, text: string): void {
  const { seq, type, data } = JSON.parse(text) as { seq?: number; type: string; data: { candidate?: { n: number } } }
  seat.seen = seq ?? seat.seen
  if (type === 'candidate' && data.candidate) seat.heard.push(data.candidate.n)
}

async function comeBack(larder: LarderSide, seats: readonly Seat[]): Promise<Row> {
  const [publishers, viewers] = [seats.filter(isPublisher), seats.filter(seat => !isPublisher(seat))]
  for (const { peer } of viewers) peer.cut()
  await each(publishers.length, at => speak((publishers[at] as Seat).peer))
  for (const { peer } of publishers) peer.cut()
  await Promise.all(seats.map(({ peer }) => peer.closed))
  const cpu = await cpuSeconds(larder.pid)
  const started = performance.now()
  const times = await each(seats.length, at => resume(larder, seats[at] as Seat, started), AT_ONCE)
  const seconds = Math.max(...times) / 1000
  const used = (await cpuSeconds(larder.pid)) - cpu
  await rest(1)
  const right = Array.from({ length: MISSED }, (_, at) => at + 1).join()
  const wrong = viewers.filter(({ heard }) => heard.join() !== right).length
  for (const { peer } of seats) peer.cut()
  return {
    what: `${seats.length.toLocaleString('en')} sockets that come back at once, until all are welcomed to their places`,
    measured: `**${seconds.toFixed(1)} s** (${used.toFixed(1)} s of a processor), **${wrong}** viewers without exactly what they missed`,
    against: '–',
    aim: 'nothing lost',
  }
}

/** Resolves when the server has heard everything: from there on it is for the server to bring it. */
async function speak(peer: Peer): Promise<void> {
  const before = peer.hear
  const last = new Promise<void>(resolve => {
    peer.hear = text => {
      before(text)
      if (text.includes(`"id":"${MISSED}"`)) resolve()
    }
  })
  for (let n = 1; n <= MISSED; n++)
    peer.send(JSON.stringify({ type: 'candidate', id: String(n), data: { connection_id: 'c', candidate: { n } } }))
  await last
}

/** A connection that the storm cut short is tried again, as every client does. */
async function reach(url: string): Promise<Peer> {
  for (;;)
    try {
      return await dial(url)
    } catch {
      await rest(0.1 + Math.random())
    }
}

async function resume(larder: LarderSide, seat: Seat, started: number): Promise<number> {
  seat.peer = await reach(larder.url)
  const hello = { resume_token: seat.resume_token, last_seq: seat.seen }
  const { resumed } = await greet(seat.peer, hello, text => note(seat, text))
  if (!resumed) throw new Error('a place was not resumed')
  return performance.now() - started
}

/** Memory of 5,000 idle sockets, and the time to reconnect all of them. */
import { cpuSeconds } from './cpu.ts'
import type { BenchEnvironment } from './fixtures.ts'
import { type Row, residentMiB } from './measure.ts'
import { dial, type LarderSide, mapConcurrently, type Peer, type Role, sendHello, startLarder } from './peers.ts'

const ROOMS = 1250
const PEERS_PER_ROOM = 4
/** Frames that each publisher sends between the disconnection of its viewers and its own. */
const MISSED = 5
const CONCURRENT_RECONNECTS = 5000

interface PeerSession {
  readonly room: number
  readonly role: Role
  readonly resume_token: string
  peer: Peer
  /** Sequence number of the last received frame. */
  lastSeq: number
  /** Numbers of the received candidates, over both connections. */
  readonly received: number[]
}

export async function reconnectStorm(environment: BenchEnvironment, recipe: string): Promise<Row[]> {
  const larder = await startLarder(environment, recipe)
  try {
    await larder.rooms(ROOMS)
    // Excludes one-time costs from the memory per socket.
    const first = await mapConcurrently(100, () => dial(larder.url))
    for (const peer of first) peer.cut()
    await pauseSeconds(2)
    const before = await residentMiB(larder.pid)
    const sessions = await mapConcurrently(ROOMS * PEERS_PER_ROOM, at => join(larder, at))
    await pauseSeconds(10)
    const grown = ((await residentMiB(larder.pid)) - before) * 1024
    return [
      {
        what: `${sessions.length.toLocaleString('en')} idle sockets in one process, in ${ROOMS.toLocaleString('en')} sessions`,
        measured: `**${(grown / sessions.length).toFixed(1)} KB** each`,
        against: '–',
        aim: '≤ 40 KB',
      },
      await reconnectAll(larder, sessions),
    ]
  } finally {
    await larder.stop()
  }
}

const isPublisher = ({ role }: PeerSession): boolean => role === 'publisher'
const pauseSeconds = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))

async function join(larder: LarderSide, at: number): Promise<PeerSession> {
  const room = at % ROOMS
  const role = at < ROOMS ? 'publisher' : 'viewer'
  const peer = await dial(larder.url)
  const received: number[] = []
  const session: PeerSession = { room, role, resume_token: '', peer, lastSeq: 0, received }
  const { resume_token } = await sendHello(peer, { token: larder.tokens[room], role }, text =>
    recordFrame(session, text),
  )
  return Object.assign(session, { resume_token })
}

function recordFrame(session: PeerSession, text: string): void {
  const { seq, type, data } = JSON.parse(text) as { seq?: number; type: string; data: { candidate?: { n: number } } }
  session.lastSeq = seq ?? session.lastSeq
  if (type === 'candidate' && data.candidate) session.received.push(data.candidate.n)
}

async function reconnectAll(larder: LarderSide, sessions: readonly PeerSession[]): Promise<Row> {
  const [publishers, viewers] = [sessions.filter(isPublisher), sessions.filter(session => !isPublisher(session))]
  for (const { peer } of viewers) peer.cut()
  await mapConcurrently(publishers.length, at => sendMissedFrames((publishers[at] as PeerSession).peer))
  for (const { peer } of publishers) peer.cut()
  await Promise.all(sessions.map(({ peer }) => peer.closed))
  const cpu = await cpuSeconds(larder.pid)
  const started = performance.now()
  const times = await mapConcurrently(
    sessions.length,
    at => resume(larder, sessions[at] as PeerSession, started),
    CONCURRENT_RECONNECTS,
  )
  const seconds = Math.max(...times) / 1000
  const used = (await cpuSeconds(larder.pid)) - cpu
  await pauseSeconds(1)
  const right = Array.from({ length: MISSED }, (_, at) => at + 1).join()
  const wrong = viewers.filter(({ received }) => received.join() !== right).length
  for (const { peer } of sessions) peer.cut()
  return {
    what: `${sessions.length.toLocaleString('en')} sockets reconnecting at once, until all sessions are resumed`,
    measured: `**${seconds.toFixed(1)} s** (${used.toFixed(1)} s of CPU time), **${wrong}** viewers with missing or repeated frames`,
    against: '–',
    aim: 'no loss',
  }
}

/** Resolves when the server has acknowledged the last frame. */
async function sendMissedFrames(peer: Peer): Promise<void> {
  const before = peer.onFrame
  const last = new Promise<void>(resolve => {
    peer.onFrame = text => {
      before(text)
      if (text.includes(`"id":"${MISSED}"`)) resolve()
    }
  })
  for (let n = 1; n <= MISSED; n++)
    peer.send(JSON.stringify({ type: 'candidate', id: String(n), data: { connection_id: 'c', candidate: { n } } }))
  await last
}

/** Retries failed connections, as every client does. */
async function dialUntilConnected(url: string): Promise<Peer> {
  for (;;)
    try {
      return await dial(url)
    } catch {
      await pauseSeconds(0.1 + Math.random())
    }
}

async function resume(larder: LarderSide, session: PeerSession, started: number): Promise<number> {
  session.peer = await dialUntilConnected(larder.url)
  const hello = { resume_token: session.resume_token, last_seq: session.lastSeq }
  const { resumed } = await sendHello(session.peer, hello, text => recordFrame(session, text))
  if (!resumed) throw new Error('a peer session was not resumed')
  return performance.now() - started
}

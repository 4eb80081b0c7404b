/** The port `edgeGate`: may this connection publish or play? Asked at each handshake, so answers are remembered briefly. */

import { createHash } from 'node:crypto'
import { type Deps, SECOND } from 'larder/kernel'
import { tokensOf } from '../domain/media-paths.ts'
import type { StreamsOptions } from '../options.ts'
import type { EdgeGate, EdgeQuestion, Pass, Session } from '../ports.ts'
import { isOver } from '../problems.ts'

type GateDeps = Deps<'database' | 'sessions' | 'streamTokens' | 'mediaEdge' | 'bus' | 'clock'>
/** How long an answer holds, unless something that it rests on changes first. */
const REMEMBERED = 5 * SECOND
const MOST = 10_000
/** A player of HLS asks for each piece: only the others count as a use of a token. */
const PIECEWISE = 'hls'

interface Known {
  readonly streamId: string
  readonly answer: boolean
  readonly until: number
}

export function createEdgeGate(deps: GateDeps, { requireAccept = false }: StreamsOptions): EdgeGate {
  const { mediaEdge, bus, clock } = deps
  const known = new Map<string, Known>()
  const forget = (message: unknown) => {
    const { sessionId } = message as { sessionId?: string }
    if (sessionId === undefined) return known.clear()
    for (const [key, { streamId }] of known) if (streamId === sessionId) known.delete(key)
  }
  const stops = ['sessions.changed', 'streams.changed'].map(name => bus.subscribe(name, forget, () => known.clear()))

  return {
    async allows(question) {
      const streamId = mediaEdge.streamOf(question.path)
      if (streamId === undefined || !['publish', 'read', 'playback'].includes(question.action)) return false
      const key = keyOf(question)
      const found = known.get(key)
      const now = clock.now()
      if (found && found.until > now) return found.answer
      const { answer, until } = await decide(deps, requireAccept, streamId, question)
      if (known.size >= MOST) known.clear()
      known.set(key, { streamId, answer, until: Math.min(until, now + REMEMBERED) })
      return answer
    },
    stop() {
      for (const stop of stops) stop()
    },
  }
}

/** Tokens are secrets: memory holds their digest. */
const keyOf = ({ action, path, protocol, id, token, password, query }: EdgeQuestion): string =>
  createHash('sha256')
    .update(JSON.stringify([action, path, protocol, id, token, password, query]))
    .digest('base64')

async function decide(deps: GateDeps, requireAccept: boolean, streamId: string, question: EdgeQuestion) {
  const refused = { answer: false, until: Number.POSITIVE_INFINITY }
  const [session] = await deps.sessions.getManyAcrossTenants([streamId])
  if (session?.mode !== 'stream' || isOver(session.status)) return refused
  const until = session.status === 'created' ? Date.parse(session.expires_at) : Number.POSITIVE_INFINITY
  const publishes = question.action === 'publish'
  if (!publishes && requireAccept && session.status === 'created') return refused
  if (!publishes && (await isPublic(deps, session))) return { answer: true, until }
  for (const token of tokensOf(question)) {
    const pass = await deps.streamTokens.passOf(token)
    if (!pass || pass.session.id !== streamId || !opens(pass, publishes)) continue
    const counts = question.protocol !== PIECEWISE
    return { answer: !counts || (await deps.streamTokens.spend(pass)), until }
  }
  return refused
}

const opens = ({ kind }: Pass, publishes: boolean): boolean =>
  kind === 'join' || kind === (publishes ? 'publisher' : 'viewer')

async function isPublic({ database }: GateDeps, { id, workspace_id }: Session): Promise<boolean> {
  const { rows } = await database
    .tenant(workspace_id)
    .query<{ visibility: string }>('select visibility from streams_streams where id = $1', [id])
  return rows[0]?.visibility === 'public'
}

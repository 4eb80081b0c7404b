/** A stream is a session of mode `stream` with additional details. */
import {
  cleanName,
  common,
  type Deps,
  decodeCursor,
  isSuspendedSql,
  type PageOf,
  pageLimit,
  together,
  toPage,
} from '@larder-dev/larder/kernel'
import type { MediaEdge } from '../domain/media-edge.ts'
import type { NewStream, PublicStream, Session, Stream, StreamDetails, Streams } from '../ports.ts'
import { isFinished, streamNotFound } from '../problems.ts'
import { type StreamRow, streamTable } from '../records/stream.ts'
import { readDetails } from './stream-details.ts'

type StreamsDeps = Deps<'database' | 'systemDatabase' | 'sessions'> & { readonly mediaEdge: MediaEdge }

export function createStreams(deps: StreamsDeps): Streams {
  const { database, systemDatabase, sessions, mediaEdge } = deps
  return {
    async create(
      tenantId,
      { title: given = '', description, visibility, tags, hide_viewer_count, ...input }: NewStream,
    ) {
      const title = cleanName(given) || null
      const details = { title, description, visibility, tags, hide_viewer_count }
      const session = await sessions.create(tenantId, { ...input, mode: 'stream' }, ({ id }) => [
        streamTable.insertStep({ ...details, tenant_id: tenantId, id }),
      ])
      const mediaPath = mediaEdge.streamPath(session.id)
      return { ...session, visibility: visibility ?? 'private', title, media_path: mediaPath }
    },
    async get(tenantId, id) {
      const { session, details } = await together({
        session: sessions.get(tenantId, id).catch(rethrowAsStreamError),
        details: readDetails(database.tenant(tenantId), [id]),
      })
      if (session.mode !== 'stream') throw streamNotFound()
      return toStream(session, details.get(id) as StreamDetails, mediaEdge)
    },
    async list(tenantId, query) {
      const { data, nextCursor } = await sessions.list(tenantId, { ...query, mode: 'stream' })
      const details = await readDetails(
        database.tenant(tenantId),
        data.map(({ id }) => id),
      )
      return {
        data: data.map(session => toStream(session, details.get(session.id) as StreamDetails, mediaEdge)),
        nextCursor,
      }
    },
    directory: query => readDirectory(deps, query),
    async getPublic(id) {
      const unit = systemDatabase.acrossTenants(DIRECTORY_REASON)
      const [row] = await streamTable.query<Viewers>(unit, PUBLIC_ONE, [id])
      if (row?.suspended) throw common.tenant_suspended()
      const [session] = row ? await sessions.getManyAcrossTenants([id]) : []
      return row && session && !isFinished(session.status) ? toPublic(row, session, mediaEdge) : null
    },
  }
}

/** Replaces the `not_found` error of sessions, whose text names a session instead of a stream. */
export function rethrowAsStreamError(error: unknown): never {
  throw error instanceof Error && 'code' in error && error.code === 'not_found' ? streamNotFound() : error
}

const toStream = (session: Session, details: StreamDetails, edge: MediaEdge): Stream => ({
  ...session,
  ...details,
  media_path: edge.streamPath(session.id),
  playback: edge.playback(session.id),
})

interface Viewers {
  readonly viewers: number
  readonly suspended: boolean
}
type DirectoryRow = StreamRow & Viewers
const DIRECTORY_REASON = 'the directory lists public streams of every tenant'
const SUSPENDED = isSuspendedSql('s.tenant_id')
const PUBLIC = `select ${streamTable.columns()}, (select count(*)::int from streams_peers p
    where p.session_id = s.id and p.role = 'viewer') as viewers,
    ${SUSPENDED} as suspended
  from streams_streams s where visibility = 'public' and not closed`
const DIRECTORY = `${PUBLIC} and not ${SUSPENDED} and ($1::text is null or id < $1) order by id desc limit $2`
const PUBLIC_ONE = `${PUBLIC} and id = $1`

/** Skips finished sessions whose row is not marked as closed yet, and continues until the page is full. */
async function readDirectory(
  { systemDatabase, sessions, mediaEdge }: StreamsDeps,
  query: { limit?: number; cursor?: string },
): Promise<PageOf<PublicStream>> {
  const limit = pageLimit(query)
  const unit = systemDatabase.acrossTenants(DIRECTORY_REASON)
  const streams: PublicStream[] = []
  let [before = null] = decodeCursor(query.cursor, 1) ?? []
  for (;;) {
    const rows = await streamTable.query<Viewers>(unit, DIRECTORY, [before, limit + 1])
    const known = new Map(
      (await sessions.getManyAcrossTenants(rows.map(({ id }) => id))).map(session => [session.id, session]),
    )
    for (const row of rows) {
      const session = known.get(row.id)
      if (session && !isFinished(session.status)) streams.push(toPublic(row, session, mediaEdge))
    }
    if (streams.length > limit || rows.length <= limit) return toPage(streams, limit, ({ id }) => [id])
    before = rows.at(-1)?.id ?? null
  }
}

const toPublic = (row: DirectoryRow, session: Session, edge: MediaEdge): PublicStream => ({
  id: row.id,
  title: row.title,
  description: row.description,
  tags: row.tags,
  stream_profile: session.stream_profile,
  live_status: row.live_status,
  viewer_count: row.hide_viewer_count ? null : row.viewers + row.edge_viewers,
  live_at: row.live_at,
  created_at: session.created_at,
  playback: edge.playback(row.id),
})

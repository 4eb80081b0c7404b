/** The port `streamSources`: what a stream shows, and how it is laid out. Each change is one transaction. */
import { type Deps, newId, type Unit } from 'larder/kernel'
import { layoutFlaws, sourceFlaws, withoutSource } from '../domain/validation.ts'
import type { Layout, Source, StreamChanged, StreamSources } from '../ports.ts'
import { cannotChange, invalidFields, isOver, problems, sourceNotFound, streamNotFound } from '../problems.ts'
import { MAX_SOURCES } from '../routes/schemas.ts'
import { SOURCE_COLUMNS, type SourceRow, type StreamRow, toLayout, toSource } from './stream-records.ts'
import { renamed } from './stream-service.ts'

type SourcesDeps = Deps<'database' | 'sessions' | 'events' | 'bus' | 'clock'>
const LIST = `select ${SOURCE_COLUMNS} from streams_sources where stream_id = $1 order by created_at, source_id`
const LAYOUT = 'select layout, layout_version from streams_streams where id = $1'
/** An update of the row that is there, or the row itself: either way it is locked until the transaction ends. */
const LOCK = `insert into streams_streams (tenant_id, id) values ($1, $2)
  on conflict (id) do update set id = excluded.id returning layout, layout_version`
const PUT = `insert into streams_sources (tenant_id, stream_id, source_id, kind, label, width, height, fps, url, metadata,
    created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
  on conflict (stream_id, source_id) do update set kind = excluded.kind, label = excluded.label,
    width = excluded.width, height = excluded.height, fps = excluded.fps, url = excluded.url,
    metadata = excluded.metadata, updated_at = excluded.updated_at
  returning ${SOURCE_COLUMNS}`
const SET_LAYOUT = `update streams_streams set layout = $2, layout_version = layout_version + 1 where id = $1
  returning layout, layout_version`

export function createSources(deps: SourcesDeps): StreamSources {
  const { database, sessions, clock } = deps
  const tell = createTeller(deps)

  async function mustBeStream(tenantId: string, id: string): Promise<void> {
    const session = await sessions.get(tenantId, id).catch(renamed)
    if (session.mode !== 'stream') throw streamNotFound()
    if (isOver(session.status)) throw cannotChange(session.status)
  }
  const sourcesOf = async (unit: Unit, id: string): Promise<Source[]> =>
    (await unit.query<SourceRow>(LIST, [id])).rows.map(toSource)

  /** `work` sees the layout under a lock that holds back every other change of this stream. */
  const change = <T>(tenantId: string, id: string, work: (unit: Unit, layout: Layout) => Promise<T>): Promise<T> =>
    database.tenant(tenantId).transaction(async unit => {
      await mustBeStream(tenantId, id)
      const { rows } = await unit.query<StreamRow>(LOCK, [tenantId, id])
      return work(unit, toLayout(rows[0]))
    })

  async function replaceLayout(unit: Unit, tenantId: string, id: string, next: Omit<Layout, 'version'>) {
    const { kind, slots, focus_source_id, metadata } = next
    const { rows } = await unit.query<StreamRow>(SET_LAYOUT, [
      id,
      JSON.stringify({ kind, slots, focus_source_id, metadata }),
    ])
    const layout = toLayout(rows[0])
    await tell(tenantId, id, 'streams.stream.layout_updated', { change: 'layout', layout })
    return layout
  }

  return {
    async list(tenantId, id) {
      await isStream(sessions, tenantId, id)
      return sourcesOf(database.tenant(tenantId), id)
    },
    put(tenantId, id, input) {
      refuse(sourceFlaws(input))
      return change(tenantId, id, async unit => {
        const known = (await sourcesOf(unit, id)).map(source => source.source_id)
        const sourceId = input.source_id ?? newId('src', clock.now())
        const added = !known.includes(sourceId)
        if (added && known.length >= MAX_SOURCES) throw problems.too_many_sources({ limit: MAX_SOURCES })
        const { kind, label = null, width = null, height = null, fps = null, url = null, metadata = {} } = input
        const { rows } = await unit.query<SourceRow>(PUT, [
          ...[tenantId, id, sourceId, kind, label, width, height, fps, url],
          ...[JSON.stringify(metadata), new Date(clock.now())],
        ])
        const source = toSource(rows[0] as SourceRow)
        await tell(tenantId, id, 'streams.stream.sources_updated', { change: 'source', source })
        return { source, added }
      })
    },
    remove: (tenantId, id, sourceId) =>
      change(tenantId, id, async (unit, layout) => {
        const gone = await unit.query('delete from streams_sources where stream_id = $1 and source_id = $2', [
          id,
          sourceId,
        ])
        if (gone.rowCount === 0) throw sourceNotFound()
        const source = { source_id: sourceId, removed: true } as const
        await tell(tenantId, id, 'streams.stream.sources_updated', { change: 'source', source })
        const left = withoutSource(layout, sourceId)
        if (left !== layout) await replaceLayout(unit, tenantId, id, left)
      }),
    async layout(tenantId, id) {
      await isStream(sessions, tenantId, id)
      const { rows } = await database.tenant(tenantId).query<StreamRow>(LAYOUT, [id])
      return toLayout(rows[0])
    },
    setLayout: (tenantId, id, input, check) =>
      change(tenantId, id, async (unit, current) => {
        check(current)
        const known = (await sourcesOf(unit, id)).map(source => source.source_id)
        refuse(layoutFlaws(input, known))
        const { kind, slots = [], focus_source_id = null, metadata = {} } = input
        return replaceLayout(unit, tenantId, id, { kind, slots, focus_source_id, metadata })
      }),
  }
}

async function isStream(sessions: SourcesDeps['sessions'], tenantId: string, id: string): Promise<void> {
  if ((await sessions.get(tenantId, id).catch(renamed)).mode !== 'stream') throw streamNotFound()
}

function refuse(flaws: readonly { pointer: string; code: string; detail: string }[]): void {
  if (flaws.length > 0) throw invalidFields(flaws)
}

type Change = Extract<StreamChanged, { change: 'source' | 'layout' }>
type Told<C> = C extends Change ? Omit<C, 'tenantId' | 'sessionId'> : never

/** Tells webhooks by an event, in the surrounding unit, and sockets over the bus once that stands. */
function createTeller({ database, sessions, events, bus }: SourcesDeps) {
  return async (
    tenantId: string,
    id: string,
    type: 'streams.stream.sources_updated' | 'streams.stream.layout_updated',
    told: Told<Change>,
  ): Promise<void> => {
    // It locks the session, so what it says of the status holds until this commits.
    const payload = await sessions.nextEventPayload(tenantId, id)
    if (isOver(payload.status)) throw cannotChange(payload.status)
    await events.publish(type, { tenantId, subject: id, payload })
    database.afterCommit(() => bus.publish('streams.changed', { tenantId, sessionId: id, ...told }))
  }
}

/** Sources and layout of a stream. Each change is one transaction. */
import { type Deps, type FieldError, invalidFields, newId, together, type Unit } from '@larder-dev/larder/kernel'
import { MAX_SOURCES } from '../domain/values.ts'
import type { StreamChanged } from '../ports.ts'
import { isFinished, problems, sourceNotFound, stateProblems, streamNotFound } from '../problems.ts'
import { type Layout, type NewLayout, type NewSource, type Source, sourceTable } from '../records/source.ts'
import { type StreamRow, streamTable } from '../records/stream.ts'
import type { StreamChanges } from './stream-changes.ts'
import { toLayout } from './stream-records.ts'
import { rethrowAsStreamError } from './stream-service.ts'
import { validateLayout, validateSource, withoutSource } from './validation.ts'

type SourcesDeps = Deps<'database' | 'sessions' | 'events' | 'clock'> & { readonly streamChanges: StreamChanges }
export type StreamSources = ReturnType<typeof createSources>
const LIST = `select ${sourceTable.columns()} from streams_sources where stream_id = $1 order by created_at, source_id`
const LAYOUT = 'select layout, layout_version from streams_streams where id = $1'
/** Inserts the row or updates the existing one. Either way it is locked until the transaction ends. */
const OR_LOCK = 'on conflict (id) do update set id = excluded.id returning layout, layout_version'
const REPLACE = `${sourceTable.replacing(['stream_id', 'source_id'], ['tenant_id', 'created_at'])}
  returning ${sourceTable.columns()}`
const SET_LAYOUT = `update streams_streams set layout = $2, layout_version = layout_version + 1 where id = $1
  returning layout, layout_version`

/** The state that a change starts from. */
interface StreamState {
  readonly layout: Layout
  /** Ids of the sources. */
  readonly known: readonly string[]
}

export function createSources(deps: SourcesDeps) {
  const { database, sessions, clock } = deps
  const { publishEvent, notifyAfterCommit } = createChangePublisher(deps)

  async function assertOpenStream(tenantId: string, id: string): Promise<void> {
    const session = await sessions.get(tenantId, id).catch(rethrowAsStreamError)
    if (session.mode !== 'stream') throw streamNotFound()
    if (isFinished(session.status)) throw stateProblems.finished()
  }
  const sourcesOf = (unit: Unit, id: string): Promise<Source[]> => sourceTable.query(unit, LIST, [id])

  /**
   * Runs `work` under a lock that serializes all changes of the stream. The statements before it are pipelined; those
   * that follow the lock see what the previous change committed.
   */
  const change = <T>(tenantId: string, id: string, work: (unit: Unit, state: StreamState) => Promise<T>): Promise<T> =>
    database.tenant(tenantId).transaction(async unit => {
      const isOpen = assertOpenStream(tenantId, id)
      const state = Promise.all([
        unit.query<StreamRow>(...streamTable.insertStep({ tenant_id: tenantId, id }, OR_LOCK)),
        sourcesOf(unit, id),
      ])
      const {
        state: [{ rows }, sources],
      } = await together({ open: isOpen, state })
      return work(unit, { layout: toLayout(rows[0]), known: sources.map(({ source_id }) => source_id) })
    })

  async function replaceLayout(unit: Unit, tenantId: string, id: string, next: Omit<Layout, 'version'>) {
    const { kind, slots, focus_source_id, metadata } = next
    const {
      updated: { rows },
    } = await together({
      updated: unit.query<StreamRow>(SET_LAYOUT, [id, JSON.stringify({ kind, slots, focus_source_id, metadata })]),
      event: publishEvent(tenantId, id, 'streams.stream.layout_updated'),
    })
    const layout = toLayout(rows[0])
    notifyAfterCommit(tenantId, id, { change: 'layout', layout })
    return layout
  }

  return {
    async list(tenantId: string, id: string): Promise<Source[]> {
      const { sources } = await together({
        stream: assertStream(sessions, tenantId, id),
        sources: sourcesOf(database.tenant(tenantId), id),
      })
      return sources
    },
    /** `added` is false if a source with this id was replaced. Throws `not_found`, `invalid_state`, `too_many_sources`. */
    put(tenantId: string, id: string, input: NewSource): Promise<{ source: Source; added: boolean }> {
      assertValid(validateSource(input))
      return change(tenantId, id, async (unit, { known }) => {
        const sourceId = input.source_id ?? newId('src', clock.now())
        const added = !known.includes(sourceId)
        if (added && known.length >= MAX_SOURCES) throw problems.too_many_sources({ limit: MAX_SOURCES })
        const now = new Date(clock.now()).toISOString()
        const values = {
          ...input,
          tenant_id: tenantId,
          stream_id: id,
          source_id: sourceId,
          created_at: now,
          updated_at: now,
        }
        const {
          written: [source],
        } = await together({
          written: sourceTable.query(unit, ...sourceTable.insertStep(values, REPLACE)),
          event: publishEvent(tenantId, id, 'streams.stream.sources_updated'),
        })
        notifyAfterCommit(tenantId, id, { change: 'source', source: source as Source })
        return { source: source as Source, added }
      })
    },
    /** Also removes its slot from the layout. Throws `not_found`, `invalid_state`. */
    remove: (tenantId: string, id: string, sourceId: string): Promise<void> =>
      change(tenantId, id, async (unit, { layout, known }) => {
        if (!known.includes(sourceId)) throw sourceNotFound()
        await unit.defer([sourceTable.deleteStep({ stream_id: id, source_id: sourceId })])
        await publishEvent(tenantId, id, 'streams.stream.sources_updated')
        const source = { source_id: sourceId, removed: true } as const
        notifyAfterCommit(tenantId, id, { change: 'source', source })
        const remaining = withoutSource(layout, sourceId)
        if (remaining !== layout) await replaceLayout(unit, tenantId, id, remaining)
      }),
    async layout(tenantId: string, id: string): Promise<Layout> {
      const {
        layout: { rows },
      } = await together({
        stream: assertStream(sessions, tenantId, id),
        layout: database.tenant(tenantId).query<StreamRow>(LAYOUT, [id]),
      })
      return toLayout(rows[0])
    },
    /** Calls `check` with the current layout under a lock; it may throw. Throws `not_found`, `invalid_state`. */
    setLayout: (tenantId: string, id: string, input: NewLayout, check: (current: Layout) => void): Promise<Layout> =>
      change(tenantId, id, async (unit, { layout, known }) => {
        check(layout)
        assertValid(validateLayout(input, known))
        const { kind, slots = [], focus_source_id = null, metadata = {} } = input
        return replaceLayout(unit, tenantId, id, { kind, slots: [...slots], focus_source_id, metadata })
      }),
  }
}

async function assertStream(sessions: SourcesDeps['sessions'], tenantId: string, id: string): Promise<void> {
  if ((await sessions.get(tenantId, id).catch(rethrowAsStreamError)).mode !== 'stream') throw streamNotFound()
}

function assertValid(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidFields(errors)
}

type Change = Extract<StreamChanged, { change: 'source' | 'layout' }>
type Details<C> = C extends Change ? Omit<C, 'tenantId' | 'sessionId'> : never

function createChangePublisher({ sessions, events, streamChanges }: SourcesDeps) {
  return {
    /** Publishes an event in the surrounding unit. Throws `cannot_change` for a stream that has ended. */
    async publishEvent(
      tenantId: string,
      id: string,
      type: 'streams.stream.sources_updated' | 'streams.stream.layout_updated',
    ): Promise<void> {
      // This locks the session, so its status can't change before the commit.
      const payload = await sessions.nextEventPayload(tenantId, id)
      if (isFinished(payload.status)) throw stateProblems.finished()
      await events.publish(type, { tenantId, subject: id, payload })
    },
    /** Tells the sockets of every process. */
    notifyAfterCommit(tenantId: string, id: string, change: Details<Change>): void {
      streamChanges.publish({ tenantId, sessionId: id, ...change })
    },
  }
}

/** What an event does: it starts runs, and moves the moments of rows. */
import type { EventEnvelope } from '@larder-dev/larder/kernel'
import type { Automation } from '../../domain/definition/automation.ts'
import { pathsOf } from '../../domain/values/condition.ts'
import type { Definitions } from '../definitions.ts'
import type { RowKinds } from '../row-kinds.ts'
import type { RowReader } from '../row-reader.ts'
import type { NewRun } from './run-starter.ts'
import type { StartCondition } from './start-condition.ts'

export type AnyEvent = EventEnvelope<string, Readonly<Record<string, unknown>>>

interface RowPayload {
  readonly row?: Readonly<Record<string, unknown>>
  readonly changed?: readonly string[]
  readonly previous?: Readonly<Record<string, unknown>>
  readonly bulk?: boolean
}

export interface EventStarts {
  /** The types of events that start automations. */
  readonly types: readonly string[]
  runsOf(events: readonly AnyEvent[]): Promise<readonly NewRun[]>
}

export function createEventStarts({
  definitions,
  rowKinds,
  rowReader,
  startCondition,
}: {
  readonly definitions: Definitions
  readonly rowKinds: RowKinds
  readonly rowReader: RowReader
  readonly startCondition: StartCondition
}): EventStarts {
  const byType = new Map<string, Automation[]>()
  for (const automation of definitions.current.values())
    if (automation.trigger.kind === 'event')
      for (const type of automation.trigger.events) byType.set(type, [...(byType.get(type) ?? []), automation])

  async function runOf(automation: Automation, event: AnyEvent): Promise<NewRun | undefined> {
    const { trigger, when, imports, key } = automation
    const payload: RowPayload = event.payload
    const found = rowKinds.ofEvent(event.type)
    if (found && payload.bulk === true && !imports) return undefined
    // A restored row, whose event has no changed fields.
    if (found?.kind === 'updated' && payload.changed?.length === 0) return undefined
    const fields = trigger.kind === 'event' ? trigger.changed : []
    if (fields.length > 0 && !fields.some(field => payload.changed?.includes(field))) return undefined
    const previous = found?.kind === 'updated' ? { ...payload.row, ...payload.previous } : undefined
    const { row: _, ...rest } = payload
    const offered = { id: event.id, type: event.type, occurredAt: event.occurredAt, subject: event.subject }
    const isSeen = !pathsOf(when).some(
      ([root, field = '']) => root === 'row' && found?.rows.privateFields.includes(field),
    )
    const row =
      isSeen || !found || found.kind === 'deleted'
        ? payload.row
        : await rowReader.get(event.tenantId, found.rows.collection, String(payload.row?.id))
    if (found && !row) return undefined
    const offer = { event: { ...offered, payload }, row, previous }
    if (!(await startCondition.matches(when, event.tenantId, offer))) return undefined
    return {
      automation: key,
      tenantId: event.tenantId,
      trigger: 'event',
      key: event.id,
      collection: found?.rows.collection ?? null,
      rowId: found ? String(payload.row?.id) : null,
      depth: event.depth,
      correlationId: event.correlationId,
      causationId: event.id,
      ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
      input: {
        event: { ...offered, payload: found ? rest : payload },
        ...(previous && { previous }),
        // A deleted row keeps its last values. Others are read again.
        ...(found?.kind === 'deleted' && { row: payload.row }),
      },
    }
  }

  return {
    types: [...byType.keys()],
    async runsOf(events) {
      const runs: NewRun[] = []
      for (const event of events)
        for (const automation of byType.get(event.type) ?? []) {
          const run = await runOf(automation, event)
          if (run) runs.push(run)
        }
      return runs
    },
  }
}

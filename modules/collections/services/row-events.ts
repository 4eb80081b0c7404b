/** Events of rows, and their changes for subscribers. The recipe declares the types of the events, so they aren't checked. */
import { currentContext, type Deps, type EventPublisher, type Step } from '@larder-dev/larder/kernel'
import type { Collection } from '../domain/declarations/collection.ts'
import { withFormer } from '../domain/declarations/former-names.ts'
import { eventStateFields } from '../domain/fields/field-lists.ts'
import { stateEvents } from '../domain/fields/states.ts'
import { formerValues, publicValues, publishedChange, ROWS_TOPIC, type RowChange } from '../domain/rows/row-changes.ts'
import type { Values } from '../domain/rows/row-values.ts'

export interface RowEvents {
  step(tenantId: string, change: RowChange): Step
  /** Those of the states that an updated row has come into. */
  stateSteps(tenantId: string, change: RowChange): readonly Step[]
  /** The events of several rows as one statement. */
  createdStep(tenantId: string, collection: Collection, rows: readonly Values[]): Step
  /** Sends the change to subscribers after the surrounding unit commits, or at once without one. */
  publish(tenantId: string, change: RowChange): void
}

interface Payload {
  readonly row: Values
  readonly changed?: readonly string[]
  readonly previous?: Values
  readonly bulk?: true
}

export function createRowEvents({ events, topics }: Deps<'events' | 'topics'>): RowEvents {
  const publisher = events as unknown as EventPublisher<Record<string, Payload>>
  const eventOf = (tenantId: string, row: Values, payload: Payload) => ({
    tenantId,
    subject: String(row.id),
    payload: currentContext().isBulk ? { ...payload, bulk: true as const } : payload,
  })
  function payloadOf({ collection, row, before, changed }: RowChange): Payload {
    const isPublic = (name: string) => collection.fields.get(name)?.private !== true
    return {
      row: publicValues(collection, row),
      ...(changed && { changed: withFormer(collection, changed.filter(isPublic)) }),
      ...(before && { previous: formerValues(collection, before, row) }),
    }
  }
  return {
    step: (tenantId, change) =>
      publisher.publishStep(
        `collections.${change.collection.name}.${change.kind}`,
        eventOf(tenantId, change.row, payloadOf(change)),
      ),
    stateSteps(tenantId, change) {
      const { collection, row, changed = [] } = change
      return eventStateFields(collection)
        .filter(({ name }) => changed.includes(name) && typeof row[name] === 'string')
        .flatMap(field => stateEvents(collection, field, String(row[field.name])))
        .map(({ event }) => publisher.publishStep(event, eventOf(tenantId, row, payloadOf(change))))
    },
    createdStep(tenantId, collection, rows) {
      const events = rows.map(row => eventOf(tenantId, row, { row: publicValues(collection, row) }))
      return publisher.publishStep(`collections.${collection.name}.created`, ...events)
    },
    publish: (tenantId, change) =>
      topics.publish(ROWS_TOPIC, { tenantId, key: change.collection.name }, () => publishedChange(change)),
  }
}

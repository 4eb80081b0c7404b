/** Events of rows, and their changes for subscribers. The recipe declares the types of the events, so they aren't checked. */
import { currentContext, type Deps, type EventPublisher, type Step } from '@larder-dev/larder/kernel'
import type { Collection } from '../domain/declarations/collection.ts'
import { withFormer } from '../domain/declarations/former-names.ts'
import { formerValues, publicValues, publishedChange, ROWS_TOPIC, type RowChange } from '../domain/rows/row-changes.ts'
import type { Values } from '../domain/rows/row-values.ts'

export interface RowEvents {
  step(tenantId: string, change: RowChange): Step
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
  return {
    step(tenantId, { collection, kind, row, before, changed }) {
      const shown = publicValues(collection, row)
      const isPublic = (name: string) => collection.fields.get(name)?.private !== true
      const payload: Payload = {
        row: shown,
        ...(changed && { changed: withFormer(collection, changed.filter(isPublic)) }),
        ...(before && { previous: formerValues(collection, before, row) }),
      }
      return publisher.publishStep(`collections.${collection.name}.${kind}`, eventOf(tenantId, row, payload))
    },
    createdStep(tenantId, collection, rows) {
      const events = rows.map(row => eventOf(tenantId, row, { row: publicValues(collection, row) }))
      return publisher.publishStep(`collections.${collection.name}.created`, ...events)
    },
    publish: (tenantId, change) =>
      topics.publish(ROWS_TOPIC, { tenantId, key: change.collection.name }, () => publishedChange(change)),
  }
}

/** Events of rows, and their changes for subscribers. The recipe declares the types of the events, so they aren't checked. */
import type { Deps, EventPublisher, Step } from '@larder-dev/larder/kernel'
import type { Collection } from '../domain/declarations/collection.ts'
import { withFormer } from '../domain/declarations/former-names.ts'
import { publicValues, publishedChange, ROWS_TOPIC, type RowChange } from '../domain/rows/row-changes.ts'
import type { Values } from '../domain/rows/row-values.ts'

export interface RowEvents {
  step(tenantId: string, change: RowChange): Step
  /** The events of several rows as one statement. */
  createdStep(tenantId: string, collection: Collection, rows: readonly Values[]): Step
  /** Sends the change to subscribers after the surrounding unit commits, or at once without one. */
  publish(tenantId: string, change: RowChange): void
}

type Payload = { readonly row: Values; readonly changed?: readonly string[] }

export function createRowEvents({ events, topics }: Deps<'events' | 'topics'>): RowEvents {
  const publisher = events as unknown as EventPublisher<Record<string, Payload>>
  const eventOf = (tenantId: string, row: Values, payload: Payload) => ({ tenantId, subject: String(row.id), payload })
  return {
    step(tenantId, { collection, kind, row, changed }) {
      const shown = publicValues(collection, row)
      const isPublic = (name: string) => collection.fields.get(name)?.private !== true
      const payload = changed
        ? { row: shown, changed: withFormer(collection, changed.filter(isPublic)) }
        : { row: shown }
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

/** Events of rows, and their changes for subscribers. Types of the events are declared by the recipe, so the compiler doesn't know them. */
import type { Deps, EventPublisher, Step } from 'larder/kernel'
import { publishedChange, ROWS_TOPIC, type RowChange } from '../domain/row-changes.ts'
import type { Values } from '../domain/row-values.ts'

export interface RowEvents {
  step(tenantId: string, change: RowChange): Step
  /** Sends the change to subscribers after the surrounding unit commits, or at once without one. */
  publish(tenantId: string, change: RowChange): void
  /** Wakes the relay after the surrounding unit commits. */
  wakeAfterCommit(): void
}

type Payload = { readonly row: Values; readonly changed?: readonly string[] }

export function createRowEvents({ events, database, topics }: Deps<'events' | 'database' | 'topics'>): RowEvents {
  const publisher = events as unknown as EventPublisher<Record<string, Payload>>
  return {
    step(tenantId, { collection, kind, row, changed }) {
      const isPrivate = (name: string) => collection.fields.get(name)?.private === true
      const shown = Object.fromEntries(Object.entries(row).filter(([name]) => !isPrivate(name)))
      const payload = changed ? { row: shown, changed: changed.filter(name => !isPrivate(name)) } : { row: shown }
      return publisher.step(`collections.${collection.name}.${kind}`, { tenantId, subject: String(row.id), payload })
    },
    publish: (tenantId, change) =>
      topics.publish(ROWS_TOPIC, { tenantId, key: change.collection.name }, () => publishedChange(change)),
    wakeAfterCommit: () => database.afterCommit(events.wakeWorkers),
  }
}

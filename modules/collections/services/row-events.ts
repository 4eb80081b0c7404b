/** Events of rows. Their types are declared by the recipe, so the compiler doesn't know them. */
import type { Deps, EventPublisher, Step } from 'larder/kernel'
import type { Collection } from '../domain/collection.ts'
import type { Values } from '../domain/row-values.ts'

export interface RowChange {
  readonly collection: Collection
  readonly kind: 'created' | 'updated' | 'deleted'
  /** With private fields, which the event leaves out. */
  readonly row: Values
  /** Names of changed fields, of an update. */
  readonly changed?: readonly string[]
}

export interface RowEvents {
  step(tenantId: string, change: RowChange): Step
  /** Wakes the relay after the surrounding unit commits. */
  wakeAfterCommit(): void
}

type Payload = { readonly row: Values; readonly changed?: readonly string[] }

export function createRowEvents({ events, database }: Deps<'events' | 'database'>): RowEvents {
  const publisher = events as unknown as EventPublisher<Record<string, Payload>>
  return {
    step(tenantId, { collection, kind, row, changed }) {
      const isPrivate = (name: string) => collection.fields.get(name)?.private === true
      const shown = Object.fromEntries(Object.entries(row).filter(([name]) => !isPrivate(name)))
      const payload = changed ? { row: shown, changed: changed.filter(name => !isPrivate(name)) } : { row: shown }
      return publisher.step(`collections.${collection.name}.${kind}`, { tenantId, subject: String(row.id), payload })
    },
    wakeAfterCommit: () => database.afterCommit(events.wakeWorkers),
  }
}

/** How many runs one imported row starts at most. */
import type { Registrations } from '@larder-dev/larder/kernel'
import type { Definitions } from '../definitions.ts'
import type { RowKinds } from '../row-kinds.ts'

export const createImportRuns =
  ({
    definitions,
    rowKinds,
  }: {
    readonly definitions: Definitions
    readonly rowKinds: RowKinds
  }): Registrations['importRuns'] =>
  collection => {
    const events = rowKinds.all.get(collection)?.events
    const count = (type: string | undefined) =>
      [...definitions.current.values()].filter(
        ({ imports, trigger }) =>
          imports && trigger.kind === 'event' && type !== undefined && trigger.events.includes(type),
      ).length
    return { created: count(events?.created), updated: count(events?.updated) }
  }

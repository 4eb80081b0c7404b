/** Ports, events, jobs and registrations of automations. Types only. */
import type { ActionRecipe, PayloadsOf, TSchema } from '@larder-dev/larder/kernel'
import type { events } from './events.ts'

/** A kind of rows that automations can follow, as the check of a recipe knows it. */
export interface AutomationRows {
  /** The name of the collection. */
  readonly collection: string
  /** A row with all of its fields, as the system reads it. */
  readonly row: TSchema
  /** The fields that its public events contain. */
  readonly publicFields: readonly string[]
  /** The other ones. */
  readonly privateFields: readonly string[]
  /** Those of them that everybody reads who may read the row. */
  readonly openFields: readonly string[]
  /** The types of its events: their payloads are `{ row, changed?, previous?, bulk? }`. */
  readonly events: { readonly created: string; readonly updated: string; readonly deleted: string }
  /** Field → what it holds, of those that `before`, `after` and `wait: { until }` can name. */
  readonly dates: Readonly<Record<string, 'date' | 'datetime'>>
  /** Reference → collection, or `member`, `user`, … */
  readonly references: Readonly<Record<string, string>>
  /** Whether the rows belong to the operator's workspace. */
  readonly isShared: boolean
}

declare module '@larder-dev/larder/kernel' {
  interface DeclaredPermissions {
    automations: `automations.${string}.run`
  }
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    /** Runs the steps that are due. */
    'automations.run': { runId: string }
    /** Starts what is due: schedules, and moments before and after dates. */
    'automations.due': Record<string, never>
    /** Starts the runs of a schedule at one of its times. */
    'automations.start_scheduled': { automation: string; plannedAt: string }
    /** Plans the moments of existing rows, in batches. */
    'automations.plan': Record<string, never>
    'automations.sweep': Record<string, never>
  }
  interface Registrations {
    /** Rows that automations can follow, found while a recipe is checked. */
    automationRows: {
      readonly constant: (recipe: Pick<ActionRecipe, 'modules' | 'section'>) => readonly AutomationRows[]
    }
  }
}

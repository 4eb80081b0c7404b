/** Ports, events, jobs and registrations of automations. Types only. */
import type { ActionRecipe, PayloadsOf, TSchema } from '@larder-dev/larder/kernel'
import type { RunState, StepState } from './domain/run-states.ts'
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
  /** The types of further events of an updated row, with the same payload: one for each state that it can come into. */
  readonly stateEvents: readonly string[]
  /** Field → what it holds, of those that `before`, `after` and `wait: { until }` can name. */
  readonly dates: Readonly<Record<string, 'date' | 'datetime'>>
  /** Reference → collection, or `member`, `user`, … */
  readonly references: Readonly<Record<string, string>>
  /** Roles that `access` lets read rows, or `everybody`. */
  readonly readers: readonly string[] | 'everybody'
  /** Whether the rows belong to the operator's workspace. */
  readonly isShared: boolean
}

/** What an automation would do with a sample. */
export interface Trial {
  readonly automation: string
  readonly starts: boolean
  /** Why it doesn't start. */
  readonly reason?: string
  /** In their order, up to the one that fails. */
  readonly steps: readonly TrialStep[]
}
export interface TrialStep {
  readonly position: number
  /** Its name in the recipe. */
  readonly name: string | null
  /** `comms.mail`, `wait`, `ask`. */
  readonly action: string
  /** `passed`: its condition doesn't match. */
  readonly state: 'done' | 'passed' | 'failed'
  /** With its values; a list for a step with `each`. */
  readonly input?: unknown
  /** What later steps read: that of the sample, or an invented one. */
  readonly output?: unknown
  /** Why it passed or failed. */
  readonly detail?: string
}

/** A run with all of its values, without secrets. */
export interface LoggedRun {
  readonly id: string
  readonly tenantId: string
  readonly automation: string
  readonly trigger: string
  readonly state: RunState
  readonly collection: string | null
  readonly rowId: string | null
  /** The step that is next, from 0. */
  readonly position: number
  readonly wakesAt: Date | null
  readonly error: { readonly code: string; readonly detail: string } | null
  /** What the trigger offered. */
  readonly input: Readonly<Record<string, unknown>>
  readonly steps: readonly LoggedStep[]
}
/** A step that has begun. */
export interface LoggedStep {
  readonly position: number
  /** With `each`, from 0; -1 without it. */
  readonly item: number
  readonly name: string | null
  readonly action: string
  readonly state: StepState
  readonly attempts: number
  readonly input: unknown
  readonly output: unknown
  readonly error: { readonly code: string; readonly detail: string } | null
}

/** What the command line and tests of a product use. */
export interface AutomationTools {
  /**
   * What starts the automation, with invented values. Throws an Error for an unknown one.
   * @param event of an automation that starts with several.
   */
  sample(key: string, event?: string): Readonly<Record<string, unknown>>
  /** What its steps would do. Connects to nothing. Rejects with an Error for an unknown automation, and for mistakes in the sample. */
  test(key: string, sample: unknown): Promise<Trial>
  /** The oldest first, at most 1,000. */
  runs(query: { readonly automation?: string; readonly tenantId?: string }): Promise<readonly LoggedRun[]>
  /** The runs whose next step is due, or runs. */
  countRunning(): Promise<number>
  /** Continues runs that wait for a time, so that tests need not wait. Returns their number. */
  endWaits(query: { readonly automation?: string; readonly tenantId?: string }): Promise<number>
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    /** Tries automations out, and lists their runs. */
    automations: AutomationTools
  }
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

/** Automations in their normal form, which runs keep. JSON values only. */
import type { LocalText } from '@larder-dev/larder/kernel'
import type { DeclaredButton, DeclaredCondition, DeclaredHook, DeclaredSelection } from './declared.ts'

export type Trigger =
  /** @property changed empty: any change. */
  | { readonly kind: 'event'; readonly events: readonly string[]; readonly changed: readonly string[] }
  | {
      readonly kind: 'schedule'
      readonly cron: string
      readonly timeZone: string
      readonly each: DeclaredSelection | null
    }
  | {
      readonly kind: 'date'
      readonly collection: string
      readonly field: string
      /** Milliseconds after the date; negative before it. */
      readonly offset: number
      /** The time of day, for a `date` without a time. */
      readonly at: string | null
      readonly timeZone: string
    }
  | ({ readonly kind: 'button' } & DeclaredButton)
  | ({ readonly kind: 'hook' } & DeclaredHook)
export type TriggerKind = Trigger['kind']

interface StepBase {
  /** Conditions on what the run offers. */
  readonly when: DeclaredCondition
  /** The name of its output in `$steps`. */
  readonly as: string | null
}
export interface ActionStep extends StepBase {
  readonly kind: 'action'
  /** `comms.mail` */
  readonly action: string
  /** As written, with placeholders. */
  readonly input: Readonly<Record<string, unknown>>
  /** A value that is a list, such as `$row.items`. */
  readonly each: string | null
  readonly retry: { readonly times: number; readonly within: number }
  readonly continues: boolean
}
export interface WaitStep extends StepBase {
  readonly kind: 'wait'
  /** Milliseconds, or a value that is a time. */
  readonly for: number | null
  readonly until: string | null
}
export interface AskStep extends StepBase {
  readonly kind: 'ask'
  readonly role: string
  readonly text: LocalText
  readonly choices: readonly string[]
  /** Milliseconds. */
  readonly timeout: number
}
export type Step = ActionStep | WaitStep | AskStep

export interface Automation {
  readonly key: string
  readonly label: LocalText | null
  readonly trigger: Trigger
  readonly when: DeclaredCondition
  readonly imports: boolean
  readonly steps: readonly Step[]
}
export type Automations = ReadonlyMap<string, Automation>

/** Milliseconds. */
export const DEFAULT_ASK_TIMEOUT = 7 * 86_400_000
export const DEFAULT_RETRY = { times: 5, within: 3_600_000 } as const
export const MAX_STEPS = 50
export const MAX_ITEMS = 1000
export const MAX_WAIT = 400 * 86_400_000
/** How many runs may start one another. */
export const MAX_DEPTH = 8
export const MAX_INPUT_BYTES = 64 * 1024
/** Outputs of all items of a step with `each`. */
export const MAX_OUTPUTS_BYTES = 256 * 1024

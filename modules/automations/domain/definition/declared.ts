/** Automations as a recipe writes them. Types only. */
import type { LocalText } from '@larder-dev/larder/kernel'
import type { Conditions } from '@larder-dev/larder/kernel/internal'

/** Path without `$` → value or operators: `{ row.priority: high }`. All must match. `or` has alternatives, `not` a condition. */
export type DeclaredCondition = Conditions

/** `24h` before or after a date of a row. */
export interface DeclaredMoment {
  /** `appointments.startsAt` */
  readonly field: string
  readonly by: string
  /** `09:00`, for fields of type `date`. */
  readonly at?: string
  /** The zone of `at`. */
  readonly timeZone?: string
}
export interface DeclaredButton {
  /** The collection. */
  readonly on: string
  readonly label: LocalText
  readonly roles: readonly string[]
  /** Fields of the form, in the form of a collection's. */
  readonly input?: Readonly<Record<string, DeclaredInputField>>
  /** Asked before the press. */
  readonly confirm?: LocalText
}
export interface DeclaredInputField {
  readonly type: string
  readonly label?: LocalText
  readonly required?: boolean
  readonly [option: string]: unknown
}
export interface DeclaredHook {
  /** `standard-webhooks`, `hmac` or `secret`. */
  readonly verify: 'standard-webhooks' | 'hmac' | 'secret'
  /** One secret, or the current one and those that are still accepted. */
  readonly secret: string | readonly string[]
  /** The header of the signature, or of the secret. */
  readonly header?: string
  /** Before the signature in its header: `sha256=`. */
  readonly prefix?: string
  readonly encoding?: 'hex' | 'base64'
  /** The header that makes a delivery unique. */
  readonly id?: string
  /** JSON Schema of the body, as fields by name. */
  readonly input?: Readonly<Record<string, DeclaredInputField>>
}
export type DeclaredSelection = 'workspaces' | { readonly collection: string; readonly filter?: DeclaredCondition }

export interface DeclaredRetry {
  readonly times: number
  readonly within: string
}
export interface DeclaredAsk {
  readonly role: string
  readonly text: LocalText
  readonly choices: readonly string[]
  readonly timeout?: string
}
/** One step: an action by its name with its input, or `wait`, or `ask`. */
export interface DeclaredStep {
  readonly when?: DeclaredCondition
  readonly as?: string
  readonly each?: string
  readonly retry?: DeclaredRetry
  readonly onError?: 'continue'
  readonly wait?: string | { readonly until: string }
  readonly ask?: DeclaredAsk
  readonly [action: string]: unknown
}
export interface DeclaredAutomation {
  readonly label?: LocalText
  readonly on?: string | readonly string[]
  /** Names of fields of an updated row, one of which has changed. */
  readonly changed?: readonly string[]
  readonly every?: string
  readonly timeZone?: string
  readonly before?: DeclaredMoment
  readonly after?: DeclaredMoment
  readonly button?: DeclaredButton
  readonly hook?: DeclaredHook
  readonly each?: DeclaredSelection
  readonly when?: DeclaredCondition
  /** Whether rows of imports, seeds and restores start it. */
  readonly imports?: boolean
  readonly was?: string
  readonly steps: readonly DeclaredStep[]
}
export type DeclaredAutomations = Readonly<Record<string, DeclaredAutomation>>

/** Keys of a step that name no action. */
export const STEP_WORDS = ['when', 'as', 'each', 'retry', 'onError', 'wait', 'ask'] as const

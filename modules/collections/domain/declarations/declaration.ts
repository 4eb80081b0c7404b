/** Collections as a recipe or a module declares them. Types only. */
import type { LocalText } from '@larder-dev/larder/kernel'
import type { Conditions } from '@larder-dev/larder/kernel/internal'
import type { ComputedType, FieldType } from './collection.ts'
import type { Where } from './condition.ts'

/** A field as a recipe declares it. Which options it can have depends on its type. */
export interface DeclaredField {
  readonly type: FieldType
  readonly label?: LocalText
  readonly help?: LocalText
  readonly required?: boolean
  readonly default?: unknown
  readonly onUpdate?: '$now'
  /** E.g. `T-{0000}`. */
  readonly sequence?: string
  readonly unique?: boolean
  readonly index?: boolean
  readonly writeOnce?: boolean
  readonly readOnly?: boolean
  readonly private?: boolean
  readonly read?: readonly string[]
  readonly write?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly min?: number | string
  readonly max?: number | string
  readonly pattern?: string
  readonly values?: readonly string[]
  readonly labels?: Readonly<Record<string, LocalText>>
  readonly transitions?: Readonly<Record<string, readonly string[]>>
  readonly initial?: readonly string[]
  readonly roles?: Readonly<Record<string, readonly string[]>>
  readonly from?: string
  readonly currency?: string
  readonly accept?: readonly string[]
  /** E.g. `5MB`. */
  readonly maxSize?: string
  readonly schema?: Readonly<Record<string, unknown>>
  readonly to?: string
  readonly many?: boolean
  readonly onDelete?: 'restrict' | 'clear' | 'cascade'
  readonly expression?: string
  readonly of?: ComputedType
  readonly was?: string
  readonly using?: string
}
/** Fields of people and of members, which no collection has. */
export type DeclaredProfile = {
  readonly [Of in 'user' | 'member']?: { readonly fields: Readonly<Record<string, DeclaredField>> }
}
export type DeclaredRule = boolean | Conditions
/** Role → rule; `anyone` and `signedIn` in `read`. */
export type DeclaredRules = Readonly<Record<string, DeclaredRule>>
/** Values that only one of the rows that match a condition can have. */
export interface DeclaredKey {
  readonly fields: readonly string[]
  readonly where: Where
}
export interface DeclaredPeriods {
  readonly by?: readonly string[]
  readonly from: string
  readonly to: string
}
export interface DeclaredCapacity {
  readonly of: string
  readonly max: number | string
  readonly where?: Where
}
/** A collection as a recipe declares it. */
export interface DeclaredCollection {
  readonly label?: LocalText
  readonly title?: LocalText
  readonly help?: LocalText
  readonly scope?: 'tenant' | 'shared'
  readonly fields: Readonly<Record<string, DeclaredField>>
  readonly unique?: readonly (readonly string[] | DeclaredKey)[] | DeclaredKey
  readonly index?: readonly (readonly string[])[]
  readonly noOverlap?: DeclaredPeriods
  readonly capacity?: DeclaredCapacity
  readonly search?: readonly string[]
  readonly limit?: string
  readonly access?: {
    readonly read?: DeclaredRules
    readonly create?: DeclaredRules
    readonly update?: DeclaredRules
    readonly delete?: DeclaredRules
  }
  /** E.g. `30d`. */
  readonly trash?: string
  readonly history?: number
  readonly rows?: readonly Readonly<Record<string, unknown>>[]
  readonly seed?: string
  readonly was?: string
}

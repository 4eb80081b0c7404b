/** Fields as a module declares them, and the types of their values. Types only. */
import type { LocalText } from '@larder-dev/larder/kernel'
import type { ComputedType, FieldType, SystemField } from './collection.ts'

interface Common {
  readonly label?: LocalText
  readonly help?: LocalText
  /** Never leaves the API. */
  readonly private?: boolean
  /** Roles that may read the field; by default, all that may read the row. */
  readonly read?: readonly string[]
  /** Earlier name of a renamed field, which is served until this is removed. */
  readonly was?: string
}
interface Written extends Common {
  readonly required?: boolean
  /** Expression over the former fields: the value of existing rows after a change of the type, or of a new required field. */
  readonly using?: string
  /** Set when the row is created, and never changed. */
  readonly writeOnce?: boolean
  /** Written by hooks, seeds and the port `collections` only. */
  readonly readOnly?: boolean
  /** Roles that may write the field; by default, all that may write the row. */
  readonly write?: readonly string[]
}
interface Keyed extends Written {
  /** Whether a value can occur only once in a workspace. */
  readonly unique?: boolean
  readonly index?: boolean
}
/** The value of a new row that has none: a value, a variable, or an expression over other fields and the time. */
type Default<Value> = Value | { readonly expression: string }
interface Text extends Written {
  readonly minLength?: number
  readonly maxLength?: number
  readonly default?: Default<string>
}
interface Ordered<Value> extends Keyed {
  readonly min?: Value
  readonly max?: Value
  readonly default?: Default<Value>
}
interface Times extends Ordered<string> {
  /** Each change of the row sets the field to its time. */
  readonly onUpdate?: '$now'
}

/** The options of each type. */
interface FieldOptions {
  text: Text &
    Keyed & {
      readonly pattern?: string
      /** Numbers the rows of each workspace: `T-{0000}`. */
      readonly sequence?: string
    }
  longtext: Text
  markdown: Text
  slug: Keyed & { readonly maxLength?: number; readonly from?: string }
  email: Keyed & { readonly default?: Default<string> }
  url: Keyed & { readonly maxLength?: number; readonly default?: Default<string> }
  integer: Ordered<number>
  number: Ordered<number>
  /** In the smallest unit of the currency. */
  money: Ordered<number> & { readonly currency: string }
  boolean: Written & { readonly index?: boolean; readonly default?: Default<boolean> }
  date: Times
  datetime: Times
  duration: Ordered<string>
  enum: Keyed & {
    readonly values: readonly string[]
    /** Words for values. */
    readonly labels?: Readonly<Record<string, LocalText>>
    /** Value → the values that may follow it. A value without an entry is final. */
    readonly transitions?: Readonly<Record<string, readonly string[]>>
    /** The values that a new row can have, beside the default. */
    readonly initial?: readonly string[]
    /** Value → roles that may choose it; by default, all that may write the field. */
    readonly roles?: Readonly<Record<string, readonly string[]>>
    readonly default?: Default<string>
  }
  json: Written & { readonly schema?: Readonly<Record<string, unknown>>; readonly default?: unknown }
  file: Written & { readonly accept?: readonly string[]; readonly maxSize?: string }
  member: Keyed & { readonly default?: '$member' }
  reference: Keyed & {
    /** Name of a collection of the recipe or of any module. */
    readonly to: string
    readonly many?: boolean
    readonly onDelete?: 'restrict' | 'clear' | 'cascade'
  }
  computed: Common & {
    readonly index?: boolean
    readonly expression: string
    readonly of: ComputedType
  }
}
export type TypedField = { [Type in FieldType]: { readonly type: Type } & FieldOptions[Type] }[FieldType]
export type TypedFields = Readonly<Record<string, TypedField>>

/** Options that the type of a field doesn't have must be left out. */
export type KnownOptions<F extends TypedFields> = {
  readonly [K in keyof F]: {
    readonly [Option in Exclude<keyof F[K], 'type' | keyof FieldOptions[F[K]['type']]>]?: NoOptionOfThisType
  }
}
/** Appears in the compiler's message. */
interface NoOptionOfThisType {
  readonly option: never
}

/** JSON value of a field, never null. */
type ValueOf<F> = F extends { readonly type: 'integer' | 'number' | 'money' }
  ? number
  : F extends { readonly type: 'boolean' }
    ? boolean
    : F extends { readonly type: 'json' }
      ? unknown
      : F extends { readonly type: 'enum'; readonly values: readonly (infer Value)[] }
        ? Value
        : F extends { readonly many: true }
          ? readonly string[]
          : F extends { readonly type: 'computed'; readonly of: infer Of }
            ? ComputedValue<Of>
            : string
type ComputedValue<Of> = Of extends 'number' | 'integer' ? number : Of extends 'boolean' ? boolean : string
/** A reference to many rows is a list, and never null. */
type StoredValue<F> = F extends { readonly many: true } | { readonly required: true } | { readonly sequence: string }
  ? ValueOf<F>
  : ValueOf<F> | null
type DraftValue<F> = F extends { readonly many: true } ? ValueOf<F> : ValueOf<F> | null

/** Fields whose value the database makes. */
type Computed<F extends TypedFields> = {
  [K in keyof F]: F[K] extends { readonly type: 'computed' } | { readonly sequence: string } ? K : never
}[keyof F]
type Constant<F extends TypedFields> = {
  [K in keyof F]: F[K] extends { readonly writeOnce: true } ? K : never
}[keyof F]
/** A hook may set a field that is `readOnly`, and a default or a source sets the others. */
type Needed<F extends TypedFields> = {
  [K in keyof F]: F[K] extends { readonly required: true }
    ? F[K] extends { readonly default: unknown } | { readonly from: string } | { readonly readOnly: true }
      ? never
      : K
    : never
}[keyof F]

/** Fields that every row has. */
export interface SystemValues {
  readonly id: string
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string
  readonly updatedAt: string
  /** `usr_…`; null for rows of seeds and jobs. */
  readonly createdBy: string | null
  /** Starts at 1. */
  readonly revision: number
}
export type TypedRow<F extends TypedFields> = Shown<SystemValues & { readonly [K in keyof F]: StoredValue<F[K]> }>
/** Values before they are checked: a required one may be missing. */
export type TypedDraft<F extends TypedFields> = { readonly [K in Exclude<keyof F, Computed<F>>]: DraftValue<F[K]> }
export type TypedNewRow<F extends TypedFields> = Shown<
  { readonly [K in Needed<F>]: StoredValue<F[K]> } & {
    readonly [K in Exclude<keyof F, Needed<F> | Computed<F>>]?: StoredValue<F[K]>
  }
>
export type TypedChange<F extends TypedFields> = {
  readonly [K in Exclude<keyof F, Computed<F> | Constant<F>>]?: StoredValue<F[K]>
}
/** What a hook may set. */
export type TypedSet<F extends TypedFields> = { readonly [K in Exclude<keyof F, Computed<F>>]?: DraftValue<F[K]> }

export type FieldName<F> = keyof F & string
/** A field, or a field of the row that a reference leads to. */
export type FieldPath<F> = FieldName<F> | SystemField | `${FieldName<F>}.${string}`

/** Makes types readable in editors. */
type Shown<T> = { [K in keyof T]: T[K] } & {}

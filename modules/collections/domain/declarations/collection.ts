/** A collection after its declaration has been validated and completed. Pure. */
import type { LocalText } from '@larder-dev/larder/kernel'
import type { Condition, Where } from './condition.ts'

export type ScalarType =
  | 'text'
  | 'longtext'
  | 'markdown'
  | 'slug'
  | 'email'
  | 'url'
  | 'integer'
  | 'number'
  | 'money'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'duration'
  | 'enum'
  | 'json'
  | 'file'
  | 'member'
export type FieldType = ScalarType | 'reference' | 'computed'

export interface Field {
  /** `[a-z][A-Za-z0-9]*`, the key in the API. */
  readonly name: string
  readonly type: FieldType
  /** In snake case. A reference with `many` has a join table instead. */
  readonly column: string
  readonly label: LocalText
  readonly help: LocalText | undefined
  readonly required: boolean
  /** JSON value. */
  readonly default: unknown
  /** Where the value of a new row comes from that has none, if not from `default`. */
  readonly defaultFrom: DefaultSource | undefined
  /** Whether each change of the row sets the field to its time. */
  readonly onUpdate: '$now' | undefined
  /** The form of the numbers that new rows get, such as `T-{0000}`. */
  readonly sequence: string | undefined
  /** Unique in the tenant. */
  readonly unique: boolean
  readonly index: boolean
  /** Whether an index of the collection contains the field, alone or together with others. */
  readonly isIndexed: boolean
  /** Set when the row is created, never changed. */
  readonly writeOnce: boolean
  /** Written by hooks and seeds only. */
  readonly readOnly: boolean
  /** Never leaves the API: not in replies, filters, sorts, events or exports. */
  readonly private: boolean
  /** Roles that may read or write the field; undefined for all that may read or write the row. */
  readonly readRoles: readonly string[] | undefined
  readonly writeRoles: readonly string[] | undefined
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  /** JSON value of the field: a number, a date, a duration. */
  readonly min: number | string | undefined
  readonly max: number | string | undefined
  /** Source of a regular expression that the linear-time engine accepts. */
  readonly pattern: string | undefined
  /** The values of an `enum`. */
  readonly values: readonly string[] | undefined
  /** Words for them; the others are their own. */
  readonly valueLabels: Readonly<Record<string, LocalText>>
  /** How the value of an `enum` may change; undefined if it may become any other one. */
  readonly states: States | undefined
  /** The field that a missing `slug` is made from. */
  readonly from: string | undefined
  /** The ISO 4217 currency of `money`. Values are integers in its smallest unit. */
  readonly currency: string | undefined
  /** The media types of a `file`, such as `image/*`, and its largest size in bytes. */
  readonly accept: readonly string[] | undefined
  readonly maxSize: number | undefined
  /** The JSON Schema of a `json` value. */
  readonly schema: Readonly<Record<string, unknown>> | undefined
  readonly reference: Reference | undefined
  /** The expression of a `computed` field over other fields, and the type of its result. */
  readonly computed: { readonly expression: string; readonly of: ComputedType } | undefined
  /** The name in the recipe that was applied before, after a rename. */
  readonly was: string | undefined
  /** An expression over the row of the recipe that was applied before: the value of rows that exist. */
  readonly using: string | undefined
}

export type ComputedType = 'text' | 'number' | 'integer' | 'boolean' | 'date' | 'datetime'

/** A variable, or an expression over the other values of the row. */
export type DefaultSource = { readonly variable: DefaultVariable } | { readonly expression: string }
export type DefaultVariable = '$now' | '$today' | '$member' | '$user'

/** The values of an `enum` as the states of a row. */
export interface States {
  /** State → the states that may follow it. A state without an entry is final. */
  readonly transitions: ReadonlyMap<string, readonly string[]>
  /** Those that a new row can have, the default first. */
  readonly initial: readonly string[]
  /** State → the roles that may choose it; all that may write the field by default. */
  readonly roles: ReadonlyMap<string, readonly string[]>
}

export interface Reference {
  /** Name of the collection. */
  readonly to: string
  readonly many: boolean
  readonly onDelete: 'restrict' | 'clear' | 'cascade'
}

/** Stands for a role in `access.read`, and in `read` of a field. */
export const SIGNED_IN = 'signedIn'
/** Whether people read rows without a role. They don't learn who created them. */
export const isOpen = ({ access: { anyone, signedIn } }: Pick<Collection, 'access'>): boolean =>
  anyone !== undefined || signedIn !== undefined

export type Action = 'read' | 'create' | 'update' | 'delete'
/** Role → condition that a row must match. An empty condition matches every row. */
export type Grants = Readonly<Record<string, Condition>>
export interface Access {
  /** The condition under which people who are not signed in may read a row; undefined if they may not. */
  readonly anyone: Condition | undefined
  /** The same for everybody with an account. */
  readonly signedIn: Condition | undefined
  /** The condition that a row of people who are not signed in must match; undefined if they may create none. */
  readonly guests: Condition | undefined
  readonly actions: Readonly<Record<Action, Grants>>
}

/** Values that only one row outside the trash can have. */
export interface UniqueKey {
  readonly fields: readonly string[]
  /** Only rows that match it count; undefined for all rows. */
  readonly where: Where | undefined
}
/** Periods that must not overlap, from `from` until just before `to`. */
export interface Periods {
  /** Fields whose values share a calendar; all rows of the workspace if there are none. */
  readonly by: readonly string[]
  readonly from: string
  readonly to: string
}

/** How many rows outside the trash can refer to one row. */
export interface Capacity {
  /** The field that refers to it. */
  readonly of: string
  /** A number, or the path of a number of the row that is referred to: `course.seats`. */
  readonly max: number | string
  /** The field, and the condition of the rows that count. */
  readonly key: UniqueKey
}

export interface Collection {
  /** `[a-z][a-z0-9_]*`, the key in the recipe, the path and the permissions `collections.<name>.<action>`. */
  readonly name: string
  /** `data_<name>`. */
  readonly table: string
  /** Prefix of ids. */
  readonly idPrefix: string
  /** Name of one row. */
  readonly label: LocalText
  /** Name of the list. */
  readonly title: LocalText
  readonly help: LocalText | undefined
  /** `shared`: rows belong to the operator's tenant, and rules open them to people of other tenants. */
  readonly scope: 'tenant' | 'shared'
  /** In the order of the declaration. */
  readonly fields: ReadonlyMap<string, Field>
  /** Unique keys of several fields, or under a condition. */
  readonly unique: readonly UniqueKey[]
  /** Indexes of several fields. */
  readonly index: readonly (readonly string[])[]
  readonly noOverlap: Periods | undefined
  readonly capacity: Capacity | undefined
  /** Names of text fields; empty if the collection can't be searched. */
  readonly search: readonly string[]
  /** A gauge entitlement that counts rows. */
  readonly limit: string | undefined
  /** Whether the rows of each person are counted, in a product of people. */
  readonly countsByPerson?: boolean
  readonly access: Access
  /** How long deleted rows can be restored, in milliseconds; 0 if they can't. */
  readonly trashMs: number
  /** Number of former versions that are kept per row. */
  readonly history: number
  /** Rows for development, and for shared collections; JSON objects. */
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Path of a CSV file with rows, absolute. */
  readonly seed: string | undefined
  readonly was: string | undefined
  /** `recipe`, or the module that declares it with `defineCollection`. */
  readonly from: string
}

/** All collections of the product, by name. */
export type Collections = ReadonlyMap<string, Collection>

/** Fields that every row has. */
export const SYSTEM_FIELDS = ['id', 'createdAt', 'updatedAt', 'createdBy', 'revision'] as const
export type SystemField = (typeof SYSTEM_FIELDS)[number]

export const MAX_COLLECTIONS = 100
export const MAX_FIELDS = 100

/** A row as the API returns it. */
export interface Row {
  readonly id: string
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string
  readonly updatedAt: string
  /** `usr_…`; null for rows of seeds and jobs. */
  readonly createdBy: string | null
  /** Starts at 1. */
  readonly revision: number
  readonly [field: string]: unknown
}

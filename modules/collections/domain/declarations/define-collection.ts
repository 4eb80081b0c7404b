/**
 * `@larder-dev/larder/collections`: collections and their hooks in the code of a module.
 *
 *     export const courses = defineCollection({
 *       name: 'courses',
 *       fields: { title: { type: 'text', required: true }, seats: { type: 'integer' } },
 *     })
 *     export type Course = RowOf<typeof courses>
 */
import type { Caller, DocumentedProblem, LocalText } from '@larder-dev/larder/kernel'
import type { Operators, Scalar } from '@larder-dev/larder/kernel/internal'
import type {
  FieldName,
  FieldPath,
  KnownOptions,
  SystemValues,
  TypedChange,
  TypedDraft,
  TypedFields,
  TypedNewRow,
  TypedRow,
  TypedSet,
} from './typed-fields.ts'

/** `true` for every row, or conditions that must all match. */
type Rule<F> = boolean | { readonly [Path in FieldPath<F>]?: Scalar | Operators }
/** Role → rule. */
type Rules<F> = Readonly<Record<string, Rule<F>>>

interface ConditionalKey<F> {
  readonly fields: readonly FieldName<F>[]
  /** Only rows that match it count. */
  readonly where: { readonly [Name in FieldName<F>]?: Scalar | Operators }
}

/** The same keys as a collection of the recipe. */
export interface CollectionSpec<Name extends string, F extends TypedFields> {
  /** Plural, `[a-z][a-z0-9_]*`. Unique in the product. */
  readonly name: Name
  /** Name of one row in the console. */
  readonly label?: LocalText
  readonly help?: LocalText
  readonly scope?: 'tenant' | 'shared'
  readonly fields: F
  /** Combinations of fields that can occur only once in a workspace. */
  readonly unique?: readonly (readonly FieldName<NoInfer<F>>[] | ConditionalKey<NoInfer<F>>)[]
  /** Combinations of fields that lists filter and sort by together. */
  readonly index?: readonly (readonly FieldName<NoInfer<F>>[])[]
  /** Periods that must not overlap, from `from` until just before `to`. */
  readonly noOverlap?: {
    /** Fields whose values share a calendar. By default, all rows of a workspace share one. */
    readonly by?: readonly FieldName<NoInfer<F>>[]
    /** Fields of type date, or of type datetime. */
    readonly from: FieldName<NoInfer<F>>
    readonly to: FieldName<NoInfer<F>>
  }
  /** How many rows outside the trash can refer to one row. */
  readonly capacity?: {
    /** A reference. */
    readonly of: FieldName<NoInfer<F>>
    /** A number, or a number of the row that is referred to: `course.seats`. Without a value there, any number of rows can. */
    readonly max: number | `${FieldName<NoInfer<F>>}.${string}`
    /** Only rows that match it count. */
    readonly where?: { readonly [Name in FieldName<NoInfer<F>>]?: Scalar | Operators }
  }
  /** Text fields that the search covers, the most important first. */
  readonly search?: readonly FieldName<NoInfer<F>>[]
  /** Entitlement that limits rows: a gauge how many exist, a meter how many are created in a day or month. */
  readonly limit?: string
  readonly access?: {
    /** `signedIn`: everybody with an account. `anyone`: people who are not signed in too. */
    readonly read?: Rules<NoInfer<F>>
    readonly create?: Rules<NoInfer<F>>
    readonly update?: Rules<NoInfer<F>>
    readonly delete?: Rules<NoInfer<F>>
  }
  /** How long deleted rows can be restored: `30d`. */
  readonly trash?: string
  /** Number of former versions that are kept per row. */
  readonly history?: number
  /** Rows for development, and for shared collections. */
  readonly rows?: readonly TypedSet<NoInfer<F>>[]
  /** CSV file with rows: `new URL('./courses.csv', import.meta.url)`. */
  readonly seed?: URL
  /** Earlier name of a renamed collection. */
  readonly was?: string
}

/** Any result of `defineCollection`. */
export interface AnyCollection {
  readonly name: string
  readonly fields: TypedFields
}
/**
 * Name of a collection of the recipe → its fields, as `larder types` writes them. Rows of other names have no types.
 *
 *     declare module '@larder-dev/larder/collections' {
 *       interface RecipeCollections extends RecipeTypes {}
 *     }
 */
export interface RecipeCollections {}
/** A collection of a module, or the name of any collection of the product. */
export type CollectionReference = AnyCollection | string

type Untyped = Readonly<Record<string, unknown>>
type Declared<C> = C extends keyof RecipeCollections ? RecipeCollections[C] : C
type Fields<C> = Declared<C> extends { readonly fields: infer F extends TypedFields } ? F : never
type IsTyped<C, Typed, Other> = Declared<C> extends { readonly fields: TypedFields } ? Typed : Other

/** A row with all its fields, private ones included. */
export type RowOf<C> = IsTyped<C, TypedRow<Fields<C>>, SystemValues & Untyped>
/** Values of a new row. */
export type NewRowOf<C> = IsTyped<C, TypedNewRow<Fields<C>>, Untyped>
/** Values of a change: only the given fields change. */
export type ChangeOf<C> = IsTyped<C, TypedChange<Fields<C>>, Untyped>
/** The values of a row before they are checked. Fields without a value are null. */
export type DraftOf<C> = IsTyped<C, TypedDraft<Fields<C>>, Untyped>
/** Values that a hook sets, whether or not the caller may. */
export type HookValues<C> = IsTyped<C, TypedSet<Fields<C>>, Untyped>
/** `interface Events extends EventsOf<typeof courses> {}` types the events of a collection for listeners. */
export type EventsOf<C extends AnyCollection> = EventsOfNamed<C['name'], C>
type EventsOfNamed<Name extends string, C extends CollectionReference> = {
  [Type in `collections.${Name}.${'created' | 'deleted'}`]: { readonly row: PublicRow<C> }
} & {
  [Type in `collections.${Name}.updated` | StateEvent<Name, Fields<C>>]: {
    readonly row: PublicRow<C>
    readonly changed: readonly string[]
  }
}
/** `collections.tickets.status.solved`, of the public fields with `transitions`. */
type StateEvent<Name extends string, F> = {
  [K in keyof F & string]: F[K] extends { readonly private: true }
    ? never
    : F[K] extends { readonly transitions: object; readonly values: readonly (infer State extends string)[] }
      ? `collections.${Name}.${K}.${State}`
      : never
}[keyof F & string]
type PublicRow<C extends CollectionReference> = {
  readonly [K in keyof RowOf<C> as K extends PrivateName<Fields<C>> ? never : K]: RowOf<C>[K]
}
type PrivateName<F> = { [K in keyof F]: F[K] extends { readonly private: true } ? K : never }[keyof F]

type EventName = 'created' | 'updated' | 'deleted'
type RecipeEvents = {
  [Type in `collections.${keyof RecipeCollections & string}.${EventName}`]: Type extends `collections.${infer Name}.${EventName}`
    ? EventsOfNamed<Name, Name>[Type & keyof EventsOfNamed<Name, Name>]
    : never
}
type RecipeStateEvent = {
  [Name in keyof RecipeCollections & string]: StateEvent<Name, Fields<Name>>
}[keyof RecipeCollections & string]
type RecipeStateEvents = {
  [Type in RecipeStateEvent]: Type extends `collections.${infer Name}.${string}.${string}`
    ? { readonly row: PublicRow<Name>; readonly changed: readonly string[] }
    : never
}
declare module '@larder-dev/larder/kernel' {
  /** Events of the collections in `RecipeCollections`. */
  interface Events extends RecipeEvents, RecipeStateEvents {}
}

/** Declares a collection. List it under `collections` of `defineModule`. */
export function defineCollection<const Name extends string, const F extends TypedFields>(
  spec: CollectionSpec<Name, F> & { readonly fields: KnownOptions<F> },
): CollectionSpec<Name, F> {
  return Object.freeze({ ...spec })
}

/** The workspace and the author of a write. */
export interface HookContext {
  readonly tenantId: string
  /** Undefined for jobs and other code without a request. */
  readonly caller: Caller | undefined
  /** Aborted when the time of the hooks is over. */
  readonly signal: AbortSignal
}
/** Field → the end of a sentence that begins with the field: `must be in the future`. */
export type FieldMistakes<C> = { readonly [Field in keyof DraftOf<C>]?: string | undefined }
type Result<T> = T | undefined | Promise<T | undefined>
type Done = void | Promise<void>

/**
 * Functions that run in the unit of work of a write, in this order. An exception rolls the write back. All hooks of a
 * write have 5 seconds together.
 */
export interface RowHooks<C extends CollectionReference> {
  /** Problems that the hooks throw, for the API document; codes of those of other modules. */
  readonly problems?: readonly (DocumentedProblem | string)[]
  /** Returns values to set. */
  beforeCreate?(write: HookContext & { readonly values: DraftOf<C> }): Result<HookValues<C>>
  /** Returns values to set. `values` are those of the row after the change, `changed` the names of the changed fields. */
  beforeUpdate?(
    write: HookContext & {
      readonly before: RowOf<C>
      readonly values: DraftOf<C>
      readonly changed: readonly (keyof DraftOf<C> & string)[]
    },
  ): Result<HookValues<C>>
  /** Returns values that follow from others. Runs on each creation and change. */
  compute?(write: HookContext & { readonly values: DraftOf<C> }): Result<HookValues<C>>
  /** Returns mistakes in fields. The response is then `validation_failed`. */
  validate?(
    write: HookContext & { readonly values: DraftOf<C>; readonly before: RowOf<C> | undefined },
  ): Result<FieldMistakes<C>>
  beforeDelete?(write: HookContext & { readonly row: RowOf<C> }): Done
  beforeRestore?(write: HookContext & { readonly row: RowOf<C> }): Done
  afterCreate?(write: HookContext & { readonly row: RowOf<C> }): Done
  afterUpdate?(
    write: HookContext & {
      readonly before: RowOf<C>
      readonly row: RowOf<C>
      readonly changed: readonly (keyof DraftOf<C> & string)[]
    },
  ): Done
  afterDelete?(write: HookContext & { readonly row: RowOf<C> }): Done
  afterRestore?(write: HookContext & { readonly row: RowOf<C> }): Done
}

/** The hooks of one collection, with their types erased. */
export interface AnyRowHooks {
  /** Name of the collection. */
  readonly collection: string
  readonly hooks: RowHooks<string>
}

/** Hooks of a collection of any module, or of the recipe. List them under `rowHooks` of `defineModule`. */
export const rowHooks = <C extends CollectionReference>(collection: C, hooks: RowHooks<C>): AnyRowHooks => ({
  collection: typeof collection === 'string' ? collection : collection.name,
  // The collection of that name has these fields.
  hooks: hooks as unknown as RowHooks<string>,
})

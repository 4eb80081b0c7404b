/** Ports, jobs and registrations of collections. Types only. */
import type { Caller, Jobs } from '@larder-dev/larder/kernel'
import type { Condition } from './domain/declarations/condition.ts'
import type {
  AnyCollection,
  AnyRowHooks,
  ChangeOf,
  CollectionReference,
  NewRowOf,
  RowOf,
} from './domain/declarations/define-collection.ts'

/** Rows of the collections of the product. */
export interface CollectionRows {
  /** Throws an Error for a name that no collection has. */
  rows<C extends CollectionReference>(collection: C, scope: RowScope): RowStore<C>
  /**
   * Creates a row for somebody who sends a form, in the surrounding unit of work: with their own right to create rows of
   * this workspace, or else as people who are not signed in. Returns its ID; null if a visitor sends a unique value that
   * another row has, because they must not find out. Throws an Error for a name that no collection has.
   */
  submit(
    collection: string,
    sender: { readonly tenantId: string; readonly caller: Caller | undefined },
    values: Readonly<Record<string, unknown>>,
  ): Promise<string | null>
}

export interface RowScope {
  readonly tenantId: string
  /** The rows and fields are those that the caller may read and write. Without one, they are all rows and fields. */
  readonly caller?: Caller | undefined
  /** Who changes rows without a caller, for the history: `automation welcome`. */
  readonly actor?: string
}

export interface RowListQuery {
  /** As in access rules: `{ level: 'beginner', 'category.name': { in: ['Math', 'Music'] } }`. */
  readonly filter?: Condition
  /** Fields, `-` for descending; the newest first by default. */
  readonly sort?: readonly string[]
  /** Search words. */
  readonly q?: string
  /** At most 200; 50 by default. */
  readonly limit?: number
  readonly cursor?: string | undefined
}

/**
 * Rows of one collection, in the surrounding unit of work. Writes are checked, publish events and call hooks, as those
 * of the API do.
 */
export interface RowStore<C> {
  /** Throws `not_found`. */
  get(id: string): Promise<RowOf<C>>
  /** Locks the row until the surrounding unit of work ends. Throws `not_found`. */
  getForUpdate(id: string): Promise<RowOf<C>>
  list(query?: RowListQuery): Promise<{ readonly data: readonly RowOf<C>[]; readonly nextCursor: string | null }>
  create(values: NewRowOf<C>): Promise<RowOf<C>>
  /** Up to 500 rows: all or none. */
  createMany(values: readonly NewRowOf<C>[]): Promise<readonly RowOf<C>[]>
  /** Throws `not_found`, and `precondition_failed` if the row has another revision than the given one. */
  update(id: string, values: ChangeOf<C>, options?: { readonly revision?: number }): Promise<RowOf<C>>
  /** Changes the row with the same value in the unique field `by`, or creates one. */
  upsert(by: string, values: NewRowOf<C>): Promise<{ readonly row: RowOf<C>; readonly created: boolean }>
  /** Throws `not_found`, `precondition_failed` and `row_in_use`. */
  delete(id: string, options?: { readonly revision?: number }): Promise<void>
}

/** A job that reverts what was written. It runs at least once, so it has to find out what is left to revert. */
export type Undo = { [J in keyof Jobs & string]: { readonly job: J; readonly data: Jobs[J] } }[keyof Jobs & string]

/** Gives the rows of one collection in the operator's workspace, all of them and with all fields. */
export type OperatorStores = <C extends CollectionReference>(collection: C) => RowStore<C>

/** Rows of shared collections, for code that runs in the unit of work of another workspace, such as a hook. */
export interface OperatorRows {
  /**
   * Runs `work` in a unit of work of its own, which sees what is committed, on a second connection. What it writes is
   * committed when this resolves, whatever becomes of the surrounding unit. In a unit of the operator's workspace, it
   * joins that unit, whose rollback reverts it.
   *
   * `undo` names a job for what `work` returned. The job runs unless the surrounding unit commits: after a rollback, and
   * after the end of the process. Throws an Error outside a unit.
   */
  transaction<T>(
    work: (rows: OperatorStores) => Promise<T>,
    options?: { readonly undo?: (result: T) => Undo },
  ): Promise<T>
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    /** Rows of collections, for code. */
    collections: CollectionRows
    /** Rows of shared collections, beside the surrounding unit of work. */
    operatorRows: OperatorRows
  }
  interface DeclaredPermissions {
    collections: `collections.${string}.${'read' | 'create' | 'update' | 'delete'}`
  }
  interface Registrations {
    /** Collections that the module declares with `defineCollection`, in addition to those of the recipe. */
    collections: { readonly constant: readonly AnyCollection[] }
    /** Hooks of collections, made with `rowHooks`. */
    rowHooks: readonly AnyRowHooks[]
    /** How many runs one imported row of a collection starts at most, when it is created and when it is updated. */
    importRuns: (collection: string) => { readonly created: number; readonly updated: number }
  }
  interface Jobs {
    'collections.purge_retired': object
    'collections.purge_trash': object
    'collections.import': { importId: string }
    'collections.sweep_imports': object
    'collections.export': { exportId: string }
    'collections.sweep_exports': object
    'collections.sweep_proofs': object
  }
}

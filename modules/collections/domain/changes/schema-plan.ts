/** What a schema change consists of. Types only. */

import type { CollectionLayout, FieldLayout } from '../tables/layout.ts'
import type { Expansion, StoredExpansion } from './expansion.ts'

/** A collection of the recipe, with its earlier names. */
export interface WantedCollection {
  readonly layout: CollectionLayout
  readonly was: string | undefined
  /** Field → earlier name. */
  readonly fieldWas: ReadonlyMap<string, string>
  /** Field → expression over the former fields. */
  readonly fieldUsing: ReadonlyMap<string, string>
  /** Field → expression of its default, which also gives rows that exist a value when the field is added. */
  readonly fieldDefaults: ReadonlyMap<string, string>
}

/** A removed collection or field, which is kept under another name until it is dropped or declared again. */
export interface Retired {
  readonly collection: string
  /** Null for a whole collection. */
  readonly field: string | null
  readonly layout: CollectionLayout | FieldLayout
  /** Name of the table or join table → name that it has now. */
  readonly tables: Readonly<Record<string, string>>
  /** Name that the column has now; null if the field has a join table. */
  readonly column: string | null
  /** Milliseconds. */
  readonly retiredAt: number
}

/** A statement, or a table to be created with row level security. */
export type SchemaStatement =
  | { readonly sql: string }
  | { readonly create: string; readonly columns: string; readonly shared: boolean }

/** Rows that don't fit a change. The names are those from before the change. */
export interface Check {
  /** After `from`: `"data_courses" where "level" is null`. */
  readonly from: string
  /** SQL of a text that identifies a row, or a value that occurs several times. */
  readonly key: string
  readonly noun: 'row' | 'value'
  /** With `{count}`, which includes the noun, and `{keys}`. */
  readonly message: string
  /** Only rows whose value isn't accepted count. PostgreSQL can't decide it, so the values are read. */
  readonly reads?: {
    readonly table: string
    readonly value: string
    accepts(value: string): boolean
  }
}

export interface SchemaChange {
  readonly change: 'add' | 'change' | 'remove'
  /** `collection courses`, `field courses.title`. */
  readonly subject: string
  readonly detail: string
  /** The table whose rows the change touches; undefined for a new one. */
  readonly table: string | undefined
  /** What fails after the change although no data is lost. */
  readonly breaks: string | undefined
  /** Data that can no longer be read after the change. */
  readonly loss: string | undefined
  /** After `from`: the rows that are lost. Nothing is lost if there are none. Undefined: the loss doesn't depend on rows. */
  readonly lostRows: string | undefined
  /** Why the change is impossible, whatever the rows. */
  readonly mistakes: readonly string[]
  /** All must be empty. */
  readonly checks: readonly Check[]
  /** Rows that don't prevent the change, but that somebody should look at. */
  readonly notes: readonly Check[]
  readonly statements: readonly SchemaStatement[]
  readonly retires: readonly Retired[]
  /** A retired object that the change takes back. */
  readonly restores: Retired | undefined
  /** Prepared and filled before the statements of all changes. */
  readonly expands: Expansion | undefined
  /** Whose record the change removes. */
  readonly contracts: StoredExpansion | undefined
}

export interface SchemaPlan {
  readonly changes: readonly SchemaChange[]
  /** Statements that follow those of all changes: foreign keys, whose tables must exist. */
  readonly foreignKeys: readonly string[]
}

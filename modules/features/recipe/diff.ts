/** Compares the flags of a recipe with those in the database. Pure. */

import { fingerprint } from '@larder-dev/larder/kernel'
import { diffManagedRows, type ManagedRowsDiff, type ManagedWrite } from '@larder-dev/larder/kernel/internal'
import { createDefinition } from '../domain/definition.ts'
import type { Definition } from '../domain/flag.ts'
import { typeOf } from '../domain/value.ts'
import type { FlagRow } from '../records/flag.ts'
import type { Sections } from './sections.ts'

export interface DeclaredFlag {
  readonly key: string
  readonly name: string | null
  readonly description: string | null
  readonly definition: Definition
  readonly editable: boolean
  /** Fingerprint of name, description and definition. */
  readonly hash: string
}
export type FlagWrite = ManagedWrite<DeclaredFlag, FlagRow>

/** @param rows flags for every workspace, as they are. The recipe replaces one of an operator that has its key. */
export const diffFlags = (
  rows: readonly FlagRow[],
  features: Sections['features'] = {},
): ManagedRowsDiff<DeclaredFlag, FlagRow> =>
  diffManagedRows(
    new Map(Object.entries(features).map(([key, flag]) => [key, declare(key, flag)])),
    rows.filter(row => isOfRecipe(row) || Object.hasOwn(features, row.key)),
    {
      keyOf: ({ key }) => key,
      isEdited: (row, declared) =>
        isOfRecipe(row) && declared.editable && row.editable && hashOf(row) !== row.recipeHash,
      isCurrent: (row, declared, edited) =>
        isOfRecipe(row) && row.editable === declared.editable && (edited || hashOf(row) === declared.hash),
    },
  )

export const isOfRecipe = ({ managedBy }: FlagRow): boolean => managedBy === 'recipe'

function declare(key: string, flag: Sections['features'][string]): DeclaredFlag {
  const { name = null, description = null, editable = false } = flag
  const definition = createDefinition(flag)
  return { key, name, description, definition, editable, hash: hashOf({ name, description, definition }) }
}

/** Whether a write changes the flag's type, so that overrides no longer fit. */
export const changesType = ({ row, declared, edited }: FlagWrite): boolean =>
  row !== undefined && !edited && typeOf(row.definition.default) !== typeOf(declared.definition.default)

const hashOf = ({ name, description, definition }: Pick<FlagRow, 'name' | 'description' | 'definition'>): string =>
  fingerprint({ name, description, definition })

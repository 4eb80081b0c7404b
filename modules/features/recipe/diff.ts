/** What a recipe changes of the flags that are in the database. Pure: `reconcile` does it, `plan` tells it. */
import { fingerprint } from 'larder/kernel'
import type { Definition } from '../domain/flag.ts'
import { definitionOf } from '../domain/definition.ts'
import { typeOf } from '../domain/value.ts'
import type { FlagRow } from '../services/flag-repository.ts'
import type { Sections } from './sections.ts'

export interface Wanted {
  readonly key: string
  readonly name: string | null
  readonly description: string | null
  readonly says: Definition
  readonly editable: boolean
  /** Of what the recipe says of it. */
  readonly hash: string
}
export interface Change {
  readonly row: FlagRow
  readonly wanted: Wanted
  /** Somebody changed it where the recipe lets them: what they wrote stays. */
  readonly edited: boolean
}
export interface Diff {
  readonly add: readonly Wanted[]
  readonly change: readonly Change[]
  readonly remove: readonly FlagRow[]
}

export function diffOf(rows: readonly FlagRow[], features: Sections['features'] = {}): Diff {
  const there = new Map(rows.map(row => [row.key, row]))
  const wanted = Object.entries(features).map(([key, flag]): Wanted => {
    const { name = null, description = null, editable = false } = flag
    const says = definitionOf(flag)
    return { key, name, description, says, editable, hash: hashOf({ name, description, says }) }
  })
  const change = wanted.flatMap(wanted => {
    const row = there.get(wanted.key)
    return row ? [{ row, wanted, edited: wanted.editable && isEdited(row) }] : []
  })
  return {
    add: wanted.filter(({ key }) => !there.has(key)),
    change: change.filter(
      ({ row, wanted, edited }) => row.editable !== wanted.editable || differs(row, wanted, edited),
    ),
    remove: rows.filter(({ key }) => !Object.hasOwn(features, key)),
  }
}

/** Whether its type changes, so that what tenants have instead no longer fits. */
export const changesType = ({ row, wanted, edited }: Change): boolean =>
  !edited && typeOf(row.says.default) !== typeOf(wanted.says.default)

const hashOf = ({ name, description, says }: Pick<FlagRow, 'name' | 'description' | 'says'>): string =>
  fingerprint({ name, description, says })
const isEdited = (row: FlagRow): boolean => row.editable && hashOf(row) !== row.recipeHash
const differs = (row: FlagRow, wanted: Wanted, edited: boolean): boolean => !edited && hashOf(row) !== wanted.hash

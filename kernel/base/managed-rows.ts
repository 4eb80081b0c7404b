/** Compares what a recipe declares with the rows that it manages. Pure: `plan` reports the result, `apply` writes it. */

import { common, defineReasons } from './problem.ts'

/** What the comparison with a recipe reads of a stored row. */
export interface ManagedRow {
  /** Null for a row that a tenant created, or that the recipe released. Absent if only the recipe writes the table. */
  readonly managedBy?: string | null
  /** Fingerprint of what the recipe last wrote. Absent if `isCurrent` compares something else. */
  readonly recipeHash?: string | null
}
export interface DeclaredRow {
  /** Fingerprint of what the recipe declares now. */
  readonly hash: string
}

/** A declared row that differs from the stored one. */
export type ManagedWrite<Declared, Row> =
  | { readonly kind: 'add'; readonly declared: Declared; readonly row: undefined; readonly edited: false }
  /** A row that the recipe doesn't manage has the declared key, and becomes managed. */
  | { readonly kind: 'adopt'; readonly declared: Declared; readonly row: Row; readonly edited: false }
  /** `edited`: someone changed the row where the recipe allows it. The edit survives a changed recipe. */
  | { readonly kind: 'change'; readonly declared: Declared; readonly row: Row; readonly edited: boolean }

/** A managed row that the recipe no longer declares. */
export interface ManagedRemoval<Row> {
  readonly row: Row
  /** Whether the row stays, unmanaged. */
  readonly release: boolean
}

/** How a recipe and the rows that it manages differ. */
export interface ManagedRowsDiff<Declared, Row> {
  /** In the order of the declarations; without rows that are up to date. */
  readonly writes: readonly ManagedWrite<Declared, Row>[]
  readonly gone: readonly ManagedRemoval<Row>[]
}

export interface ManagedRowRules<Declared, Row> {
  /** Equal for a declared row and its stored row. */
  keyOf(row: Declared | Row): string
  /** False by default. */
  isEdited?(row: Row, declared: Declared): boolean
  /** By default, whether the row was written from the same declaration. */
  isCurrent?(row: Row, declared: Declared, edited: boolean): boolean
  /** Whether a row that is gone is released. False by default. */
  isReleased?(row: Row): boolean
}

/** Compares the declarations of a section of a recipe with the stored rows. */
export function diffManagedRows<Declared extends DeclaredRow, Row extends ManagedRow>(
  declarations: readonly Declared[],
  rows: readonly Row[],
  rules: ManagedRowRules<Declared, Row>,
): ManagedRowsDiff<Declared, Row> {
  const { keyOf, isEdited = () => false, isReleased = () => false } = rules
  const isCurrent = rules.isCurrent ?? ((row: Row, declared: Declared) => row.recipeHash === declared.hash)
  const rowsByKey = new Map(rows.map(row => [keyOf(row), row]))
  const declaredKeys = new Set(declarations.map(keyOf))

  function compare(declared: Declared, row: Row | undefined): ManagedWrite<Declared, Row> | undefined {
    if (!row) return { kind: 'add', declared, row, edited: false }
    if (row.managedBy === null) return { kind: 'adopt', declared, row, edited: false }
    const edited = isEdited(row, declared)
    return isCurrent(row, declared, edited) ? undefined : { kind: 'change', declared, row, edited }
  }

  return {
    writes: declarations.flatMap(declared => compare(declared, rowsByKey.get(keyOf(declared))) ?? []),
    gone: rows
      .filter(row => row.managedBy !== null && !declaredKeys.has(keyOf(row)))
      .map(row => ({ row, release: isReleased(row) })),
  }
}

const managed = defineReasons(common.managed_by_recipe, {
  editable: 'This comes from the recipe. To edit it here, set {line}: true there.',
})

/**
 * Throws `managed_by_recipe` for a row that only the recipe may change.
 * @param line the line of the recipe that allows changes
 */
export function assertEditable(
  { managedBy, editable }: Pick<ManagedRow, 'managedBy'> & { readonly editable: boolean },
  line: string,
): void {
  if (managedBy === null || editable) return
  throw managed.editable({ line })
}

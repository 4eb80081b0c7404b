/** References of imported rows that name a row by its first unique text field instead of its ID. */
import type { Unit } from '@larder-dev/larder/kernel'
import { all, Parameters } from '../../domain/conditions/condition-sql.ts'
import type { Collection, Field } from '../../domain/declarations/collection.ts'
import { isRowId } from '../../domain/declarations/naming.ts'
import { readableSql, type View } from '../../domain/rights/view.ts'
import type { Values } from '../../domain/rows/row-values.ts'
import { naturalKey } from '../../domain/rows/seeds.ts'
import { quoteName } from '../../domain/tables/sql-literals.ts'

interface Named {
  readonly field: Field
  readonly target: Collection
  readonly key: Field
}

/** Returns the rows with IDs where the caller can read the named row. */
export async function withReferences(
  unit: Unit,
  view: View,
  collection: Collection,
  rows: readonly Values[],
): Promise<readonly Values[]> {
  const named = namedReferences(view, collection).map(each => ({ ...each, names: namesOf(each, rows) }))
  const wanted = named.filter(({ names }) => names.length > 0)
  if (wanted.length === 0) return rows
  const results = await unit.all(wanted.map(({ target, key, names }) => findStep(view, target, key, names)))
  const ids = new Map(
    wanted.map(({ field }, at) => [
      field.name,
      new Map(results[at]?.rows.map(({ id, key }) => [String(key), String(id)])),
    ]),
  )
  return rows.map(row => {
    const replaced = wanted.map(({ field: { name } }) => {
      const idOf = (value: unknown) => ids.get(name)?.get(String(value)) ?? value
      const value = row[name]
      return [name, Array.isArray(value) ? value.map(idOf) : idOf(value)] as const
    })
    return { ...row, ...Object.fromEntries(replaced.filter(([name]) => row[name] !== undefined)) }
  })
}

function namedReferences(view: View, collection: Collection): Named[] {
  return [...collection.fields.values()].flatMap(field => {
    const target = field.reference && view.collections.get(field.reference.to)
    const key = target && naturalKey(target)
    return target && key && view.allows(target, key) ? [{ field, target, key }] : []
  })
}

function namesOf({ field }: Named, rows: readonly Values[]): string[] {
  const values = rows.flatMap(row => row[field.name] ?? [])
  const isName = (value: unknown): value is string => typeof value === 'string' && !isRowId(value)
  return [...new Set(values.filter(isName))]
}

function findStep(view: View, target: Collection, key: Field, names: readonly string[]) {
  const context = view.sqlContext(new Parameters())
  const column = `r.${quoteName(key.column)}`
  const where = all([`${column} = any (${context.parameters.add(names)})`, readableSql(view, context, target, 'r')])
  const text = `select r.id, ${column} as key from ${quoteName(target.table)} r where ${where}`
  return [text, context.parameters.values] as const
}

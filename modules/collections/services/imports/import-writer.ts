/** Creates and updates the rows of an import, in the caller's name. */
import { type Deps, type FieldError, Problem, type Unit } from 'larder/kernel'
import type { Collection, Field } from '../../domain/collection.ts'
import { columnType } from '../../domain/column-types.ts'
import { all, notDeleted, quoteName } from '../../domain/condition-sql.ts'
import { specOf } from '../../domain/field-types.ts'
import { pointerOf, type Values } from '../../domain/row-values.ts'
import type { View } from '../../domain/view.ts'
import { columnValue } from '../../domain/write-sql.ts'
import { invalidFields } from '../../problems.ts'
import type { RowChanger } from '../row-changer.ts'
import type { RowChecker } from '../row-checker.ts'
import type { RowCreator } from '../row-creator.ts'
import { takenErrors } from '../write-errors.ts'
import { withReferences } from './named-references.ts'

export interface ImportWriter {
  /** In the surrounding unit. Throws with the errors of rows, whose pointers begin with the position: `/3/title`. */
  write(view: View, collection: Collection, by: string | null, rows: readonly Values[]): Promise<WrittenCounts>
  /** Returns the errors that `write` would throw, of all rows, and how many rows it would create. Writes nothing. */
  check(view: View, collection: Collection, by: string | null, rows: readonly Values[]): Promise<CheckedRows>
}

interface WrittenCounts {
  readonly created: number
  readonly updated: number
}
interface CheckedRows {
  readonly errors: readonly FieldError[]
  readonly creates: number
}

interface Positioned {
  readonly given: Values
  /** `/3` */
  readonly pointer: string
  readonly key: string
}
interface Parted {
  readonly creates: readonly Positioned[]
  /** Of rows that exist, or that an earlier row of the list creates. */
  readonly updates: readonly Positioned[]
  /** Key → ID of an existing row. */
  readonly ids: Map<string, string>
  readonly errors: readonly FieldError[]
}

interface Parts {
  readonly creator: RowCreator
  readonly changer: RowChanger
  readonly checker: RowChecker
}

const ROLLBACK = new Error('the rows were only checked')

export function createImportWriter({ database }: Deps<'database'>, { creator, changer, checker }: Parts): ImportWriter {
  async function update(view: View, collection: Collection, { ids }: Parted, row: Positioned): Promise<void> {
    const { given, pointer, key } = row
    const id = ids.get(key)
    // The row that would have created it is invalid.
    if (id === undefined) return
    await changer.update(view, collection, { id, given: withoutConstants(collection, given), headers: {}, pointer })
  }

  async function create(
    view: View,
    collection: Collection,
    { ids }: Pick<Parted, 'ids'>,
    rows: readonly Positioned[],
  ): Promise<void> {
    if (rows.length === 0) return
    const made = await creator.create(view, collection, rows)
    for (const [at, { id }] of made.entries()) ids.set(rows[at]?.key ?? '', id)
  }

  /** Returns the rows that were tried, the last of which failed if there is an error. Everything is rolled back. */
  async function tryUpdates(
    view: View,
    collection: Collection,
    parted: Parted,
    creates: readonly Positioned[],
    updates: readonly Positioned[],
  ): Promise<{ readonly tried: number; readonly errors: readonly FieldError[] }> {
    let tried = 0
    const errors: FieldError[] = []
    const work = database.tenant(view.tenantId).transaction(async () => {
      const ids = new Map(parted.ids)
      await create(view, collection, { ids }, creates)
      for (const row of updates) {
        tried++
        try {
          await update(view, collection, { ...parted, ids }, row)
        } catch (error) {
          errors.push(...errorsOf(error, row.pointer))
          // PostgreSQL has ended the transaction.
          if (codeOf(error) === 'value_taken') break
        }
      }
      throw ROLLBACK
    })
    await work.catch(error => {
      if (error !== ROLLBACK) throw error
    })
    return { tried, errors }
  }

  return {
    async write(view, collection, by, rows) {
      const unit = database.tenant(view.tenantId)
      const resolved = await withReferences(unit, view, collection, rows)
      const parted = await part(unit, view, collection, by, resolved)
      if (parted.errors.length > 0) throw invalidFields(parted.errors)
      await create(view, collection, parted, parted.creates)
      for (const row of parted.updates) await update(view, collection, parted, row)
      return { created: parted.creates.length, updated: parted.updates.length }
    },

    async check(view, collection, by, rows) {
      const unit = database.tenant(view.tenantId)
      const resolved = await withReferences(unit, view, collection, rows)
      const parted = await part(unit, view, collection, by, resolved)
      const found = await checker.errorsOf(view, collection, parted.creates)
      const wrong = new Set(found.map(({ pointer }) => pointer.split('/')[1]))
      const valid = parted.creates.filter(({ pointer }) => !wrong.has(pointer.slice(1)))
      const errors = [...parted.errors, ...found]
      for (let rest = parted.updates; rest.length > 0; ) {
        const { tried, errors: more } = await tryUpdates(view, collection, parted, valid, rest)
        errors.push(...more)
        rest = rest.slice(tried)
      }
      return { errors, creates: valid.length }
    },
  }
}

/** Parts the rows into new and existing ones. */
async function part(
  unit: Unit,
  view: View,
  collection: Collection,
  by: string | null,
  rows: readonly Values[],
): Promise<Parted> {
  const field = by === null ? undefined : collection.fields.get(by)
  const given = rows.map((values, at) => ({ given: values, pointer: `/${at}`, key: `#${at}` }))
  if (!field) return { creates: given, updates: [], ids: new Map(), errors: [] }
  const errors: FieldError[] = []
  const existing = await existingRows(unit, view, collection, field, rows)
  const creates = new Map<string, Positioned>()
  const updates: Positioned[] = []
  const ids = new Map<string, string>()
  for (const { given: values, pointer } of given) {
    const value = values[field.name] ?? null
    const key = keyOf(field, value)
    const row = { given: values, pointer, key }
    const found = existing.get(key)
    if (value === null)
      errors.push({ pointer: pointerOf(pointer, field.name), code: 'required', detail: 'is required' })
    else if (found && !found.readable) errors.push(...takenErrors([field.name], pointer))
    else if (found || creates.has(key)) updates.push(row)
    else creates.set(key, row)
    if (found) ids.set(key, found.id)
  }
  return { creates: [...creates.values()], updates, ids, errors }
}

const keyOf = (field: Field, value: unknown): string => {
  const { parse, toColumn, fromColumn } = specOf(field)
  const parsed = parse(value)
  return String(parsed === undefined ? value : fromColumn(toColumn(parsed)))
}

interface ExistingRow {
  readonly id: string
  readonly key: unknown
  readonly readable: boolean
}

async function existingRows(
  unit: Unit,
  view: View,
  collection: Collection,
  field: Field,
  rows: readonly Values[],
): Promise<Map<string, ExistingRow>> {
  const context = view.rawContext()
  const { parameters } = context
  const values = rows.map(row => columnValue(field, row[field.name])).filter(value => value !== null)
  const column = `r.${quoteName(field.column)}`
  const where = all([
    `r.tenant_id = ${parameters.add(view.ownerOf(collection))}`,
    `${column} = any (${parameters.add(values)}::${columnType(field)}[])`,
    notDeleted(collection, 'r'),
  ])
  const readable = `coalesce(${view.rowsSql(context, collection, 'read', 'r')}, false)`
  const key = field.type === 'date' ? `${column}::text` : column
  const { rows: found } = await unit.query<ExistingRow>(
    `select r.id, ${key} as key, ${readable} as readable from ${quoteName(collection.table)} r where ${where}`,
    parameters.values,
  )
  return new Map(found.map(row => [String(specOf(field).fromColumn(row.key)), row]))
}

/** Fields that are set once keep their values. */
const withoutConstants = (collection: Collection, given: Values): Values =>
  Object.fromEntries(Object.entries(given).filter(([name]) => collection.fields.get(name)?.writeOnce !== true))

const codeOf = (error: unknown): string | undefined => (Problem.is(error) ? error.code : undefined)

/** The errors of a problem that concerns one row. Throws others. */
export function errorsOf(error: unknown, pointer: string): readonly FieldError[] {
  if (!isOfRow(error)) throw error
  const errors = (error.extras.errors ?? []) as readonly FieldError[]
  return errors.length > 0 ? errors : [{ pointer, code: error.code, detail: error.message }]
}

const ROW_STATUSES = [400, 403, 404, 409, 422]
/** False for a limit of the plan, which concerns all rows, and for what the caller may not do at all. */
export const isOfRow = (error: unknown): error is Problem =>
  Problem.is(error) &&
  ROW_STATUSES.includes(error.status) &&
  error.code !== 'entitlement_exceeded' &&
  error.code !== 'forbidden'

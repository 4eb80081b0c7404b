/** Creates and updates the rows of an import, in the caller's name. */
import { type Deps, type FieldError, invalidFields, Problem, type Unit } from '@larder-dev/larder/kernel'
import type { Collection } from '../../domain/collection.ts'
import type { Values } from '../../domain/row-values.ts'
import type { View } from '../../domain/view.ts'
import { rollBack } from '../roll-back.ts'
import type { RowChanger } from '../row-changer.ts'
import type { RowChecker } from '../row-checker.ts'
import type { RowCreator } from '../row-creator.ts'
import type { HookRunner } from '../row-hooks.ts'
import { type Parted, type Positioned, part } from './import-parts.ts'
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

interface Parts {
  readonly creator: RowCreator
  readonly changer: RowChanger
  readonly checker: RowChecker
  readonly hooks: Pick<HookRunner, 'has'>
}

/** Rows that are created together where hooks are called, which have a time limit for all of them. */
const HOOKED_ROWS = 20

export function createImportWriter(
  { database }: Deps<'database'>,
  { creator, changer, checker, hooks }: Parts,
): ImportWriter {
  const inTransaction = (view: View) => (work: (unit: Unit) => Promise<never>) =>
    database.tenant(view.tenantId).transaction(work)

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
    const size = hooks.has(collection) ? HOOKED_ROWS : rows.length
    for (let from = 0; from < rows.length; from += size) {
      const group = rows.slice(from, from + size)
      const made = await creator.create(view, collection, group)
      for (const [at, { id }] of made.entries()) ids.set(group[at]?.key ?? '', id)
    }
  }

  /** Returns the errors of hooks after the creation. Everything is rolled back, at the end and after each error. */
  async function tryCreates(view: View, collection: Collection, rows: readonly Positioned[]): Promise<FieldError[]> {
    const errors: FieldError[] = []
    for (let rest = hooks.has(collection) ? rows : []; rest.length > 0; ) {
      let tried = 0
      let pointer = ''
      const created = rollBack(inTransaction(view), async () => {
        for (const row of rest) {
          tried++
          pointer = row.pointer
          await creator.create(view, collection, [row])
        }
      })
      await created.catch(error => void errors.push(...errorsOf(error, pointer)))
      rest = rest.slice(tried)
    }
    return errors
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
    await rollBack(inTransaction(view), async () => {
      const ids = new Map(parted.ids)
      await create(view, collection, { ids }, creates)
      for (const row of updates) {
        tried++
        try {
          await update(view, collection, { ...parted, ids }, row)
        } catch (error) {
          errors.push(...errorsOf(error, row.pointer))
          if (hooks.has(collection) || endsTransaction(error)) break
        }
      }
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
      const rejected = await tryCreates(view, collection, withoutErrors(parted.creates, found))
      const valid = withoutErrors(parted.creates, [...found, ...rejected])
      const errors = [...parted.errors, ...found, ...rejected]
      for (let rest = parted.updates; rest.length > 0; ) {
        const { tried, errors: more } = await tryUpdates(view, collection, parted, valid, rest)
        errors.push(...more)
        rest = rest.slice(tried)
      }
      return { errors, creates: valid.length }
    },
  }
}

/** Fields that are set once keep their values. */
const withoutConstants = (collection: Collection, given: Values): Values =>
  Object.fromEntries(Object.entries(given).filter(([name]) => collection.fields.get(name)?.writeOnce !== true))

function withoutErrors(rows: readonly Positioned[], errors: readonly FieldError[]): readonly Positioned[] {
  const wrong = new Set(errors.map(({ pointer }) => pointer.split('/')[1]))
  return rows.filter(({ pointer }) => !wrong.has(pointer.slice(1)))
}

/** Whether the error can be that of a statement, after which PostgreSQL accepts no other one. */
const endsTransaction = (error: unknown): boolean =>
  Problem.is(error) &&
  (error.code === 'value_taken' ||
    ((error.extras.errors ?? []) as FieldError[]).some(({ code }) => code === 'not_found' || code === 'too_long'))

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

/** Creates and updates the rows of an import, in the caller's name. */
import {
  type Deps,
  type FieldError,
  fieldError,
  invalidFields,
  Problem,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import type { Collection, Field } from '../../domain/declarations/collection.ts'
import { numberedFields, stateFields } from '../../domain/fields/field-lists.ts'
import { isNumbered } from '../../domain/fields/sequences.ts'
import type { View } from '../../domain/rights/view.ts'
import { pointerOf, type Values } from '../../domain/rows/row-values.ts'
import type { Places } from '../capacities.ts'
import { rollBack } from '../roll-back.ts'
import type { RowChanger } from '../row-changer.ts'
import type { RowChecker } from '../row-checker.ts'
import type { RowCreator } from '../row-creator.ts'
import type { HookRunner } from '../row-hooks.ts'
import { mayChooseAll } from '../state-checks.ts'
import { mustTakeTurns, turnStep } from '../unique-values.ts'
import { type Parted, type Positioned, part } from './import-parts.ts'
import { withReferences } from './named-references.ts'

export interface ImportWriter {
  /** In the surrounding unit. Throws with the errors of rows, whose pointers begin with the position: `/3/title`. */
  write(view: View, collection: Collection, rows: GivenRows): Promise<WrittenCounts>
  /**
   * Returns the errors that `write` would throw, of all rows, and how many rows it would create. Writes nothing.
   * @param places what earlier rows of the file take. Those of these rows are added.
   */
  check(view: View, collection: Collection, rows: GivenRows, places?: Places): Promise<CheckedRows>
}

export interface GivenRows {
  readonly by: string | null
  readonly values: readonly Values[]
  /** Whether the collection had no rows before the import, so that these keep the numbers and states of the file. */
  readonly intoEmpty: boolean
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
    if (rows.length === 0) return
    const made = await creator.create(view, collection, rows)
    for (const [at, { id }] of made.entries()) ids.set(rows[at]?.key ?? '', id)
  }

  /** Writes one row after the other, so that the hooks of each see those before it, and have their time limit for it alone. */
  const writeHooked = (view: View, collection: Collection, parted: Parted, row: Positioned): Promise<void> =>
    parted.creates.includes(row) ? create(view, collection, parted, [row]) : update(view, collection, parted, row)

  /**
   * Returns the errors that writing the rows throws. Everything is rolled back: at the end, and after an error that ends
   * the transaction. The rows without errors are then written again for the hooks of those that follow.
   */
  async function tryHooked(view: View, collection: Collection, parted: Parted): Promise<FieldError[]> {
    const errors: FieldError[] = []
    let left: readonly Positioned[] = inOrder(parted)
    for (let isComplete = false; !isComplete; ) {
      const refused = new Set<Positioned>()
      isComplete = true
      await rollBack(inTransaction(view), async unit => {
        const started = { ...parted, ids: new Map(parted.ids) }
        for (const row of left)
          try {
            await writeHooked(view, collection, started, row)
          } catch (error) {
            errors.push(...errorsOf(error, row.pointer))
            refused.add(row)
            if (await isOpen(unit)) continue
            isComplete = false
            return
          }
      })
      left = left.filter(row => !refused.has(row))
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
          if (endsTransaction(error)) break
        }
      }
    })
    return { tried, errors }
  }

  return {
    async write(view, collection, rows) {
      const unit = database.tenant(view.tenantId)
      const parted = await partRows(unit, view, collection, rows)
      if (parted.errors.length > 0) throw invalidFields(parted.errors)
      if (hooks.has(collection)) {
        // Rows are written in the order of the file, and another transaction may write the same values in another one.
        if (mustTakeTurns(collection)) await unit.defer([turnStep(view, collection)])
        for (const row of inOrder(parted)) await writeHooked(view, collection, parted, row)
      } else {
        await create(view, collection, parted, parted.creates)
        for (const row of parted.updates) await update(view, collection, parted, row)
      }
      return { created: parted.creates.length, updated: parted.updates.length }
    },

    async check(view, collection, rows, places) {
      const unit = database.tenant(view.tenantId)
      const parted = await partRows(unit, view, collection, rows)
      if (hooks.has(collection)) {
        const errors = [...parted.errors, ...(await tryHooked(view, collection, parted))]
        return { errors, creates: withoutErrors(parted.creates, errors).length }
      }
      const found = await checker.errorsOf(view, collection, parted.creates, places)
      const valid = withoutErrors(parted.creates, found)
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

async function partRows(
  unit: Unit,
  view: View,
  collection: Collection,
  { by, values, intoEmpty }: GivenRows,
): Promise<Parted> {
  const resolved = await withReferences(unit, view, collection, values)
  const parted = await part(unit, view, collection, by, resolved)
  const [field] = numberedFields(collection)
  const creates = intoEmpty ? parted.creates.map(row => withStates(view, collection, row)) : parted.creates
  if (!field) return { ...parted, creates }
  const numbered = creates.map(row => withNumber(field, row, intoEmpty))
  return {
    ...parted,
    creates: numbered.flatMap(each => ('row' in each ? [each.row] : [])),
    errors: [...parted.errors, ...numbered.flatMap(each => ('error' in each ? [each.error] : []))],
  }
}

/** A new row with the states apart that it may keep, because the caller may bring it there. */
function withStates(view: View, collection: Collection, row: Positioned): Positioned {
  const kept = stateFields(collection).flatMap(field => {
    const state = row.given[field.name]
    return typeof state === 'string' && field.values?.includes(state) && mayChooseAll(view, collection, field)
      ? [[field.name, state] as const]
      : []
  })
  return kept.length === 0 ? row : { ...row, kept: { ...row.kept, ...Object.fromEntries(kept) } }
}

/** A new row with its number apart from the other values, which callers may set. */
function withNumber(
  { name, sequence = '' }: Field,
  row: Positioned,
  intoEmpty: boolean,
): { readonly row: Positioned } | { readonly error: FieldError } {
  const { [name]: number = null, ...given } = row.given
  if (number === null) return { row: { ...row, given } }
  const pointer = pointerOf(row.pointer, name)
  if (!intoEmpty)
    return {
      error: fieldError(
        pointer,
        'not_allowed',
        wording('can be set only while the collection has no rows before the import'),
      ),
    }
  if (typeof number !== 'string' || !isNumbered(sequence, number))
    return { error: fieldError(pointer, 'invalid', wording('must be a number of the form {form}', { form: sequence })) }
  return { row: { ...row, given, kept: { ...row.kept, [name]: number } } }
}

/** Fields that are set once keep their values, and so do numbers. */
const withoutConstants = (collection: Collection, given: Values): Values =>
  Object.fromEntries(
    Object.entries(given).filter(([name]) => {
      const field = collection.fields.get(name)
      return field?.writeOnce !== true && field?.sequence === undefined
    }),
  )

function withoutErrors(rows: readonly Positioned[], errors: readonly FieldError[]): readonly Positioned[] {
  const wrong = new Set(errors.map(({ pointer }) => pointer.split('/')[1]))
  return rows.filter(({ pointer }) => !wrong.has(pointer.slice(1)))
}

const inOrder = ({ creates, updates }: Parted): readonly Positioned[] =>
  [...creates, ...updates].sort((a, b) => Number(a.pointer.slice(1)) - Number(b.pointer.slice(1)))

/** Whether the transaction still accepts statements. */
const isOpen = (unit: Unit): Promise<boolean> =>
  unit.query('select 1').then(
    () => true,
    () => false,
  )

/** Whether the error can be that of a statement, after which PostgreSQL accepts no other one. */
const endsTransaction = (error: unknown): boolean =>
  Problem.is(error) &&
  (error.code === 'value_taken' ||
    error.code === 'period_taken' ||
    ((error.extras.errors ?? []) as FieldError[]).some(({ code }) => code === 'not_found' || code === 'too_long'))

/** The errors of a problem that concerns one row. Throws others. */
export function errorsOf(error: unknown, pointer: string): readonly FieldError[] {
  if (!isOfRow(error)) throw error
  const errors = (error.extras.errors ?? []) as readonly FieldError[]
  return errors.length > 0 ? errors : [fieldError(pointer, error.code, error.wording)]
}

const ROW_STATUSES = [400, 403, 404, 409, 422]
/** False for a limit of the plan, which concerns all rows, and for what the caller may not do at all. */
export const isOfRow = (error: unknown): error is Problem =>
  Problem.is(error) &&
  ROW_STATUSES.includes(error.status) &&
  error.code !== 'entitlement_exceeded' &&
  error.code !== 'forbidden'

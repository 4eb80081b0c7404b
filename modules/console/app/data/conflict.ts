/** What a row conflicts with whose change was refused. Pure. */
import type { PeriodTakenProblem } from './api-types.ts'
import { type Collection, parameterOf } from './collection.ts'
import { ApiError } from './problem.ts'

export interface Conflict {
  /** The rows that have its period, or the row that has no place for it. */
  readonly rows?: { readonly collection: string; readonly ids: readonly string[] }
  /** Filters of a list, for the row whose values can't be given twice. */
  readonly taken?: Readonly<Record<string, string>>
}

type Values = Readonly<Record<string, unknown>>

/** @param row the values that were refused, together with those that would have stayed. */
export function conflictOf(failure: unknown, collection: Collection | undefined, row: Values): Conflict {
  if (!(failure instanceof ApiError) || !collection) return {}
  const { problem } = failure
  const names = (problem.errors ?? []).map(({ pointer }) => pointer.slice(1))
  const [first = ''] = names
  switch (problem.code) {
    case 'period_taken': {
      const { rows = [] } = problem as Partial<PeriodTakenProblem>
      return rows.length > 0 ? { rows: { collection: collection.name, ids: rows } } : {}
    }
    case 'capacity_reached': {
      const [to, id] = [collection.fields[first]?.reference?.to, row[first]]
      return to !== undefined && typeof id === 'string' ? { rows: { collection: to, ids: [id] } } : {}
    }
    case 'value_taken':
      return names.length > 0 && names.every(name => isFiltered(collection, name, row[name]))
        ? {
            taken: Object.fromEntries(
              names.map(name => [parameterOf({ field: name, operator: 'eq' }), String(row[name])]),
            ),
          }
        : {}
    default:
      return {}
  }
}

/** Whether a list can be filtered by this value. The API makes some values itself, such as a slug. */
const isFiltered = ({ fields }: Collection, name: string, value: unknown): boolean =>
  (fields[name]?.operators.includes('eq') ?? false) && ['string', 'number', 'boolean'].includes(typeof value)

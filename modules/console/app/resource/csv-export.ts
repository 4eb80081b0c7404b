/** The rows of a list as a CSV file, with names instead of the IDs of other records. */

import { AMOUNT } from '../components/Value.tsx'
import { reportFailure } from '../data/action.ts'
import type { Collection } from '../data/collection.ts'
import { toCsv } from '../data/csv.ts'
import { saveFile } from '../data/download.ts'
import { type ListSearch, loadAll } from '../data/list.ts'
import { toMajor } from '../data/money.ts'
import { loadNameTexts } from '../data/names.ts'
import { isIdentifier } from '../data/record-ids.ts'
import { type Resource, type Row, type Scope, valueAt } from '../data/resources.ts'
import { toast } from '../data/toasts.ts'
import type { Translate } from '../locales/index.ts'
import type { SourceOf } from './sources.ts'

interface Export {
  readonly resource: Resource
  readonly search: ListSearch
  readonly scope: Scope
  readonly columns: readonly string[]
  readonly collection: Collection | undefined
  readonly sourceOf: SourceOf
  readonly t: Translate
}

/** Amounts are decimal, as spreadsheets have them. */
const exportedValue = (value: unknown, currency: unknown): unknown =>
  typeof value === 'number' && typeof currency === 'string' ? toMajor(value, currency) : value

export async function exportCsv(wanted: Export): Promise<void> {
  const { resource, search, scope, columns, collection, t } = wanted
  try {
    const { rows, isComplete } = await loadAll(resource, search, scope, () => undefined)
    const currencies = columns.map(name => collection?.fields[name]?.currency)
    const header = columns.map((name, at) => (currencies[at] === undefined ? name : `${name} (${currencies[at]})`))
    const named: Named[] = []
    for (const name of columns) named.push(await namesIn(wanted, rows, name))
    const values = rows.map(row =>
      columns.map((name, at) =>
        exportedValue(
          named[at]?.(valueAt(row, name)),
          currencies[at] ?? (AMOUNT.test(name) ? row.currency : undefined),
        ),
      ),
    )
    saveFile(`${resource.name}.csv`, toCsv(header, values))
    toast(t(isComplete ? 'exported' : 'exportLimited', { count: rows.length }))
  } catch (error) {
    reportFailure(error)
  }
}

type Named = (value: unknown) => unknown
/** IDs of one request. */
const MAX_IDS = 100

/** The names of what a column refers to, without an own request for each row. */
async function namesIn({ resource, collection, sourceOf }: Export, rows: readonly Row[], name: string): Promise<Named> {
  // The ID of a row identifies it in the file.
  const ids = name === resource.key ? [] : rows.flatMap(row => valueAt(row, name)).filter(isIdentifier)
  const unique = [...new Set(ids)]
  const source = sourceOf(collection?.fields[name])
  const names = new Map<string, string>()
  for (let at = 0; at < unique.length; at += MAX_IDS) {
    const asked = unique.slice(at, at + MAX_IDS)
    for (const [id, text] of await (source?.names ?? loadNameTexts)(asked)) names.set(id, text)
  }
  const nameOf = (value: unknown) => (isIdentifier(value) && name !== resource.key ? nameOr(value) : value)
  const nameOr = (id: string) => names.get(id) ?? source?.unknown() ?? id
  return value => (Array.isArray(value) && value.every(isIdentifier) ? value.map(nameOf).join(', ') : nameOf(value))
}

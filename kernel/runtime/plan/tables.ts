/** Changes of modules and their tables. */

import type { Migrations, PendingMigrations } from '../../contract/index.ts'
import type { CheckedRecipe } from '../../recipe/index.ts'
import type { PlannedChange } from './compare.ts'

/** Rows of a table are counted up to this number. */
const MAX_COUNTED_ROWS = 10_000

/** Changes of tables, except those of new modules. */
export function tableChanges(
  { pending, missing }: PendingMigrations,
  isNew: (module: string) => boolean,
): PlannedChange[] {
  return [
    ...[...pending].flatMap(([of, names]): PlannedChange[] =>
      isNew(of) ? [] : [{ change: 'change', of, subject: `tables of ${of}`, detail: names.join(', ') }],
    ),
    ...[...missing].map(
      ([of, names]): PlannedChange => ({
        change: 'remove',
        of,
        subject: `migrations of ${of}`,
        detail: names.map(({ name }) => name).join(', '),
        breaks: 'the database has these migrations, but their files are missing; the product cannot start',
      }),
    ),
  ]
}

/** A new module with its entries in the recipe. */
export function newModule(
  { key, module, sections }: CheckedRecipe['modules'][number],
  pending: readonly string[] = [],
): PlannedChange[] {
  const detail = pending.length > 0 ? `tables: ${pending.join(', ')}` : undefined
  // A module without tables can't compute its plan, and all of its entries are new.
  const newSections = pending.length > 0 && module.reconcile ? sections : {}
  return [
    { change: 'add', of: key, subject: `module ${key}`, ...(detail && { detail }) },
    ...Object.entries(newSections).flatMap(([section, value]) =>
      entriesOf(section, value).map((subject): PlannedChange => ({ change: 'add', of: key, subject })),
    ),
  ]
}

function entriesOf(section: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.length > 0 ? [`${section} (${value.length})`] : []
  return typeof value === 'object' && value !== null ? Object.keys(value).map(key => `${section} ${key}`) : [section]
}

/** A module that was removed from the recipe. Its tables are kept. */
export async function removedModule(migrations: Migrations, key: string): Promise<PlannedChange> {
  const tables = await migrations.tables(key, MAX_COUNTED_ROWS)
  const kept = tables.map(
    ({ name, rows }) => `${name} (${rows > MAX_COUNTED_ROWS ? `more than ${MAX_COUNTED_ROWS}` : rows})`,
  )
  const hasRows = tables.some(({ rows }) => rows > 0)
  return {
    change: 'remove',
    of: key,
    subject: `module ${key}`,
    ...(kept.length > 0 && { detail: `keeps its tables (rows): ${kept.join(', ')}` }),
    breaks: `removes its routes, pages, jobs and permissions${hasRows ? '; the rows of its tables become unreachable' : ''}`,
  }
}

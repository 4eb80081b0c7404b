/** Modules that come and go, and their tables. */

import type { Migrations, PendingMigrations } from '../../contract/index.ts'
import type { CheckedRecipe } from '../../recipe/index.ts'
import type { PlannedChange } from './compare.ts'

/** Rows of a table are counted so far. */
const MAX_COUNTED_ROWS = 10_000

/** Changes of tables, the kernel's included; without modules that are new as a whole. */
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
        detail: names.join(', '),
        breaks: 'they were applied to this database before: nothing starts until their files are back',
      }),
    ),
  ]
}

/** A module that the database has never seen, with everything that the recipe says for it. */
export function newModule(
  { key, module, sections }: CheckedRecipe['modules'][number],
  waiting: readonly string[] = [],
): PlannedChange[] {
  const detail = waiting.length > 0 ? `tables: ${waiting.join(', ')}` : undefined
  // Its own plan cannot be asked before it has tables: there, all is new.
  const inside = waiting.length > 0 && module.reconcile ? sections : {}
  return [
    { change: 'add', of: key, subject: `module ${key}`, ...(detail && { detail }) },
    ...Object.entries(inside).flatMap(([section, value]) =>
      entriesOf(section, value).map((subject): PlannedChange => ({ change: 'add', of: key, subject })),
    ),
  ]
}

function entriesOf(section: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.length > 0 ? [`${section} (${value.length})`] : []
  return typeof value === 'object' && value !== null ? Object.keys(value).map(key => `${section} ${key}`) : [section]
}

/** A module that the recipe no longer names: its tables stay as they are. */
export async function goneModule(migrations: Migrations, key: string): Promise<PlannedChange> {
  const tables = await migrations.tables(key, MAX_COUNTED_ROWS)
  const kept = tables.map(
    ({ name, rows }) => `${name} (${rows > MAX_COUNTED_ROWS ? `more than ${MAX_COUNTED_ROWS}` : rows})`,
  )
  const filled = tables.some(({ rows }) => rows > 0)
  return {
    change: 'remove',
    of: key,
    subject: `module ${key}`,
    ...(kept.length > 0 && { detail: `tables stay, rows in brackets: ${kept.join(', ')}` }),
    breaks: `its routes, pages, jobs and permissions are gone${filled ? ', and nobody reaches what is in its tables' : ''}`,
  }
}

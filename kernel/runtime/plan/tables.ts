/** Modules that come and go, and their tables. */

import type { Pending } from '../../../services/postgres/pending.ts'
import type { Database } from '../../contract/index.ts'
import type { CheckedRecipe } from '../../recipe/index.ts'
import type { PlannedChange } from './compare.ts'

/** Rows of a table are counted so far. */
const MOST = 10_000
const WHY = 'tables of a module that goes, of every tenant'

/** Changes of tables, the kernel's included; without modules that are new as a whole. */
export function tableChanges({ waiting, lost }: Pending, isNew: (module: string) => boolean): PlannedChange[] {
  return [
    ...[...waiting].flatMap(([of, names]): PlannedChange[] =>
      isNew(of) ? [] : [{ change: 'change', of, subject: `tables of ${of}`, detail: names.join(', ') }],
    ),
    ...[...lost].map(
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
export async function goneModule(database: Database, key: string): Promise<PlannedChange> {
  const tables = await tablesOf(database, key)
  const kept = tables.map(({ name, rows }) => `${name} (${rows > MOST ? `more than ${MOST}` : rows})`)
  const filled = tables.some(({ rows }) => rows > 0)
  return {
    change: 'remove',
    of: key,
    subject: `module ${key}`,
    ...(kept.length > 0 && { detail: `tables stay, rows in brackets: ${kept.join(', ')}` }),
    breaks: `its routes, pages, jobs and permissions are gone${filled ? ', and nobody reaches what is in its tables' : ''}`,
  }
}

async function tablesOf(database: Database, key: string): Promise<{ name: string; rows: number }[]> {
  const unit = database.system(WHY)
  const { rows: tables } = await unit.query<{ name: string; quoted: string }>(
    `select tablename as name, quote_ident(tablename) as quoted from pg_tables
      where schemaname = current_schema() and starts_with(tablename, $1)
        and has_table_privilege(current_user, quote_ident(tablename), 'select') order by tablename`,
    [`${key}_`],
  )
  const counted = []
  for (const { name, quoted } of tables) {
    const { rows } = await unit.query<{ count: number }>(
      `select count(*)::int as count from (select 1 from ${quoted} limit ${MOST + 1}) as part`,
    )
    counted.push({ name, rows: rows[0]?.count ?? 0 })
  }
  return counted
}

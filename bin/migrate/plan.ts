/** `larder migrate --plan`. */
import { formatSize } from '../../kernel/base/index.ts'
import { migrationSets } from '../../kernel/runtime/index.ts'
import { checkFile, readSettings } from '../composition.ts'
import { type MigrationPlan, type PlannedMigration, type PlannedTable, withDatabase } from '../database.ts'
import { recipeFile } from '../recipe-file.ts'
import { oneLine, paint, printResult, showProgress, table } from '../shell.ts'
import { stopSignal } from '../stop.ts'
import { errors } from './errors.ts'

/** Lets a script distinguish pending migrations from none (0) and from a failure (1), as `recipe plan` does. */
const PENDING_CODE = 2
/** The plan connects as the owner only, whose password is in DATABASE_URL. */
const PLACEHOLDER_SECRET = 'nothing is signed or encrypted with this secret'

interface PlacedPlan extends MigrationPlan {
  /** Where the data is, without a password. */
  readonly database: string
}

export async function planMigrate(recipe: string | undefined, json: boolean): Promise<void> {
  const planned = await plan(recipe)
  printResult(json ? JSON.stringify(planned, null, 2) : formatPlan(planned))
  if (planned.migrations.length > 0) process.exitCode = PENDING_CODE
}

async function plan(recipe: string | undefined): Promise<PlacedPlan> {
  const settings = readSettings(process.env)
  const { services, modules } = await checkFile(recipeFile(recipe, settings), process.env)
  const progress = await showProgress('larder migrate --plan')
  const signal = stopSignal({ close: async () => {} })
  try {
    progress.step('connecting to the database')
    const planned = await withDatabase(
      settings,
      { secrets: async () => [PLACEHOLDER_SECRET], readOnly: true },
      async ({ db, place }) => ({
        database: place,
        ...(await db.planMigrations(migrationSets([...services, ...modules]), step => {
          signal.throwIfAborted()
          progress.step(step)
        })),
      }),
    )
    if (!planned) throw errors.plan_no_database({ folder: settings.dataDir })
    progress.done()
    return planned
  } catch (error) {
    progress.failed()
    throw error
  }
}

export function formatPlan(plan: PlacedPlan): string {
  const { migrations, beside, movesRoles, database } = plan
  const notes = [
    ...(beside.length > 0 ? [`A later release has applied ${beside.join(', ')}. This one works beside it.`] : []),
    ...(movesRoles && migrations.length > 0
      ? ['The database gets roles of its own, for which each table is locked for an instant.']
      : []),
  ]
  if (migrations.length === 0) return [`${database} has all migrations.`, ...notes].join('\n')
  return [
    ...migrations.flatMap(migration => [...formatMigration(migration, plan.isNew), '']),
    ...notes,
    summary(plan),
    'The recipe is applied after the migrations: see larder recipe plan.',
  ].join('\n')
}

const INDENT = '  '

function formatMigration({ id, expands, statements, tables }: PlannedMigration, isNew: boolean): string[] {
  const mark = expands
    ? paint('green', 'only adds')
    : `${paint('yellow', 'does not only add')}: a process of the release before does not start beside it`
  return [
    `${paint('bold', id)}  ${isNew ? '' : mark}`.trimEnd(),
    ...statements.flatMap(({ sql, values }) => [
      ...sqlLines(sql),
      ...(values.length > 0 ? [oneLine(`${INDENT.repeat(2)}with ${values.map(shown).join(', ')}`)] : []),
    ]),
    ...(tables.length > 0 ? ['', ...indented(tableOf(tables))] : []),
  ]
}

const shown = (value: unknown): string => JSON.stringify(value) ?? String(value)

/** Without the indentation that it has in its file. */
function sqlLines(sql: string): string[] {
  const lines = sql.replace(/\t/g, INDENT).trimEnd().split('\n')
  const filled = lines.filter(line => line.trim() !== '')
  const [first = '', ...rest] = filled
  const margin = Math.min(...rest.map(line => line.search(/\S/)), Number.POSITIVE_INFINITY)
  const body = [first.trim(), ...rest.map(line => line.slice(margin))]
  const last = body.at(-1) ?? ''
  return [...body.slice(0, -1), last.endsWith(';') ? last : `${last};`].map((line, at) =>
    at === 0 ? `${INDENT}${line}` : `${INDENT.repeat(2)}${line}`,
  )
}

const indented = (text: string): string[] => text.split('\n').map(line => `${INDENT}${line}`)

const tableOf = (tables: readonly PlannedTable[]): string =>
  table(
    ['table', 'lock', 'waits', 'rows', 'size', 'work'],
    tables.map(effect => [
      effect.table,
      lockName(effect.lock),
      effect.blocks,
      effect.rows === null ? 'unknown' : `about ${effect.rows}`,
      formatSize(effect.bytes),
      workOf(effect),
    ]),
  )

/** As PostgreSQL's documentation writes it. */
const lockName = (mode: string): string =>
  mode
    .replace(/Lock$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()

function workOf(effect: PlannedTable): string {
  const { dropped, rewritten, scanned, indexes, seconds, lock } = effect
  const done = [
    ...(dropped ? ['dropped'] : []),
    ...(rewritten ? ['rewritten, with its indexes'] : scanned ? ['every row read'] : []),
    ...(indexes.length > 0 && !rewritten ? [`builds ${indexes.join(', ')}`] : []),
    ...(lock === 'RowExclusiveLock' ? ['rows change'] : []),
  ]
  if (done.length === 0) return 'an instant'
  return dropped ? 'dropped' : `${done.join('; ')}: ${duration(seconds)}`
}

function duration(seconds: number): string {
  if (seconds === 0) return 'an instant'
  if (seconds < 1) return 'less than 1 s'
  return seconds < 120 ? `about ${Math.round(seconds)} s` : `about ${Math.round(seconds / 60)} min`
}

function summary({ migrations, isNew, postgres }: PlacedPlan): string {
  const count = migrations.length === 1 ? '1 migration' : `${migrations.length} migrations`
  if (isNew) return `${count}. The database is empty, so nothing waits.`
  const hard = migrations.filter(({ expands }) => !expands).length
  const marks = hard === 0 ? 'All only add.' : `${hard} ${hard === 1 ? 'does' : 'do'} not only add.`
  const blocking = migrations
    .flatMap(({ tables }) => tables)
    .filter(({ blocks }) => blocks !== 'nothing')
    .reduce((sum, { seconds }) => sum + seconds, 0)
  const server =
    postgres.measured === postgres.database
      ? ''
      : ` Locks are those of PostgreSQL ${postgres.measured}; the server has ${postgres.database}.`
  return `${count}. ${marks} Requests wait for ${duration(blocking)}.${server}`
}

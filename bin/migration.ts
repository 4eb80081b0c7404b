/** `larder migration new`: writes a migration from the records of a module and its tables. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import type pg from 'pg'
import { loadSecrets } from '../kernel/runtime/index.ts'
import { checkFile, readSettings } from './composition.ts'
import { withDatabase } from './database.ts'
import { type Comparison, compare } from './migration/compare.ts'
import { readTables } from './migration/database.ts'
import { describeChange, migrationText } from './migration/file.ts'
import { type ModuleFiles, moduleFiles, recordTables } from './migration/module.ts'
import { recipeFile } from './recipe-file.ts'
import { printResult } from './shell.ts'

/** Two runs at once would write the same change twice. */
const LOCK = 'migration new'
const MAX_NAME_LENGTH = 60

export interface Written extends Comparison {
  /** Undefined if there was nothing to write. */
  readonly file: string | undefined
}
/** A migrated database, as `appliedMigrations` and `withOwner` of the service show it. */
export interface MigratedDatabase {
  appliedMigrations(): Promise<ReadonlyMap<string, readonly { readonly name: string }[]>>
  withOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  withLock<T>(name: string, work: () => Promise<T>): Promise<T>
}

export function migrationCommands(program: Command): void {
  program
    .command('migration')
    .description('write migrations')
    .command('new <module> <name>')
    .description("write a migration that adds what a module's records have and the database doesn't")
    .option('-r, --recipe <file>', 'recipe file, as in other commands')
    .action(async (module: string, name: string, { recipe }: { recipe?: string }) => {
      assertName(name)
      const settings = readSettings(process.env)
      const files = await moduleFiles(await checkFile(recipeFile(recipe, settings), process.env), module)
      const written = await withDatabase(settings, { secrets: () => loadSecrets(settings) }, ({ db }) =>
        writeMigration(db, files, name),
      )
      if (!written) throw new Error('There is no database yet. Run larder migrate first.')
      printResult(report(written, module))
      if (written.unwritten.length > 0) process.exitCode = 1
    })
}

/** Throws errors whose message the command line prints as it is. */
export async function writeMigration(database: MigratedDatabase, files: ModuleFiles, name: string): Promise<Written> {
  assertName(name)
  const tables = await recordTables(files)
  return database.withLock(LOCK, async () => {
    const number = await nextNumber(database, files, name)
    const known = await database.withOwner(client => readTables(client, tables))
    const comparison = compare(tables, known.tables)
    if (comparison.changes.length === 0) return { ...comparison, file: undefined }
    await mkdir(files.migrations, { recursive: true })
    const file = new URL(`${number}-${name}.${files.language}`, files.migrations)
    await writeFile(file, migrationText(comparison.changes, files.language, known.quote), { flag: 'wx' })
    return { ...comparison, file: fileURLToPath(file) }
  })
}

function assertName(name: string): void {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw new Error(
      `Invalid migration name '${name}'. Use lowercase letters, digits and hyphens, for example due-dates.`,
    )
  if (name.length > MAX_NAME_LENGTH)
    throw new Error(`Migration name '${name}' is longer than ${MAX_NAME_LENGTH} characters.`)
}

/** Throws an Error unless the database has exactly the migrations of the folder. */
async function nextNumber(
  database: MigratedDatabase,
  { name: module, migrations }: ModuleFiles,
  name: string,
): Promise<string> {
  const { migrationFiles } = await import('../services/postgres/connection.ts')
  const files = existsSync(migrations) ? await migrationFiles({ module, folder: migrations }) : []
  const names = files.map(file => file.name)
  const applied = await database.appliedMigrations()
  const done = (applied.get(module) ?? []).map(row => row.name)
  const [pending, unknown] = [names.filter(file => !done.includes(file)), done.filter(file => !names.includes(file))]
  if (applied.size === 0) throw new Error('This database has no tables of Larder yet. Run larder migrate first.')
  if (pending.length > 0)
    throw new Error(`The database lacks migrations of ${module}: ${pending.join(', ')}. Run larder migrate first.`)
  if (unknown.length > 0)
    throw new Error(
      `The database has migrations of ${module} without a file: ${unknown.join(', ')}. Restore the files, or use a database of this version of the module.`,
    )
  const same = names.find(file => file.slice(NUMBER_LENGTH + 1) === name)
  if (same) throw new Error(`Module ${module} already has a migration ${same}. Choose another name.`)
  const last = Number(names.at(-1)?.slice(0, NUMBER_LENGTH) ?? 0)
  return String(last + 1).padStart(NUMBER_LENGTH, '0')
}

const NUMBER_LENGTH = 4

function report({ file, changes, unwritten, leftovers }: Written, module: string): string {
  const written =
    file === undefined
      ? [
          unwritten.length > 0
            ? 'Wrote no migration.'
            : `No changes: the database has all that the records of ${module} need.`,
        ]
      : [
          `Created ${relative(process.cwd(), file)}:`,
          ...changes.map(change => `  ${describeChange(change)}`),
          'Review it, and run larder migrate.',
        ]
  return [
    ...written,
    ...section('To do by hand (docs/modules.md, Change a table)', unwritten),
    ...section('Left as it is', leftovers),
  ].join('\n')
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map(line => `  ${line}`)]

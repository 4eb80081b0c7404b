/** Finds the folder of a module's migrations, and the tables of its records. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { codeRoot, didYouMean, packageRoot } from '../../kernel/base/index.ts'
import { importFile } from '../../kernel/internal.ts'
import type { CheckedRecipe } from '../../kernel/recipe/index.ts'
import { type StoredTable, storedTables } from '../../kernel/records/index.ts'

export interface ModuleFiles {
  readonly name: string
  /** Its sources, which end with `/`. */
  readonly migrations: URL
  readonly records: readonly URL[]
  readonly language: 'ts' | 'js'
}

/** What it reads of a checked recipe. */
export interface Loaded extends Pick<CheckedRecipe, 'file' | 'failed'> {
  readonly modules: readonly Pick<CheckedRecipe['modules'][number], 'key' | 'module'>[]
}

/** Throws an Error whose message the command line prints as it is. */
export async function moduleFiles(checked: Loaded, name: string): Promise<ModuleFiles> {
  const failed = checked.failed.find(({ key }) => key === name)
  if (failed) throw new Error(`Module ${name} can't be loaded: ${failed.reason}`)
  const found = checked.modules.find(({ key }) => key === name)
  if (!found) {
    const names = checked.modules.map(({ key }) => key)
    const hint = didYouMean(name, names) ?? `It has ${names.join(', ')}.`
    throw new Error(`The recipe ${checked.file} has no module ${name}. ${hint}`)
  }
  const { migrations } = found.module
  if (!migrations)
    throw new Error(
      `Module ${name} has no migrations. Add \`migrations: new URL('./migrations/', import.meta.url)\` to its defineModule.`,
    )
  const loaded = new URL('./', migrations.href.endsWith('/') ? migrations : `${migrations.href}/`)
  const records = await recordFiles(new URL('../', loaded))
  const sources = sourcesOf(loaded, name)
  const isBuilt = sources.href !== loaded.href
  return { name, migrations: sources, records, language: !isBuilt && records[0]?.href.endsWith('.js') ? 'js' : 'ts' }
}

/** Modules that ship with Larder run from a build in its own repository. */
function sourcesOf(loaded: URL, name: string): URL {
  if (!loaded.href.startsWith(codeRoot.href)) {
    if (fileURLToPath(loaded).includes(`${sep}node_modules${sep}`))
      throw new Error(`Module ${name} is an installed package. Write its migrations in the repository of the package.`)
    return loaded
  }
  if (!existsSync(new URL('tsconfig.json', packageRoot)))
    throw new Error(`Module ${name} belongs to Larder, which adds its migrations. Store more in a module of your own.`)
  return new URL(loaded.href.slice(codeRoot.href.length), packageRoot)
}

const RECORDS_FOLDER = 'records'
const SOURCE = /\.[cm]?[tj]s$/
const NO_RECORDS = /\.d\.[cm]?ts$|\.test\.[cm]?[tj]s$/

/** `records.ts` and the files of `records/`, also those of a feature's folder. */
async function recordFiles(folder: URL): Promise<URL[]> {
  const root = fileURLToPath(folder)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile() && SOURCE.test(entry.name) && !NO_RECORDS.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name).slice(root.length))
    .filter(path => !path.split(sep).includes('node_modules'))
    .filter(path => path.split(sep).includes(RECORDS_FOLDER) || basename(path).replace(SOURCE, '') === RECORDS_FOLDER)
    .sort()
    .map(path => pathToFileURL(join(root, path)))
}

/** Throws an Error if the files export no table. */
export async function recordTables({ name, records }: ModuleFiles): Promise<StoredTable[]> {
  const exported: unknown[] = []
  for (const file of records) exported.push(...Object.values(await importFile(file)))
  const tables = storedTables(exported)
  if (tables.length === 0)
    throw new Error(
      `Module ${name} exports no table from records.ts or a file in records/. See docs/modules.md, Tables.`,
    )
  return tables
}

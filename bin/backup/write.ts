/** `larder backup`. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { formatSize, packageVersion } from '../../kernel/base/index.ts'
import { type ArchiveWriter, createArchive } from './archive-writer.ts'
import { errors } from './errors.ts'
import { createMeter, type Dump, type Installation, type StoredFiles, withInstallation } from './installation.ts'
import { type ArchiveHead, END_NAME, FORMAT, fileName, HEAD_NAME, rowsName, signedBy } from './manifest.ts'

export interface BackupOptions {
  readonly recipe?: string | undefined
  readonly withFiles: boolean
}
export interface MadeBackup {
  readonly file: string
  /** RFC 3339: the archive has what was committed then. */
  readonly at: string
  readonly rows: number
  /** Null if there are none by choice. */
  readonly files: number | null
  /** The size of the archive. */
  readonly bytes: number
}

interface NamedFile {
  readonly key: string
  readonly type: string
  readonly required: boolean
  readonly otherwise: string | null
}

/** @throws OperatorError of `errors` and of the database; nothing is left of an archive that fails. */
export async function backUp(target: string, { recipe, withFiles }: BackupOptions): Promise<MadeBackup> {
  const file = resolve(target)
  if (existsSync(file)) throw errors.backup_exists({ file })
  if (!existsSync(dirname(file))) throw errors.backup_folder_missing({ folder: dirname(file) })
  return withInstallation('larder backup', recipe, async installation => {
    const { connection, progress } = installation
    if (!(await connection.exists())) throw errors.backup_no_database()
    progress.step('connecting to the database')
    await connection.open()
    await connection.db.checkSecret()
    const made = await connection.db.dump(
      dump => writeArchive(file, dump, installation, withFiles),
      () => progress.step('waiting for a migration, a changed recipe or another backup to end'),
    )
    await connection.db.recordBackup(made.at)
    progress.done(`${made.rows} rows and ${made.files ?? 'no'} files of ${made.at} in ${formatSize(made.bytes)}`)
    return made
  })
}

async function writeArchive(
  file: string,
  dump: Dump,
  installation: Installation,
  withFiles: boolean,
): Promise<MadeBackup> {
  const { checked, secrets, progress, signal } = installation
  const { head: database } = dump
  const archive = await createArchive(file, new Date(database.at))
  try {
    const named = withFiles ? await namedFiles(dump, installation.files) : []
    const head: ArchiveHead = {
      format: FORMAT,
      version: packageVersion,
      recipe: { key: checked.product.key, name: checked.product.name },
      database,
      hasFiles: withFiles,
    }
    await addJson(archive, HEAD_NAME, head)
    const meterRows = createMeter(progress, database.bytes, percent => `rows, ${percent} %`)
    const rows = await addRows(archive, dump, size => {
      signal.throwIfAborted()
      meterRows(size)
    })
    const meter = createMeter(progress, named.length, percent => `files, ${percent} %`)
    let bytes = 0
    let files = 0
    for (const { module, stored, file } of named) {
      signal.throwIfAborted()
      const size = await addFile(archive, module, stored, file)
      bytes += size ?? 0
      files += size === undefined ? 0 : 1
      meter(1)
    }
    await addJson(archive, END_NAME, signedBy(secrets, { sha256: archive.digest(), rows, files, bytes }))
    await archive.close()
    return { file, at: database.at, rows, files: withFiles ? files : null, bytes: archive.size }
  } catch (error) {
    await archive.abandon()
    throw isFull(error) ? errors.backup_full({ file, folder: dirname(file) }, { cause: error }) : error
  }
}

/** The disk, or what this user may write to it. */
const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

async function addJson(archive: ArchiveWriter, name: string, value: object): Promise<void> {
  const content = Buffer.from(JSON.stringify(value))
  await archive.add({ name, size: content.length }, content)
}

async function addRows(archive: ArchiveWriter, dump: Dump, meter: (bytes: number) => void): Promise<number> {
  let total = 0
  for (const [index, table] of dump.head.schema.tables.entries()) {
    let chunks = 0
    await dump.copy(table, async (chunk, rows) => {
      await archive.add({ name: rowsName(index, table, ++chunks), size: chunk.length }, chunk)
      total += rows
      meter(chunk.length)
    })
  }
  return total
}

interface FileOf {
  readonly module: string
  readonly stored: StoredFiles
  readonly file: NamedFile
}

async function namedFiles(dump: Dump, modules: ReadonlyMap<string, StoredFiles>): Promise<FileOf[]> {
  const found: FileOf[] = []
  for (const [module, stored] of modules)
    for (const file of await dump.query<NamedFile>(stored.query)) found.push({ module, stored, file })
  return found
}

/** Returns the size, or undefined for a file that is missing and may be. */
async function addFile(
  archive: ArchiveWriter,
  module: string,
  stored: StoredFiles,
  { key, type, required, otherwise }: NamedFile,
): Promise<number | undefined> {
  const opened = (await stored.open(key)) ?? (otherwise === null ? undefined : await stored.open(otherwise))
  if (!opened) {
    if (required) throw errors.backup_file_missing({ key })
    return undefined
  }
  const { size, content } = opened
  await archive.add({ name: fileName(module, type, key), size }, content)
  return size
}

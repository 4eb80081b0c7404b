/** `larder restore`. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { formatSize, packageVersion } from '../../kernel/base/index.ts'
import { showProgress } from '../shell.ts'
import { type Unreadable, unreadableColumns, unreadableLines } from '../unreadable.ts'
import { contentOf, type ReadEntry, readArchive } from './archive-reader.ts'
import { errors } from './errors.ts'
import {
  type CopyRows,
  createMeter,
  freeBytes,
  type Installation,
  isOriginalSecret,
  type StoredFiles,
  unknownMigrations,
  withInstallation,
} from './installation.ts'
import {
  type ArchiveEnd,
  type ArchiveHead,
  END_NAME,
  type EntryName,
  FORMAT,
  HEAD_NAME,
  isSigned,
  readName,
} from './manifest.ts'

export interface RestoreFlags {
  readonly recipe?: string | undefined
  readonly rotatesSecret: boolean
  readonly keepsFiles: boolean
  readonly withFiles: boolean
}
export interface Contents {
  readonly version: string
  readonly product: string
  /** RFC 3339. */
  readonly at: string
  readonly tables: number
  readonly rows: number
  /** Null if there are none by choice. */
  readonly files: number | null
  /** The report as text. */
  readonly lines: readonly string[]
}
export interface Restored extends Contents {
  readonly unreadable: readonly Unreadable[]
}

interface Checked {
  readonly head: ArchiveHead
  readonly end: ArchiveEnd
  readonly files: readonly Extract<EntryName, { kind: 'file' }>[]
}

/** Reads the whole archive. @throws OperatorError `backup_truncated`, `backup_damaged` or `backup_newer` */
async function check(file: string, onRead: (bytes: number) => void): Promise<Checked> {
  let head: ArchiveHead | undefined
  let end: ArchiveEnd | undefined
  const files: Extract<EntryName, { kind: 'file' }>[] = []
  for await (const entry of readArchive(file, onRead)) {
    if (end) throw errors.backup_damaged({ file })
    if (!head) head = await readHead(file, entry)
    else if (entry.name === END_NAME) {
      end = await readJson<ArchiveEnd>(file, entry)
      if (end.sha256 !== entry.digestBefore) throw errors.backup_damaged({ file })
    } else {
      const name = readName(entry.name)
      if (!name) throw errors.backup_damaged({ file })
      if (name.kind === 'file') files.push(name)
    }
  }
  if (!head || !end) throw errors.backup_truncated({ file })
  return { head, end, files }
}

async function readHead(file: string, entry: ReadEntry): Promise<ArchiveHead> {
  if (entry.name !== HEAD_NAME) throw errors.backup_damaged({ file })
  const head = await readJson<ArchiveHead>(file, entry)
  if (head.format > FORMAT || isNewer(head.version, packageVersion))
    throw errors.backup_newer({ file, version: head.version, own: packageVersion })
  return head
}

async function readJson<T>(file: string, entry: ReadEntry): Promise<T> {
  const text = (await contentOf(entry)).toString('utf8')
  try {
    return JSON.parse(text) as T
  } catch (error) {
    throw errors.backup_damaged({ file }, { cause: error })
  }
}

/** Compares `1.2.3` and `1.3.0-beta.1` by their numbers. */
function isNewer(version: string, than: string): boolean {
  const numbers = (text: string) => (text.split(/[-+]/)[0] ?? '').split('.').map(Number)
  const [own, other] = [numbers(version), numbers(than)]
  for (let at = 0; at < 3; at++) {
    const [a = 0, b = 0] = [own[at], other[at]]
    if (a !== b) return a > b
  }
  return false
}

const contentsOf = ({ head, end }: Checked, lines: readonly string[]): Contents => ({
  version: head.version,
  product: head.recipe.name,
  at: head.database.at,
  tables: head.database.schema.tables.length,
  rows: end.rows,
  files: head.hasFiles ? end.files : null,
  lines,
})

const summaryOf = ({ head, end }: Checked): string[] => [
  `${head.recipe.name}, ${head.database.at}, made by Larder ${head.version} with PostgreSQL ${head.database.postgres}`,
  `${end.rows} rows in ${head.database.schema.tables.length} tables, ${
    head.hasFiles ? `${end.files} files of ${formatSize(end.bytes)}` : 'without files'
  }`,
]

/** Reads an archive and says what it contains. */
export async function checkArchive(target: string): Promise<Contents> {
  const file = resolve(target)
  const progress = await showProgress('larder restore')
  try {
    const meter = createMeter(progress, (await stat(file)).size, percent => `checking the archive, ${percent} %`)
    const checked = await check(file, meter)
    progress.done()
    return contentsOf(checked, summaryOf(checked))
  } catch (error) {
    progress.failed()
    throw error
  }
}

/** Writes nothing unless the archive is whole, belongs here and fits. An interrupted restore leaves the database empty. */
export async function restore(target: string, flags: RestoreFlags): Promise<Restored> {
  const file = resolve(target)
  const { size } = await stat(file)
  return withInstallation('larder restore', flags.recipe, async installation => {
    const { connection, progress, secrets } = installation
    const checked = await check(
      file,
      createMeter(progress, size, percent => `checking the archive, ${percent} %`),
    )
    const { head, end } = checked
    const isOriginal = isOriginalSecret(head.database, secrets)
    if (!isOriginal && !flags.rotatesSecret) throw errors.backup_other_secret({ file })
    if (isOriginal && !isSigned(end, secrets)) throw errors.backup_damaged({ file })
    const unknown = await unknownMigrations(installation, head.database.migrations)
    if (unknown.length > 0) throw errors.backup_migrations({ file, migrations: unknown.join(', ') })
    const files = flags.withFiles ? checked.files : []
    for (const { module } of files) if (!installation.files.has(module)) throw errors.backup_no_module({ module })
    progress.step('connecting to the database')
    await connection.open()
    await connection.db.assertRestorable(head.database)
    const existing = await existingFiles(installation, files, flags.keepsFiles)
    await assertRoom(installation, checked, files.length - existing.size)
    const written: { stored: StoredFiles; key: string }[] = []
    try {
      await connection.db.restore(
        head.database,
        copy =>
          write({ file, checked, installation, copy, size }, async (entry, { module, type, key }) => {
            if (!flags.withFiles || existing.has(`${module}/${key}`)) return
            const stored = installation.files.get(module) as StoredFiles
            written.push({ stored, key })
            await stored.write(key, entry.content, { mimeType: type })
          }),
        { onStep: progress.step, isNewSecret: !isOriginal },
      )
    } catch (error) {
      for (const { stored, key } of written) await stored.remove([key]).catch(() => undefined)
      throw error
    }
    const unreadable = isOriginal ? [] : await unreadableColumns(connection, installation.sealedColumns)
    progress.done(`restored ${end.rows} rows and ${files.length} files into ${connection.place}`)
    const lines = [...summaryOf(checked), ...afterwards(unreadable)]
    return { ...contentsOf(checked, lines), unreadable }
  })
}

const CONCURRENT_LOOKUPS = 16

interface Writing {
  readonly file: string
  readonly checked: Checked
  readonly installation: Installation
  readonly copy: CopyRows
  /** The size of the archive in bytes. */
  readonly size: number
}

async function write(
  { file, checked, installation, copy, size }: Writing,
  onFile: (entry: ReadEntry, name: Extract<EntryName, { kind: 'file' }>) => Promise<void>,
): Promise<void> {
  const { tables } = checked.head.database.schema
  const meter = createMeter(installation.progress, size, percent => `writing rows and files, ${percent} %`)
  const entries = readArchive(file, meter)
  const next = async (): Promise<ReadEntry | undefined> => {
    installation.signal.throwIfAborted()
    return (await entries.next()).value ?? undefined
  }
  try {
    // Skips the head.
    await next()
    let entry = await next()
    const nameOf = (found: ReadEntry | undefined) => (found ? readName(found.name) : undefined)
    const isOf = (found: ReadEntry | undefined, table: number) => {
      const name = nameOf(found)
      return name?.kind === 'rows' && name.table === table
    }
    while (entry && entry.name !== END_NAME) {
      const name = nameOf(entry)
      if (name?.kind === 'rows') {
        const { table } = name
        const described = tables[table]
        if (!described) throw errors.backup_damaged({ file })
        await copy(
          described,
          (async function* () {
            while (entry && isOf(entry, table)) {
              yield* entry.content
              entry = await next()
            }
          })(),
        )
      } else if (name?.kind === 'file') {
        await onFile(entry, name)
        entry = await next()
      } else throw errors.backup_damaged({ file })
    }
    // The file may have changed since it was checked.
    if (entry?.digestBefore !== checked.end.sha256) throw errors.backup_damaged({ file })
  } finally {
    await entries.return(undefined)
  }
}

/** The files of the backup that the storage already has, as `module/key`. */
async function existingFiles(
  { files }: Installation,
  named: Checked['files'],
  keeps: boolean,
): Promise<ReadonlySet<string>> {
  const existing = new Set<string>()
  for (let at = 0; at < named.length; at += CONCURRENT_LOOKUPS)
    await Promise.all(
      named.slice(at, at + CONCURRENT_LOOKUPS).map(async ({ module, key }) => {
        const stored = files.get(module) as StoredFiles
        if (!(await stored.has(key))) return
        if (!keeps) throw errors.backup_files_exist({ place: stored.place, key })
        existing.add(`${module}/${key}`)
      }),
    )
  return existing
}

/** Checks the folders of this machine that files are written to. The sizes of files that are kept count, too. */
async function assertRoom({ files }: Installation, { end }: Checked, count: number): Promise<void> {
  if (count === 0) return
  for (const { folder } of files.values()) {
    if (folder === undefined) continue
    const free = await freeBytes(folder)
    if (free < end.bytes) throw errors.backup_disk({ folder, left: formatSize(free), wanted: formatSize(end.bytes) })
  }
}

const afterwards = (unreadable: Restored['unreadable']): string[] => [
  ...(unreadable.length > 0 ? ['', 'The secret is another one.', ...unreadableLines(unreadable)] : []),
  '',
  'Start Larder. It sends no mail and no webhooks and runs no automations, because the original may have done it.',
  'If this installation takes the place of the original, run larder resume afterwards. A copy stays as it is.',
]

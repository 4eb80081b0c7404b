/** What both directions need: the recipe, the files of its modules, and the database, without a start. */
import type { Logger } from 'pino'
import { packageVersion } from '../../kernel/base/index.ts'
import type { Registrations, SealedColumn, Settings } from '../../kernel/internal.ts'
import type { CheckedRecipe } from '../../kernel/recipe/index.ts'
import { inspectRecipe, loadSecrets, migrationSets } from '../../kernel/runtime/index.ts'
import { type Connection, createConnection, migrationFiles } from '../../services/postgres/connection.ts'
import { checkFile, readSettings } from '../composition.ts'
import { toolLog } from '../log.ts'
import { recipeFile } from '../recipe-file.ts'
import { type Progress, showProgress } from '../shell.ts'
import { stopSignal } from '../stop.ts'

export {
  type CopyRows,
  type Dump,
  type DumpedTable,
  type DumpHead,
  freeBytes,
  isOriginalSecret,
} from '../../services/postgres/connection.ts'

export type StoredFiles = Registrations['storedFiles']

export interface Installation {
  readonly checked: CheckedRecipe
  readonly settings: Settings
  /** Accepted ones, newest first. */
  readonly secrets: readonly string[]
  readonly log: Logger
  /** By module. */
  readonly files: ReadonlyMap<string, StoredFiles>
  readonly sealedColumns: readonly SealedColumn[]
  readonly connection: Connection
  readonly progress: Progress
  /** Aborted by SIGTERM and SIGINT. */
  readonly signal: AbortSignal
}

/** Calls `work` with the database closed, and closes it afterwards. */
export async function withInstallation<T>(
  title: string,
  recipe: string | undefined,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const settings = readSettings(process.env)
  const checked = await checkFile(recipeFile(recipe, settings), process.env)
  const log = toolLog(settings.logLevel)
  const secrets = await loadSecrets(settings)
  const progress = await showProgress(title)
  const signal = stopSignal({ close: async () => {} })
  const connection = createConnection({
    settings: { ...settings, secrets },
    log,
    process: { role: 'tool', version: packageVersion, reload: false, connected: true, readOnly: false, signal },
  })
  try {
    return await inspectRecipe({ checked, settings, log }, async ({ registry }) =>
      work({
        checked,
        settings,
        secrets,
        log,
        connection,
        progress,
        signal,
        files: new Map(registry.collect<StoredFiles>('storedFiles').map(({ key, value }) => [key, value])),
        sealedColumns: registry.collect<readonly SealedColumn[]>('sealedColumns').flatMap(({ value }) => value),
      }),
    )
  } catch (error) {
    progress.failed()
    throw error
  } finally {
    await connection.close()
  }
}

/** Migrations that a database has applied and the installation has no file for, as `module/name`. */
export async function unknownMigrations({ checked }: Installation, applied: readonly string[]): Promise<string[]> {
  const unknown: string[] = []
  for (const set of migrationSets([...checked.services, ...checked.modules])) {
    const names = (await migrationFiles(set)).map(({ name }) => `${set.module}/${name}`)
    unknown.push(...applied.filter(name => name.startsWith(`${set.module}/`) && !names.includes(name)))
  }
  return unknown
}

const REPORT_INTERVAL_MS = 250
const PLAIN_STEP = 25

/** Reports a share of the work: often on a terminal, and every quarter elsewhere. */
export function createMeter(
  progress: Progress,
  total: number,
  step: (percent: number) => string,
): (done: number) => void {
  const isTerminal = process.stderr.isTTY && !process.env.CI
  let done = 0
  let shown = 0
  let shownAt = 0
  return added => {
    done += added
    const percent = total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))
    const isDue = isTerminal ? performance.now() - shownAt >= REPORT_INTERVAL_MS : percent >= shown + PLAIN_STEP
    if (!isDue) return
    shown = isTerminal ? percent : percent - (percent % PLAIN_STEP)
    shownAt = performance.now()
    progress.step(step(percent))
  }
}

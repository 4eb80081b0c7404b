import { type Dirent, type FSWatcher, watch as watchFolder } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../kernel/base/index.ts'
import { type CheckedRecipe, liveFolders } from '../kernel/recipe/index.ts'

/** Editors save a file in several steps, so a change counts after this pause. */
const DEBOUNCE_MS = 120
/** Names of files and folders that are neither read nor watched: dependencies, output, hidden and temporary files. */
const IGNORED = /^(\.|node_modules$|dist$)|~$|\.larder-/

type OnChange = (paths: readonly string[]) => Promise<void>

export interface Watcher {
  /** Watches these folders instead. */
  follow(folders: readonly string[]): void
  /** Calls `onChange` with the paths of changed files, one call at a time, from those changed before this call. */
  start(onChange: OnChange): void
  stop(): Promise<void>
}

/** Modification time, size and inode of each file. */
type Snapshot = ReadonlyMap<string, string>

/**
 * Returns the recipe's folder, which contains custom modules, and the project's theme folders outside of it. Projects
 * don't edit the shipped themes; only the recipes of a checkout of Larder watch them.
 */
export function foldersOf(file: string, checked: CheckedRecipe): string[] {
  const own = dirname(file)
  const larder = fileURLToPath(packageRoot)
  const isInProject = (theme: string) => isInside(larder, own) || !isInside(larder, theme)
  return [own, ...liveFolders(checked).filter(theme => !isInside(own, theme) && isInProject(theme))]
}

const isInside = (folder: string, path: string): boolean => !relative(folder, path).startsWith('..')

/** Returns true for files that a theme reads for each page. `theme.yaml` is read at the start only. */
export function isThemeFile(changed: string, folders: readonly string[]): boolean {
  const path = resolve(changed)
  return folders.some(folder => path.startsWith(folder + sep)) && basename(path) !== 'theme.yaml'
}

/**
 * A file system event only starts a comparison of all files with the previous comparison, so lost events and files saved
 * during `onChange` don't matter. One watch per folder: fs.watch with `recursive` and chokidar add one per file, and the
 * former enters `node_modules`.
 */
export async function watchFolders(folders: readonly string[]): Promise<Watcher> {
  let roots = folders
  let snapshots = new Map<string, Snapshot>()
  let debounce: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let onChange: OnChange | undefined

  const tree = createFolderTree(() => {
    clearTimeout(debounce)
    if (onChange) debounce = setTimeout(compareNext, DEBOUNCE_MS)
  })
  /** Returns the changed files. A folder without a previous snapshot has none. */
  const update = async (): Promise<string[]> => {
    const before = snapshots
    snapshots = await tree.read(roots)
    return [...snapshots].flatMap(([root, files]) => differences(before.get(root) ?? files, files)).sort()
  }
  const compare = async (): Promise<void> => {
    for (let paths = await update(); paths.length > 0 && onChange; paths = await update())
      await onChange(paths.map(path => relative(process.cwd(), path)))
  }
  const compareNext = () => {
    running = running.then(compare)
  }
  await update()
  return {
    follow(next) {
      roots = next
    },
    start(handler) {
      onChange = handler
      compareNext()
    },
    async stop() {
      onChange = undefined
      clearTimeout(debounce)
      await running
      tree.close()
    },
  }
}

/** Reads folders and keeps one watch on each folder that the last read found. */
function createFolderTree(onEvent: () => void) {
  const watches = new Map<string, { readonly inode: number; readonly watcher: FSWatcher }>()
  const remove = (folder: string) => {
    watches.get(folder)?.watcher.close()
    watches.delete(folder)
  }
  const add = (folder: string, inode: number) => {
    // Another inode is another folder that was moved to the same path.
    if (watches.get(folder)?.inode === inode) return
    remove(folder)
    // Windows reports the removal of a watched folder as an error.
    const watcher = watchFolder(folder, onEvent).on('error', () => remove(folder))
    watches.set(folder, { inode, watcher })
  }
  /** Watches first, so that a file saved during the read causes another one. */
  const list = async (folder: string) => {
    add(folder, (await stat(folder)).ino)
    return readdir(folder, { withFileTypes: true })
  }
  const readFolder = async (folder: string, files: Map<string, string>, folders: Set<string>): Promise<void> => {
    const entries = await list(folder).catch(ignoreInaccessible)
    if (!entries) return
    folders.add(folder)
    const read = async (entry: Dirent) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return readFolder(path, files, folders)
      const status = await stat(path).catch(ignoreInaccessible)
      if (status?.isFile()) files.set(path, `${status.mtimeMs} ${status.size} ${status.ino}`)
    }
    await Promise.all(entries.filter(entry => !IGNORED.test(entry.name)).map(read))
  }
  return {
    async read(roots: readonly string[]): Promise<Map<string, Snapshot>> {
      const snapshots = new Map<string, Snapshot>()
      const folders = new Set<string>()
      for (const root of roots) {
        const files = new Map<string, string>()
        await readFolder(root, files, folders)
        snapshots.set(root, files)
      }
      for (const folder of watches.keys()) if (!folders.has(folder)) remove(folder)
      return snapshots
    },
    close() {
      for (const folder of watches.keys()) remove(folder)
    },
  }
}

/** Returns the paths that were added, changed or removed. */
function differences(before: Snapshot, after: Snapshot): string[] {
  const changed = [...after.keys()].filter(path => before.get(path) !== after.get(path))
  return [...changed, ...[...before.keys()].filter(path => !after.has(path))]
}

/** Files can disappear between two calls, and a folder can belong to another user. */
function ignoreInaccessible(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'].includes(code)) throw error
}

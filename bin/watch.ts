import { type Dirent, type FSWatcher, type Stats, watch as watchFolder } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expandPattern, FileReadError, isPattern, packageRoot } from '../kernel/base/index.ts'
import { bundledSources, type RecipeSource, type Tree } from '../kernel/recipe/index.ts'

/** Editors save a file in several steps, so a change counts after this pause. */
const DEBOUNCE_MS = 120
/** Names in folders that are neither read nor watched: dependencies, output, hidden and temporary files. */
const IGNORED = /^(\.|node_modules$|dist$)|~$|\.larder-|\.log$/

type OnChange = (paths: readonly string[]) => Promise<void>

export interface Watcher {
  /** Watches these files, patterns of files, and folders with everything in them, instead. */
  follow(paths: readonly string[]): void
  /** Calls `onChange` with the paths of changed files, one call at a time, from those changed before this call. */
  start(onChange: OnChange): void
  stop(): Promise<void>
}

/** Modification time, size and inode of each file. */
type Snapshot = ReadonlyMap<string, string>

/**
 * Returns the files and folders that a recipe uses: its own files, patterns of included files, the files and folders that
 * its values name, the folders of modules with the sources that they import, and themes.
 * @param themes of the running product
 */
export function pathsOf({ file, tree, texts, patterns }: RecipeSource, themes: readonly string[]): string[] {
  const own = dirname(file)
  const named = tree ? namedPaths(tree).map(path => moduleFolder(path, own)) : []
  const paths = [file, ...texts.keys(), ...patterns, ...named, ...bundledSources(), ...themes]
  const larder = fileURLToPath(packageRoot)
  // Projects don't edit the shipped recipes and themes; only the recipes of a checkout of Larder watch them.
  return [...new Set(paths)].filter(path => isInside(larder, own) || !isInside(larder, path))
}

/** Values of the recipe that begin like a relative path, resolved against the file that contains them. */
function namedPaths(tree: Tree): string[] {
  if (tree.kind === 'map') return [...tree.entries.values()].flatMap(({ value }) => namedPaths(value))
  if (tree.kind === 'list') return tree.items.flatMap(namedPaths)
  const { value, place } = tree
  return typeof value === 'string' && /^\.{1,2}\/\S*$/.test(value) ? [resolve(dirname(place.file), value)] : []
}

/** Templates, texts and migrations of a module are beside its `module.ts`. */
const moduleFolder = (path: string, own: string): string =>
  /^module\.m?[jt]s$/.test(basename(path)) && dirname(path) !== own ? dirname(path) : path

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
export async function watchPaths(paths: readonly string[]): Promise<Watcher> {
  let roots = paths
  let snapshots = new Map<string, Snapshot>()
  let debounce: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let onChange: OnChange | undefined

  const tree = createFolderTree(() => {
    clearTimeout(debounce)
    if (onChange) debounce = setTimeout(compareNext, DEBOUNCE_MS)
  })
  /** Returns the changed files. A path without a previous snapshot has none. */
  const update = async (): Promise<string[]> => {
    const before = snapshots
    snapshots = await tree.read(roots)
    const changed = [...snapshots].flatMap(([root, files]) => differences(before.get(root) ?? files, files))
    // A file can be within a folder that is followed too.
    return [...new Set(changed)].sort()
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

/** Reads files and folders, and keeps one watch on each folder that the last read found. */
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
      if (status?.isFile()) files.set(path, signatureOf(status))
    }
    await Promise.all(entries.filter(entry => !IGNORED.test(entry.name)).map(read))
  }
  /** A file may be replaced or created later, so its folder is watched. */
  const readFile = async (file: string, files: Map<string, string>, folders: Set<string>): Promise<void> => {
    const folder = dirname(file)
    const status = await stat(folder).catch(ignoreInaccessible)
    if (!status) return
    add(folder, status.ino)
    folders.add(folder)
    const found = await stat(file).catch(ignoreInaccessible)
    if (found?.isFile()) files.set(file, signatureOf(found))
  }
  const readPattern = async (pattern: string, files: Map<string, string>, folders: Set<string>): Promise<void> => {
    const folder = dirname(pattern)
    // Also without a match.
    await readFile(pattern, files, folders)
    for (const name of matchesIn(folder, basename(pattern))) await readFile(join(folder, name), files, folders)
  }
  return {
    async read(roots: readonly string[]): Promise<Map<string, Snapshot>> {
      const snapshots = new Map<string, Snapshot>()
      const folders = new Set<string>()
      for (const root of roots) {
        const files = new Map<string, string>()
        const isFolder = (await stat(root).catch(ignoreInaccessible))?.isDirectory()
        const read = isFolder ? readFolder : isPattern(basename(root)) ? readPattern : readFile
        await read(root, files, folders)
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

function matchesIn(folder: string, pattern: string): readonly string[] {
  try {
    return expandPattern(folder, pattern)
  } catch (error) {
    // The folder is missing or can't be read.
    if (error instanceof FileReadError) return []
    throw error
  }
}

const signatureOf = ({ mtimeMs, size, ino }: Stats): string => `${mtimeMs} ${size} ${ino}`

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

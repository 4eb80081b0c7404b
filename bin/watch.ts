import { existsSync, type FSWatcher, watch as watchFolder } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { type CheckedRecipe, liveFolders } from '../kernel/recipe/index.ts'

/** Editors write a file in several steps: one change is told when it has been quiet for this long. */
const QUIET_MS = 120
const IGNORED = /(^|\/)(node_modules|\.git|\.larder|dist|\.build)(\/|$)|~$|\.sw[a-z]$|\.larder-/

export interface Watcher {
  /** Watches these folders instead. */
  follow(folders: readonly string[]): void
  stop(): Promise<void>
}

/** The folders that a recipe is made of: its own, where team modules stand too, and its theme's. */
export function foldersOf(file: string, checked: CheckedRecipe): string[] {
  const own = dirname(file)
  return [own, ...liveFolders(checked).filter(theme => relative(own, theme).startsWith('..'))]
}

/** Whether a changed file is one that a theme reads at each page. What `theme.yaml` extends is settled at the start. */
export function isOfTheme(changed: string, folders: readonly string[]): boolean {
  const path = resolve(changed)
  return folders.some(folder => path.startsWith(folder + sep)) && basename(path) !== 'theme.yaml'
}

/** Calls `onChange` with the paths of files that changed, one call after the other. */
export function watch(folders: readonly string[], onChange: (paths: readonly string[]) => Promise<void>): Watcher {
  let watchers: FSWatcher[] = []
  let quiet: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let waiting = new Set<string>()
  const changed = (folder: string, name: string | null) => {
    if (!name || IGNORED.test(name)) return
    waiting.add(join(relative(process.cwd(), folder), name))
    clearTimeout(quiet)
    quiet = setTimeout(() => {
      const paths = [...waiting]
      waiting = new Set()
      running = running.then(() => onChange(paths))
    }, QUIET_MS)
  }
  const close = () => {
    for (const watcher of watchers) watcher.close()
  }
  const follow = (next: readonly string[]) => {
    close()
    watchers = next
      .filter(folder => existsSync(folder))
      .map(folder => watchFolder(folder, { recursive: true }, (_, name) => changed(folder, name)))
  }
  follow(folders)
  return {
    follow,
    async stop() {
      clearTimeout(quiet)
      close()
      await running
    },
  }
}

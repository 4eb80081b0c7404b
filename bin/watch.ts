import { existsSync, type FSWatcher, watch as watchFolder } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { type CheckedRecipe, liveFolders } from '../kernel/recipe/index.ts'

/** Editors save a file in several steps, so a change counts after this pause. */
const DEBOUNCE_MS = 120
const IGNORED = /(^|\/)(node_modules|\.git|\.larder|dist|\.build)(\/|$)|~$|\.sw[a-z]$|\.larder-/

export interface Watcher {
  /** Watches these folders instead. */
  follow(folders: readonly string[]): void
  stop(): Promise<void>
}

/** Returns the recipe's folder, which contains custom modules, and the folders of its theme outside of it. */
export function foldersOf(file: string, checked: CheckedRecipe): string[] {
  const own = dirname(file)
  return [own, ...liveFolders(checked).filter(theme => relative(own, theme).startsWith('..'))]
}

/** Returns true for files that a theme reads for each page. `theme.yaml` is read at the start only. */
export function isThemeFile(changed: string, folders: readonly string[]): boolean {
  const path = resolve(changed)
  return folders.some(folder => path.startsWith(folder + sep)) && basename(path) !== 'theme.yaml'
}

/** Calls `onChange` with the paths of changed files, one call at a time. */
export function watch(folders: readonly string[], onChange: (paths: readonly string[]) => Promise<void>): Watcher {
  let watchers: FSWatcher[] = []
  let debounce: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let pending = new Set<string>()
  const changed = (folder: string, name: string | null) => {
    if (!name || IGNORED.test(name)) return
    pending.add(join(relative(process.cwd(), folder), name))
    clearTimeout(debounce)
    debounce = setTimeout(() => {
      const paths = [...pending]
      pending = new Set()
      running = running.then(() => onChange(paths))
    }, DEBOUNCE_MS)
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
      clearTimeout(debounce)
      close()
      await running
    },
  }
}

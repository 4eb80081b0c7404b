import { existsSync, type FSWatcher, watch as watchFolder } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { CheckedRecipe } from '../kernel/recipe/check.ts'

/** Editors write a file in several steps: one change is told when it has been quiet for this long. */
const QUIET_MS = 120
const IGNORED = /(^|\/)(node_modules|\.git|\.larder|dist|\.build)(\/|$)|~$|\.sw[a-z]$|\.larder-/

export interface Watcher {
  /** Watches these folders instead. */
  follow(folders: readonly string[]): void
  stop(): Promise<void>
}

/** The folders that a recipe is made of: its own, where team modules stand too, and its theme's. */
export function foldersOf(file: string, checked: Pick<CheckedRecipe, 'theme'>): string[] {
  const own = dirname(file)
  const theme = checked.theme.folder
  return [own, ...(relative(own, theme).startsWith('..') ? [theme] : [])]
}

/** Calls `onChange` with the path of a changed file, one call after the other. */
export function watch(folders: readonly string[], onChange: (path: string) => Promise<void>): Watcher {
  let watchers: FSWatcher[] = []
  let quiet: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const changed = (folder: string, name: string | null) => {
    if (!name || IGNORED.test(name)) return
    clearTimeout(quiet)
    quiet = setTimeout(() => {
      running = running.then(() => onChange(join(relative(process.cwd(), folder), name)))
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

/** A draft of a recipe comes from an assistant, and checking it runs the code of its modules. */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import type { MapTree } from '../../kernel/recipe/index.ts'

const PATH = /^(\.{1,2}(\/|$)|\/)/
/** A package, or a file in it. Excludes URLs, which would be imported as they are. */
const PACKAGE = /^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(\/[\w.~-]+)*$/i

/**
 * The `use` of modules and services that are neither in the folder `root`, nor an installed package, nor used by the
 * recipe as it is saved.
 */
export function foreignCode(draft: MapTree | undefined, root: string, saved: MapTree | undefined): string[] {
  const known = new Set(usesOf(saved).map(({ path }) => path))
  return usesOf(draft)
    .filter(({ use, path }) => !known.has(path) && !(PATH.test(use) ? isInside(root, path) : isPackage(use)))
    .map(({ use }) => use)
}

const isPackage = (use: string): boolean => PACKAGE.test(use) && !use.split('/').includes('..')

function usesOf(tree: MapTree | undefined): { use: string; path: string }[] {
  return ['modules', 'services'].flatMap(section => {
    const named = tree?.entries.get(section)?.value
    if (named?.kind !== 'map') return []
    return [...named.entries.values()].flatMap(({ value }) => {
      const use = value.kind === 'map' ? value.entries.get('use')?.value : undefined
      if (use?.kind !== 'scalar' || typeof use.value !== 'string') return []
      const path = PATH.test(use.value) ? resolve(dirname(use.place.file), use.value) : use.value
      return [{ use: use.value, path }]
    })
  })
}

/** A symbolic link counts as its target. */
function isInside(root: string, path: string): boolean {
  const [folder, file] = [root, path].map(each => (existsSync(each) ? realpathSync(each) : each)) as [string, string]
  return file === folder || file.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

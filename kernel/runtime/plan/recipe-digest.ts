/** Identifies what a start applies: the recipe, the files that it names, and the code of the product's modules. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint, packageVersion } from '../../base/index.ts'
import { type CheckedRecipe, type Path, pointer } from '../../recipe/index.ts'

/** `pages/home.md`; the path of a folder begins with `./` or `../`, as in `use`. */
const NAMES_A_FILE = /^(?:\.{1,2}\/.+|[^\s:]+\.[a-z0-9]{1,8})$/i
const MAX_NAME_LENGTH = 255

/**
 * Values of the environment don't count: processes of one recipe have different ones. The version of Larder does, because
 * a later one may apply the same recipe in another way.
 */
export function recipeDigest({ value, fromEnv, resolveFile }: CheckedRecipe): string {
  const files = new Map<string, string>()
  return fingerprint({ version: packageVersion, recipe: read(value, []), files: Object.fromEntries(files) })

  function read(part: unknown, path: Path): unknown {
    if (fromEnv.has(pointer(path))) return null
    if (typeof part === 'string' && part.length <= MAX_NAME_LENGTH && NAMES_A_FILE.test(part))
      addFile(part, resolveFile(path, part))
    if (Array.isArray(part)) return part.map((item, index) => read(item, [...path, index]))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, read(inner, [...path, key])]))
  }
  function addFile(name: string, file: string): void {
    if (!files.has(name) && existsSync(file)) files.set(name, contentDigest(file))
  }
}

function contentDigest(path: string): string {
  const hash = createHash('sha256')
  add(path)
  return hash.digest('base64url')

  function add(each: string): void {
    const stats = statSync(each)
    if (stats.isFile()) hash.update(readFileSync(each))
    if (!stats.isDirectory()) return
    for (const name of readdirSync(each).sort())
      if (!name.startsWith('.') && name !== 'node_modules') {
        hash.update(`${name}\n`)
        add(join(each, name))
      }
  }
}

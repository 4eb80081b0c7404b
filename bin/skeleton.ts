import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDERS = {
  tables: fileURLToPath(new URL('./skeleton/', import.meta.url)),
  collection: fileURLToPath(new URL('./skeleton-collection/', import.meta.url)),
}
const SUFFIX = '.txt'

/** A module with a table, a service and routes of its own, or one with a collection and hooks. */
export type SkeletonKind = keyof typeof FOLDERS

/**
 * Returns the files of a new module: path → text. Templates are `*.txt` files, so the compiler ignores them. In paths
 * and texts, `__name__` is replaced by the module's name, `__Name__` by its type and `__camel__` by its port.
 */
export async function skeleton(name: string, kind: SkeletonKind = 'tables'): Promise<Map<string, string>> {
  const folder = FOLDERS[kind]
  const camel = name.replace(/_+([a-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())
  const words = { __name__: name, __camel__: camel, __Name__: camel.charAt(0).toUpperCase() + camel.slice(1) }
  const fill = (text: string) =>
    Object.entries(words).reduce((filled, [word, value]) => filled.replaceAll(word, value), text)
  const templates = (await readdir(folder, { recursive: true })).filter(path => path.endsWith(SUFFIX)).sort()
  const files = templates.map(
    async path => [fill(path.slice(0, -SUFFIX.length)), fill(await readFile(join(folder, path), 'utf8'))] as const,
  )
  return new Map(await Promise.all(files))
}

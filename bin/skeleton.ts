import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('./skeleton/', import.meta.url))
const SUFFIX = '.txt'

/**
 * The files of a new module: path → text. The templates stand beside this file as `*.txt`, so that nothing compiles
 * them; `__name__` in them, also in a path, becomes the module's name, `__Name__` and `__camel__` the same as a type
 * and as a port.
 */
export async function skeleton(name: string): Promise<Map<string, string>> {
  const camel = name.replace(/_+([a-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())
  const words = { __name__: name, __camel__: camel, __Name__: camel.charAt(0).toUpperCase() + camel.slice(1) }
  const fill = (text: string) =>
    Object.entries(words).reduce((filled, [word, value]) => filled.replaceAll(word, value), text)
  const templates = (await readdir(FOLDER, { recursive: true })).filter(path => path.endsWith(SUFFIX)).sort()
  const files = templates.map(
    async path => [fill(path.slice(0, -SUFFIX.length)), fill(await readFile(join(FOLDER, path), 'utf8'))] as const,
  )
  return new Map(await Promise.all(files))
}

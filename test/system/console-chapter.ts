/** The files and commands of the chapter about screens in `docs/console.md`, as a team copies them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse, stringify } from 'yaml'
import { packageRoot } from '../../kernel/base/package-root.ts'

export interface Chapter {
  readonly files: ReadonlyMap<string, string>
  readonly commands: readonly string[]
}

const BLOCK = /(?:^ {4}.*\n(?:\n(?= {4}))*)+/gm
/** `// modules/catalog/module.ts`, above the content of the file. */
const FILE = /^(?:\/\/|#) ([\w./-]+\.(?:tsx?|json|yaml))\n/
const BEFORE_FILE = /^(?=(?:\/\/|#) [\w./-]+\.(?:tsx?|json|yaml)\n)/m

export async function readChapter(): Promise<Chapter> {
  const page = await readFile(new URL('docs/console.md', packageRoot), 'utf8')
  const [, chapter = ''] = /^## Screens of your modules\n(.*?)^## /ms.exec(page) ?? []
  const blocks = (chapter.match(BLOCK) ?? []).map(block => block.replaceAll(/^ {4}/gm, ''))
  const files = new Map<string, string>()
  const commands: string[] = []
  for (const part of blocks.flatMap(block => block.split(BEFORE_FILE))) {
    const [line = '', name] = FILE.exec(part) ?? []
    if (name === undefined) commands.push(part.trim())
    else files.set(name, part.slice(line.length))
  }
  return { files, commands }
}

const FORMATS: Readonly<Record<string, Format>> = {
  'tsconfig.json': JSON,
  // Texts stay texts when `${NAME:-}` in them is empty.
  'recipe.yaml': { parse, stringify: value => stringify(value, { defaultStringType: 'QUOTE_DOUBLE' }) },
}

/** Adds the lines of a block to a file that `larder init` wrote; writes any other file. */
export async function writeBlock(repository: string, name: string, content: string): Promise<void> {
  const path = join(repository, name)
  const format = FORMATS[name]
  await mkdir(dirname(path), { recursive: true })
  if (!format) return writeFile(path, content)
  const before = format.parse(await readFile(path, 'utf8'))
  const added = format.parse(content)
  const sections = Object.entries(added).map(([name, section]) => [name, { ...before[name], ...section }])
  await writeFile(path, format.stringify({ ...before, ...Object.fromEntries(sections) }))
}

interface Format {
  parse(text: string): Sections
  stringify(sections: Sections): string
}
type Sections = Readonly<Record<string, object>>

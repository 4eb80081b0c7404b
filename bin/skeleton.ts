/** The files of a new module: those of a base, and those of parts that are added to it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folderOf = (name: string) => fileURLToPath(new URL(`./${name}/`, import.meta.url))
const BASES = {
  /** A table, a service and routes of its own. */
  tables: folderOf('skeleton'),
  collection: folderOf('skeleton-collection'),
  bare: folderOf('skeleton-bare'),
}
const PARTS_FOLDER = folderOf('skeleton-parts')
const SUFFIX = '.txt'
/** Tests of a part, which are appended to those of the base. */
const PART_TEST = 'test.js'

interface Part {
  /** Ports, by the base. */
  needs(base: Base): readonly string[]
  readonly imports: string
  /** Fields of `defineModule`. */
  readonly fields: readonly string[]
  /** Modules that the recipe needs. */
  readonly modules: readonly string[]
  /** Whether each base has files of its own. */
  readonly variesByBase?: true
}
const PARTS = {
  listener: {
    needs: base => (base === 'bare' ? ['mailer'] : ['mailer', 'people']),
    imports: "import { listeners } from './listeners.ts'",
    fields: ['listeners,', "emails: new URL('./emails/', import.meta.url),"],
    modules: ['comms'],
    variesByBase: true,
  },
  job: { needs: () => ['log'], imports: "import { jobs } from './jobs.ts'", fields: ['jobs,'], modules: [] },
  page: {
    needs: () => [],
    imports: "import { pages } from './pages/start.ts'",
    fields: [
      'pages,',
      "templates: new URL('./templates/', import.meta.url),",
      "locales: new URL('./locales/', import.meta.url),",
    ],
    modules: [],
  },
} as const satisfies Record<string, Part>
export type Base = keyof typeof BASES
export type PartName = keyof typeof PARTS
export const partNames = Object.keys(PARTS) as PartName[]

export interface Shape {
  readonly base: Base
  readonly parts: readonly PartName[]
}
export const PLAIN: Shape = { base: 'tables', parts: [] }

/** The modules that a recipe needs beside a module of this shape. */
export const neededModules = ({ base, parts }: Shape): string[] => [
  ...(base === 'collection' ? ['collections'] : []),
  ...parts.flatMap(part => PARTS[part].modules),
]

/**
 * Returns the files of a new module: path → text. Templates are `*.txt` files, so the compiler ignores them. In paths
 * and texts, `__name__` is replaced by the module's name, `__Name__` by its type and `__camel__` by its port.
 */
export async function skeleton(name: string, shape: Shape = PLAIN): Promise<Map<string, string>> {
  const camel = name.replace(/_+([a-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())
  const words = { __name__: name, __camel__: camel, __Name__: camel.charAt(0).toUpperCase() + camel.slice(1) }
  const fill = (text: string) =>
    Object.entries(words).reduce((filled, [word, value]) => filled.replaceAll(word, value), text)
  const files = await read(BASES[shape.base])
  for (const part of shape.parts) await add(files, part, shape.base)
  return new Map([...files].map(([path, text]) => [fill(path), fill(text)]))
}

async function read(folder: string): Promise<Map<string, string>> {
  const templates = (await readdir(folder, { recursive: true })).filter(path => path.endsWith(SUFFIX)).sort()
  const files = templates.map(
    async path => [path.slice(0, -SUFFIX.length), await readFile(join(folder, path), 'utf8')] as const,
  )
  return new Map(await Promise.all(files))
}

async function add(files: Map<string, string>, name: PartName, base: Base): Promise<void> {
  const part: Part = PARTS[name]
  for (const [path, text] of await read(join(PARTS_FOLDER, part.variesByBase ? `${name}-${base}` : name))) {
    if (path === PART_TEST) edit(files, '__name__.test.js', tests => `${withModules(tests, part.modules)}\n${text}`)
    else if (files.has(path)) edit(files, path, before => mergeTexts(before, text))
    else files.set(path, text)
  }
  edit(files, 'module.ts', module => declare(module, part, base))
}

function edit(files: Map<string, string>, path: string, change: (text: string) => string): void {
  files.set(path, change(files.get(path) ?? ''))
}

const withModules = (tests: string, modules: readonly string[]): string =>
  tests.replace('identity: {}', ['identity', ...modules].map(module => `${module}: {}`).join(', '))

/** Translations of both files, in one order. */
function mergeTexts(before: string, more: string): string {
  const [comment = '', ...lines] = before.trimEnd().split('\n')
  const texts = new Set([...lines, ...more.trimEnd().split('\n').slice(1)])
  return `${[comment, ...[...texts].sort()].join('\n')}\n`
}

/** Adds a part to the text of `defineModule`. */
function declare(module: string, part: Part, base: Base): string {
  const [first = '', ...lines] = module.split('\n')
  const isImport = (line: string) => line.startsWith('import ')
  const pathOf = (line: string) => line.slice(line.indexOf("'"))
  const imports = [...lines.filter(isImport), part.imports].sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1))
  const rest = lines.filter(line => !isImport(line)).join('\n')
  const [, listed = ''] = /^ {2}needs: \[(.*)\],$/m.exec(rest) ?? []
  const needs = [...new Set([...listed.split(', ').filter(Boolean), ...part.needs(base).map(port => `'${port}'`)])]
  const needed = `  needs: [${needs.sort().join(', ')}],\n`
  const body = rest.replace(/^ {2}needs: .*\n/m, '')
  const withNeeds = needs.length === 0 ? body : body.replace(/^ {2}summary: .*\n/m, summary => summary + needed)
  const fields = part.fields.filter(field => !withNeeds.includes(field)).map(field => `  ${field}\n`)
  return [first, ...imports, withNeeds.replace(/\}\)\n$/, `${fields.join('')}})\n`)].join('\n')
}

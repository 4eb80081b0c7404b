/** Where a theme's files stand, and what its `theme.yaml` says. A theme that extends another brings what differs. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import { packageRoot } from '../root.ts'
import { TemplateError, type TemplateProblem } from './engine.ts'

/** What `theme.yaml` of one folder says. */
export interface ThemeFile {
  readonly file: string
  /** A theme that ships, or a path beside this one; undefined for a theme that stands alone. */
  readonly extends: string | undefined
  readonly tokens: Readonly<Record<string, string>>
  /** In place of the tokens for people whose system is dark. */
  readonly dark: Readonly<Record<string, string>>
  /** Layout → the pages that stand in it: `identity.sign_in`, or `identity.*`. */
  readonly layouts: Readonly<Record<string, readonly string[]>>
  /** Line on which a key stands, e.g. `tokens.accent`. */
  line(key: string): number
}

const SHIPPED = fileURLToPath(new URL('themes/', packageRoot))
/** Themes that extend each other; more is a mistake. */
const DEEPEST = 8
const KEYS = new Set(['name', 'extends', 'tokens', 'dark', 'layouts'])
const MAPS = ['tokens', 'dark', 'layouts'] as const

/** The theme's own folder, then those that it extends, nearest first. Throws a TemplateError. */
export function themeChain(folder: string): { readonly folders: readonly string[]; readonly files: ThemeFile[] } {
  const folders: string[] = []
  const files: ThemeFile[] = []
  let next: string | undefined = folder
  while (next !== undefined) {
    const file: ThemeFile = readThemeFile(next)
    folders.push(next)
    files.push(file)
    const parent: string | undefined = file.extends && parentOf(next, file.extends)
    const refuse = (message: string) => refused(file.file, file.line('extends'), message)
    if (parent !== undefined && !isFolder(parent)) throw refuse(`there is no theme ${parent} to extend`)
    if (parent !== undefined && (folders.includes(parent) || folders.length === DEEPEST))
      throw refuse('these themes extend each other in a circle')
    next = parent
  }
  return { folders, files }
}

const parentOf = (folder: string, name: string): string =>
  name.startsWith('.') ? resolve(folder, name) : resolve(SHIPPED, name)
const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/** The first folder that has the file. */
export function findFile(folders: readonly string[], ...path: readonly string[]): string | undefined {
  return folders.map(folder => join(folder, ...path)).find(file => existsSync(file))
}

/** Every `*.hbs` in `sub`: name without the ending → file of the nearest folder. */
export function templatesIn(folders: readonly string[], sub: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const folder of folders.map(folder => join(folder, sub)).filter(isFolder))
    for (const name of readdirSync(folder).sort())
      if (name.endsWith('.hbs') && !found.has(name.slice(0, -4))) found.set(name.slice(0, -4), join(folder, name))
  return found
}

/** Without the byte order mark that some editors write. */
export const readTemplate = (file: string): string => readFileSync(file, 'utf8').replace(/^\uFEFF/, '')

function readThemeFile(folder: string): ThemeFile {
  const file = join(folder, 'theme.yaml')
  if (!existsSync(file)) throw refused(file, 1, 'a theme has a theme.yaml: this folder has none')
  const lines = new LineCounter()
  const document = parseDocument(readTemplate(file), {
    lineCounter: lines,
    logLevel: 'error',
    maxAliasCount: 0,
  } as object)
  const [broken] = document.errors
  if (broken) throw refused(file, lines.linePos(broken.pos[0]).line, broken.message.split('\n')[0] as string)
  const places = new Map<string, number>()
  const note = (node: unknown, prefix: string): void => {
    if (!isMap(node)) return
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue
      places.set(`${prefix}${key.value}`, lines.linePos(key.range?.[0] ?? 0).line)
      note(value, `${prefix}${key.value}.`)
    }
  }
  note(document.contents, '')
  const values = (document.toJS() ?? {}) as Record<string, unknown>
  const line = (key: string) => places.get(key) ?? 1
  const faults = [...mistakes(values)].map(([key, message]) => ({ file, line: line(key), column: 1, message }))
  if (faults.length > 0) throw new TemplateError(faults)
  const texts = (map: unknown) =>
    Object.fromEntries(Object.entries((map ?? {}) as object).map(([name, value]) => [name, String(value)]))
  const layouts = (values.layouts ?? {}) as ThemeFile['layouts']
  return {
    file,
    extends: values.extends as string | undefined,
    tokens: texts(values.tokens),
    dark: texts(values.dark),
    layouts,
    line,
  }
}

function* mistakes(values: Readonly<Record<string, unknown>>): Generator<[key: string, message: string]> {
  for (const key of Object.keys(values))
    if (!KEYS.has(key)) yield [key, `there is no '${key}' in a theme.yaml: ${[...KEYS].join(', ')}`]
  for (const key of ['name', 'extends'])
    if (values[key] !== undefined && typeof values[key] !== 'string') yield [key, `${key} is a text`]
  for (const key of MAPS) if (values[key] !== undefined && !isFields(values[key])) yield [key, `${key} is a map`]
  for (const [name, pages] of Object.entries(isFields(values.layouts) ? values.layouts : {}))
    if (!Array.isArray(pages) || pages.some(page => typeof page !== 'string'))
      yield [`layouts.${name}`, `write the pages that stand in ${name} as a list: [identity.sign_in, forms.*]`]
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const refused = (file: string, line: number, message: string): TemplateError => {
  const problem: TemplateProblem = { file, line, column: 1, message }
  return new TemplateError([problem])
}

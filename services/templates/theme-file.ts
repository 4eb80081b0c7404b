/** Locates a theme's files and reads its `theme.yaml`. A theme that extends another contains only the differences. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { didYouMean, isRecord } from '@larder-dev/larder/kernel'
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import { TemplateError, type TemplateProblem } from './engine.ts'
import { THEMES } from './shipped.ts'

/** The content of one `theme.yaml`. */
export interface ThemeFile {
  readonly file: string
  /** The name of a shipped theme, or a relative path; undefined for a theme that extends none. */
  readonly extends: string | undefined
  readonly tokens: Readonly<Record<string, string>>
  /** Overrides of `tokens` for the dark color scheme. */
  readonly dark: Readonly<Record<string, string>>
  /** Layout → the pages that use it: `identity.sign_in`, or `identity.*`. */
  readonly layouts: Readonly<Record<string, readonly string[]>>
  /** Returns the location of a key, for example `tokens.accent`. */
  place(key: string): Spot
}
/** Line and column start at 1. */
export interface Spot {
  readonly line: number
  readonly column: number
}
const START: Spot = { line: 1, column: 1 }

const MAX_DEPTH = 8
const KEYS = new Set(['name', 'extends', 'tokens', 'dark', 'layouts'])
const MAPS = ['tokens', 'dark', 'layouts'] as const

/** Returns the theme's own folder, then those that it extends, nearest first. Throws a TemplateError. */
export function themeChain(folder: string): { readonly folders: readonly string[]; readonly files: ThemeFile[] } {
  const folders: string[] = []
  const files: ThemeFile[] = []
  let next: string | undefined = folder
  while (next !== undefined) {
    const file: ThemeFile = readThemeFile(next)
    folders.push(next)
    files.push(file)
    const parent: string | undefined = file.extends && parentOf(next, file.extends)
    const refuse = (message: string) => refused(file.file, file.place('extends'), message)
    if (parent !== undefined && !isFolder(parent)) throw refuse(noParent(file.extends as string, parent))
    if (parent !== undefined && (folders.includes(parent) || folders.length === MAX_DEPTH))
      throw refuse('these themes extend each other in a cycle')
    next = parent
  }
  return { folders, files }
}

const parentOf = (folder: string, name: string): string =>
  name.startsWith('.') ? resolve(folder, name) : resolve(THEMES, name)
const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

function noParent(name: string, folder: string): string {
  if (name.startsWith('.')) return `unknown theme ${folder} in extends`
  const hint = didYouMean(name, readdirSync(THEMES)) ?? 'refer to a theme beside this one by its path: ../base'
  return `unknown theme "${name}" in extends: ${hint}`
}

/** Returns the file from the first folder that has it. */
export function findFile(folders: readonly string[], ...path: readonly string[]): string | undefined {
  return folders.map(folder => join(folder, ...path)).find(file => existsSync(file))
}

/** Every `*.hbs` in `sub`: name without extension → file of the nearest folder. */
export function templatesIn(folders: readonly string[], sub: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const folder of folders.map(folder => join(folder, sub)).filter(isFolder))
    for (const name of readdirSync(folder).sort())
      if (name.endsWith('.hbs') && !found.has(name.slice(0, -4))) found.set(name.slice(0, -4), join(folder, name))
  return found
}

/** Strips the byte order mark that some editors write. */
export const readTemplate = (file: string): string => readFileSync(file, 'utf8').replace(/^\uFEFF/, '')

/** Throws for a directory and for a file without read permission. */
function textOf(file: string): string {
  try {
    return readTemplate(file)
  } catch (error) {
    throw refused(file, START, `can't read this file: ${(error as Error).message}`)
  }
}

function readThemeFile(folder: string): ThemeFile {
  const file = join(folder, 'theme.yaml')
  if (!existsSync(file)) throw refused(file, START, 'this folder has no theme.yaml')
  const { values, place } = parseThemeFile(file)
  const faults = [...errorsIn(values)].map(([key, message]) => ({ file, ...place(key), message }))
  if (faults.length > 0) throw new TemplateError(faults)
  const toStrings = (map: unknown) =>
    Object.fromEntries(Object.entries((map ?? {}) as object).map(([name, value]) => [name, String(value)]))
  return {
    file,
    extends: values.extends as string | undefined,
    tokens: toStrings(values.tokens),
    dark: toStrings(values.dark),
    layouts: (values.layouts ?? {}) as ThemeFile['layouts'],
    place,
  }
}

/** Returns the content of the file and the location of each key. Throws a TemplateError. */
function parseThemeFile(file: string): { values: Readonly<Record<string, unknown>>; place: ThemeFile['place'] } {
  const lines = new LineCounter()
  const spot = (at: number): Spot => {
    const { line, col } = lines.linePos(at)
    return { line, column: col }
  }
  const options = { lineCounter: lines, logLevel: 'error', maxAliasCount: 0 } as object
  const document = parseDocument(textOf(file), options)
  const [broken] = document.errors
  if (broken)
    throw refused(file, spot(broken.pos[0]), (broken.message.split('\n')[0] as string).replace(/ at line.*/, ''))
  const places = new Map<string, Spot>()
  const note = (node: unknown, prefix: string): void => {
    if (!isMap(node)) return
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue
      places.set(`${prefix}${key.value}`, spot(key.range?.[0] ?? 0))
      note(value, `${prefix}${key.value}.`)
    }
  }
  note(document.contents, '')
  const values: unknown = document.toJS() ?? {}
  if (!isRecord(values)) throw refused(file, START, `a theme.yaml must be a map of ${[...KEYS].join(', ')}`)
  return { values, place: key => places.get(key) ?? START }
}

function* errorsIn(values: Readonly<Record<string, unknown>>): Generator<[key: string, message: string]> {
  for (const key of Object.keys(values))
    if (!KEYS.has(key))
      yield [key, `unknown key '${key}' in a theme.yaml: ${didYouMean(key, [...KEYS]) ?? [...KEYS].join(', ')}`]
  for (const key of ['name', 'extends'])
    if (values[key] !== undefined && typeof values[key] !== 'string') yield [key, `${key} must be text`]
  for (const key of MAPS) if (values[key] !== undefined && !isRecord(values[key])) yield [key, `${key} must be a map`]
  for (const part of ['tokens', 'dark'] as const)
    for (const [name, value] of Object.entries(isRecord(values[part]) ? values[part] : {}))
      if (typeof value !== 'string' && typeof value !== 'number')
        yield [`${part}.${name}`, `the token '${name}' has no valid CSS value: put colors in quotes, "#2457ff"`]
  for (const [name, pages] of Object.entries(isRecord(values.layouts) ? values.layouts : {}))
    if (!Array.isArray(pages) || pages.some(page => typeof page !== 'string'))
      yield [`layouts.${name}`, `the pages with the layout ${name} must be a list: [identity.sign_in, forms.*]`]
}

/** @param at a line, or its column too. */
export const refused = (file: string, at: number | Spot, message: string): TemplateError => {
  const place = typeof at === 'number' ? { line: at, column: 1 } : at
  const problem: TemplateProblem = { file, ...place, message }
  return new TemplateError([problem])
}

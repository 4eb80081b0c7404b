/** Finds the template of a page and reads its front matter. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRecord, originOf } from '@larder-dev/larder/kernel'
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import type { TemplateSource } from './engine.ts'
import { readTemplate, refused, type Spot } from './theme-file.ts'

/** Name in the template → query or form, as the registration `pageData` reads it. */
export type PageRequests = Readonly<Record<string, unknown>>
export interface PageFile extends TemplateSource {
  /** From the front matter `---\nlayout: focus\n---`, if any. */
  readonly layout: string | undefined
  /** A template that replaces the page's title: `{{course.title}}`. */
  readonly title: TemplateSource | undefined
  readonly queries: PageRequests
  readonly forms: PageRequests
  /** Origins of the sites that may show the page in a frame. */
  readonly embed: readonly string[]
  /** The location of a query or a form in the file. @param key of the front matter. */
  placeOf(key: string, name: string): Spot
}

const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m

/**
 * Returns `pages/<module>.<name>.hbs` of the nearest theme that has it, else `<name>.hbs` of the module. In each folder,
 * `<name>.<locale>.hbs` takes precedence.
 */
export function findPage(
  folders: readonly string[],
  { name, templates }: { readonly name: string; readonly templates?: URL },
  locale: string,
): string {
  const own = name.slice(name.indexOf('.') + 1)
  const places = [
    ...folders.map(folder => join(folder, 'pages', name)),
    ...(templates ? [fileURLToPath(new URL(own, templates))] : []),
  ]
  const files = places.flatMap(place => [`${place}.${locale}.hbs`, `${place}.hbs`])
  return files.find(file => existsSync(file)) ?? (files.at(-1) as string)
}

/** Throws a TemplateError. */
export function readPage(file: string): PageFile {
  if (!existsSync(file)) throw refused(file, 1, 'this template does not exist')
  const text = readTemplate(file)
  const [whole, yaml = ''] = text.startsWith('---') ? (FRONT_MATTER.exec(text) ?? []) : []
  if (whole === undefined)
    return { file, text, layout: undefined, title: undefined, queries: {}, forms: {}, embed: [], placeOf: () => START }
  const lines = new LineCounter()
  const document = parseDocument(yaml, { logLevel: 'error', maxAliasCount: 0, lineCounter: lines } as object)
  const values: unknown = document.errors.length > 0 ? undefined : document.toJS()
  if (!isFrontMatter(values))
    throw refused(
      file,
      2,
      'the front matter of a page may only contain layout, title, data, forms and embed: layout: focus',
    )
  const { layout, title, data: queries = {}, forms = {}, embed = [] } = values
  const origins = embed.map(
    site =>
      originOf(site) ?? refuse(file, lineOf('embed'), `embed needs sites such as https://shop.example, not "${site}"`),
  )
  const body = { file, text: text.slice(whole.length), line: whole.split('\n').length }
  return {
    ...body,
    layout: layout ?? (origins.length > 0 ? FRAME_LAYOUT : undefined),
    title: title === undefined ? undefined : { file, text: title, line: lineOf('title'), plain: true },
    queries,
    forms,
    embed: origins,
    placeOf,
  }

  /** The line of a key of the front matter, which begins in the second line of the file. */
  function lineOf(key: keyof FrontMatter): number {
    return 2 + yaml.split('\n').findIndex(row => row.startsWith(`${key}:`))
  }

  function placeOf(key: string, name: string): Spot {
    const requests = document.get(key)
    const pair = isMap(requests) ? requests.items.find(({ key }) => isScalar(key) && key.value === name) : undefined
    const range = isScalar(pair?.key) ? pair.key.range : undefined
    if (!range) return START
    const { line, col } = lines.linePos(range[0])
    // The front matter begins in the second line.
    return { line: line + 1, column: col }
  }
}
/** The layout without menus, for pages that other sites show. */
const FRAME_LAYOUT = 'frame'
const START: Spot = { line: 1, column: 1 }

interface FrontMatter {
  layout?: string
  title?: string
  data?: PageRequests
  forms?: PageRequests
  embed?: readonly string[]
}

function refuse(...place: Parameters<typeof refused>): never {
  throw refused(...place)
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isText)
const KEYS: Readonly<Record<keyof FrontMatter, (value: unknown) => boolean>> = {
  layout: isText,
  title: isText,
  data: isRecord,
  forms: isRecord,
  embed: isTextList,
}

const isFrontMatter = (values: unknown): values is FrontMatter =>
  isRecord(values) &&
  Object.entries(values).every(([key, value]) => Object.hasOwn(KEYS, key) && KEYS[key as keyof FrontMatter](value))

/** The documentation that is part of the package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { byCodeUnits, packageRoot } from '../../kernel/base/index.ts'

const FOLDER = new URL('docs/', packageRoot)
const MAX_RESULTS = 8
/** Characters of a section that a search result shows. */
const EXCERPT_LENGTH = 400

export interface DocsPage {
  /** Path below `docs/`, without its ending: `billing`, `reference/module-contract`. */
  readonly page: string
  readonly title: string
}

export const docsPages = (): DocsPage[] =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.md'))
    .sort(byCodeUnits)
    .map(path => ({ page: path.slice(0, -3), title: titleOf(textOf(path)) }))

/** Markdown; undefined for an unknown page. */
export function docsPage(page: string): string | undefined {
  return docsPages().some(known => known.page === page) ? textOf(`${page}.md`) : undefined
}

/** The page of a module; undefined for a team's module. */
export const pageOfModule = (module: string): string | undefined =>
  /^[a-z_]+$/.test(module) && existsSync(new URL(`${module}.md`, FOLDER)) ? module : undefined

const textOf = (path: string): string => readFileSync(new URL(path, FOLDER), 'utf8')
const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? ''

export interface DocsResult extends DocsPage {
  readonly heading: string
  readonly excerpt: string
}

/** The sections that contain most of the words; a word in a heading counts more. */
export function searchDocs(query: string): DocsResult[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? [])]
  const score = ({ heading, title, excerpt }: DocsResult): number =>
    words.reduce((sum, word) => {
      const inHeading = `${title} ${heading}`.toLowerCase().includes(word)
      return sum + (inHeading ? 3 : excerpt.toLowerCase().includes(word) ? 1 : 0)
    }, 0)
  return docsPages()
    .flatMap(sectionsOf)
    .map(section => ({ section, score: score(section) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.excerpt, words) }))
}

const HEADING = /^(#{2,3}) (.+)$/gm

/** Headings of the second and third level. */
export const sectionNames = (text: string): string[] => [...text.matchAll(HEADING)].map(([, , name = '']) => name)

/** The heading and the text below it, with its subsections; undefined without that heading. */
export function sectionText(text: string, name: string): string | undefined {
  const headings = [...text.matchAll(HEADING)]
  const at = headings.findIndex(([, , heading]) => heading === name)
  if (at < 0) return undefined
  const level = headings[at]?.[1]?.length ?? 0
  const next = headings.slice(at + 1).find(([, marks = '']) => marks.length <= level)
  return text.slice(headings[at]?.index, next?.index).trimEnd()
}

const sectionsOf = ({ page, title }: DocsPage): DocsResult[] =>
  textOf(`${page}.md`)
    .split(/^#{2,3} /m)
    .map((text, index) => {
      const heading = index === 0 ? '' : (text.split('\n', 1)[0] ?? '')
      return { page, title, heading, excerpt: text.slice(heading.length).trim() }
    })

/** Begins shortly before the first word. */
function excerptOf(text: string, words: readonly string[]): string {
  const low = text.toLowerCase()
  const first = Math.min(...words.map(word => low.indexOf(word)).filter(at => at >= 0), text.length)
  const from = first < EXCERPT_LENGTH / 2 || first === text.length ? 0 : text.lastIndexOf(' ', first - 80) + 1
  const cut = text.slice(from, from + EXCERPT_LENGTH)
  return `${from > 0 ? '… ' : ''}${cut}${from + EXCERPT_LENGTH < text.length ? ' …' : ''}`
}

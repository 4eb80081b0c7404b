/** The front matter of a mail template: YAML between two lines of `---`. */
import { Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import type { Data, TemplateProblem } from './engine.ts'

export interface FrontMatter {
  readonly subject: string
  readonly preheader: string | undefined
  readonly category: 'transactional' | 'marketing' | undefined
  /** Whether tenants may send it by API. */
  readonly sendable: boolean | undefined
  /** Data for a preview. */
  readonly sample: Data | undefined
  /** Returns the line of the file that contains a key. */
  line(key: string): number
  readonly body: string
  /** Line of the file where the body begins. */
  readonly bodyLine: number
}

/** Data that every mail has. */
export const RESERVED_NAMES = ['product', 'locale'] as const

const KEYS = new Set(['subject', 'preheader', 'category', 'sendable', 'sample'])
/** The default. Each document would create its own, which takes longer than parsing a front matter. */
const { schema } = new Document()
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m

/** Splits a template into front matter and body, and validates the front matter. */
export function readFrontMatter(
  file: string,
  text: string,
): { frontMatter?: FrontMatter; problems: TemplateProblem[] } {
  const problems: TemplateProblem[] = []
  const report = (line: number, column: number, message: string) => problems.push({ file, line, column, message })
  const [whole, yaml = ''] = text.startsWith('---') ? (FRONT_MATTER.exec(text) ?? []) : []
  if (whole === undefined) {
    report(1, 1, 'an email template must begin with front matter between two lines of ---, which contains the subject')
    return { problems }
  }
  const lines = new LineCounter()
  const document = parseDocument(yaml, { lineCounter: lines, logLevel: 'error', schema })
  // The front matter begins on the line after the first ---.
  const at = (offset: number) => ({ line: lines.linePos(offset).line + 1, column: lines.linePos(offset).col })
  for (const error of document.errors)
    report(at(error.pos[0]).line, at(error.pos[0]).column, String(error.message.split('\n')[0]))
  if (document.errors.length > 0) return { problems }

  const places = new Map<string, { line: number; column: number }>()
  if (isMap(document.contents))
    for (const { key } of document.contents.items)
      if (isScalar(key)) places.set(String(key.value), at(key.range?.[0] ?? 0))
  const values = (document.toJS() ?? {}) as Record<string, unknown>
  for (const [key, message] of errorsIn(values)) {
    const { line, column } = places.get(key) ?? { line: 1, column: 1 }
    report(line, column, message)
  }
  const sample = document.get('sample')
  if (isMap(sample))
    for (const { key } of sample.items)
      if (isScalar(key) && isReserved(key.value)) {
        const { line, column } = at(key.range?.[0] ?? 0)
        report(line, column, `data can't be named '${key.value}': every mail has the ${key.value}; choose another name`)
      }
  if (problems.length > 0) return { problems }
  return {
    problems,
    frontMatter: {
      subject: values.subject as string,
      preheader: values.preheader as string | undefined,
      category: values.category as FrontMatter['category'],
      sendable: values.sendable as boolean | undefined,
      sample: values.sample as Data | undefined,
      line: key => places.get(key)?.line ?? 1,
      body: text.slice(whole.length),
      bodyLine: whole.split('\n').length,
    },
  }
}

const isReserved = (name: unknown): boolean => RESERVED_NAMES.some(reserved => reserved === name)

function* errorsIn(values: Record<string, unknown>): Generator<[key: string, message: string]> {
  const { subject, preheader, category, sendable, sample } = values
  for (const key of Object.keys(values))
    if (!KEYS.has(key)) yield [key, `unknown key '${key}' in the front matter: use ${[...KEYS].join(', ')}`]
  if (typeof subject === 'object' && subject !== null)
    yield ['subject', 'put the subject in quotes: YAML parses a leading brace as a map']
  else if (typeof subject !== 'string' || subject.trim() === '') yield ['subject', 'the front matter needs a subject']
  else if (/[\r\n]/.test(subject.trim())) yield ['subject', 'the subject must be one line']
  if (preheader !== undefined && typeof preheader !== 'string') yield ['preheader', 'preheader must be text']
  if (category !== undefined && category !== 'transactional' && category !== 'marketing')
    yield ['category', 'category must be transactional or marketing']
  if (sendable !== undefined && typeof sendable !== 'boolean') yield ['sendable', 'sendable must be true or false']
  if (sample !== undefined && (typeof sample !== 'object' || sample === null || Array.isArray(sample)))
    yield ['sample', 'sample must be a map with data for a preview']
}

/** The head of a mail template: YAML between two lines of `---`. */
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import type { Data, TemplateProblem } from './engine.ts'

export interface FrontMatter {
  readonly subject: string
  readonly preheader: string | undefined
  readonly category: 'transactional' | 'marketing' | undefined
  /** Data for a preview. */
  readonly sample: Data | undefined
  /** Line of the file on which a key of the head stands. */
  line(key: string): number
  readonly body: string
  /** Line of the file on which the body begins. */
  readonly bodyLine: number
}

const KEYS = new Set(['subject', 'preheader', 'category', 'sample'])
const HEAD = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m

/** Splits a template into front matter and body, and validates the front matter. */
export function readFrontMatter(file: string, text: string): { head?: FrontMatter; problems: TemplateProblem[] } {
  const problems: TemplateProblem[] = []
  const say = (line: number, column: number, message: string) => problems.push({ file, line, column, message })
  const [whole, yaml = ''] = text.startsWith('---') ? (HEAD.exec(text) ?? []) : []
  if (whole === undefined) {
    say(1, 1, 'a mail template begins with a head between two lines of ---, with the subject in it')
    return { problems }
  }
  const lines = new LineCounter()
  const document = parseDocument(yaml, { lineCounter: lines, logLevel: 'error' })
  // The front matter begins on the line after the first ---.
  const at = (offset: number) => ({ line: lines.linePos(offset).line + 1, column: lines.linePos(offset).col })
  for (const error of document.errors)
    say(at(error.pos[0]).line, at(error.pos[0]).column, String(error.message.split('\n')[0]))
  if (document.errors.length > 0) return { problems }

  const places = new Map<string, { line: number; column: number }>()
  if (isMap(document.contents))
    for (const { key } of document.contents.items)
      if (isScalar(key)) places.set(String(key.value), at(key.range?.[0] ?? 0))
  const values = (document.toJS() ?? {}) as Record<string, unknown>
  for (const [key, message] of mistakes(values)) {
    const { line, column } = places.get(key) ?? { line: 1, column: 1 }
    say(line, column, message)
  }
  if (problems.length > 0) return { problems }
  return {
    problems,
    head: {
      subject: values.subject as string,
      preheader: values.preheader as string | undefined,
      category: values.category as FrontMatter['category'],
      sample: values.sample as Data | undefined,
      line: key => places.get(key)?.line ?? 1,
      body: text.slice(whole.length),
      bodyLine: whole.split('\n').length,
    },
  }
}

function* mistakes(values: Record<string, unknown>): Generator<[key: string, message: string]> {
  const { subject, preheader, category, sample } = values
  for (const key of Object.keys(values))
    if (!KEYS.has(key)) yield [key, `there is no '${key}' in the head: ${[...KEYS].join(', ')}`]
  if (typeof subject === 'object' && subject !== null)
    yield ['subject', 'put the subject in quotes: YAML reads a brace at its beginning as a map']
  else if (typeof subject !== 'string' || subject.trim() === '') yield ['subject', 'the head needs a subject']
  else if (/[\r\n]/.test(subject.trim())) yield ['subject', 'a subject is one line']
  if (preheader !== undefined && typeof preheader !== 'string') yield ['preheader', 'preheader is a text']
  if (category !== undefined && category !== 'transactional' && category !== 'marketing')
    yield ['category', 'category is transactional or marketing']
  if (sample !== undefined && (typeof sample !== 'object' || sample === null || Array.isArray(sample)))
    yield ['sample', 'sample is a map of the data that a preview shows']
}

/** Compiles and renders the mail texts of tenants. Runs in worker threads. */
import {
  assertMaxLength,
  type FieldError,
  fieldError,
  KIB,
  type MailText,
  wording,
} from '@larder-dev/larder/kernel/internal'
import {
  createEngine,
  type Data,
  RenderError,
  type Template,
  TemplateError,
  type TemplateProblem,
  type TemplateSource,
} from './engine.ts'
import { HELPERS } from './helpers.ts'

/** The rendered parts of a mail, before its layout and styles. */
export interface RenderedParts {
  readonly subject: string
  readonly preheader: string | undefined
  readonly html: string
  /** If absent, the text is generated from the HTML. */
  readonly text: string | undefined
}
/** Why a template can't be rendered. `missing` is the name that the data lacks, as written in the template. */
export interface RenderFault {
  readonly message: string
  readonly missing: string | undefined
}
export interface OverrideInput {
  readonly text: MailText
  readonly data: Data
  readonly locale: string
}
export type OverrideResult =
  | { readonly parts: RenderedParts }
  | { readonly errors: readonly FieldError[] }
  | { readonly fault: RenderFault }

/** Characters of one rendered part. */
const MAX_PART_LENGTH = 256 * KIB
const MAX_CACHED_TEXTS = 50

type CompiledText = { readonly [Part in keyof MailText]: Template | undefined }

const engine = createEngine(HELPERS)
const cache = new Map<string, CompiledText>()
// Loads the parser now: the time limit of a task doesn't include loading this file.
engine.compile({ file: '', text: '{{x}}' }).render({ x: '' }, 'en')

/** Returns the errors of a text; empty if it is valid. */
export function validateOverride(text: MailText): readonly FieldError[] {
  const compiled = compileCached(text)
  return 'errors' in compiled ? compiled.errors : []
}

export function renderOverride({ text, data, locale }: OverrideInput): OverrideResult {
  const compiled = compileCached(text)
  if ('errors' in compiled) return compiled
  const render = (part: Template | undefined) => part && assertMaxLength(part.render(data, locale), MAX_PART_LENGTH)
  try {
    const { subject = '', preheader, html = '', text } = mapParts(compiled, render)
    return { parts: { subject, preheader, html, text } }
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    return { fault: { message: error.message, missing: error.missing } }
  }
}

function compileCached(text: MailText): CompiledText | { readonly errors: readonly FieldError[] } {
  const key = JSON.stringify([text.subject, text.preheader, text.html, text.text])
  const found = cache.get(key)
  if (found) return found
  const errors: FieldError[] = []
  const compiled = compileText(text, errors)
  if (errors.length > 0) return { errors }
  cache.set(key, compiled)
  const [oldest] = cache.keys()
  if (cache.size > MAX_CACHED_TEXTS && oldest !== undefined) cache.delete(oldest)
  return compiled
}

function compileText(text: MailText, errors: FieldError[]): CompiledText {
  return mapParts(text, (source, part) => {
    if (source === null) return undefined
    try {
      return engine.compile({ file: `/${part}`, text: source, plain: part !== 'html' })
    } catch (error) {
      errors.push(...problemsOf(error, `/${part}`).map(toFieldError))
      return undefined
    }
  })
}

/** Rethrows internal errors. */
function problemsOf(error: unknown, file: TemplateSource['file']): readonly TemplateProblem[] {
  if (error instanceof TemplateError) return error.problems
  // The parser recurses into nested blocks.
  if (error instanceof RangeError) return [{ file, line: 1, column: 1, message: 'its blocks are nested too deeply' }]
  throw error
}

const toFieldError = ({ file, line, column, message }: TemplateProblem): FieldError =>
  fieldError(file, 'invalid', wording('line {line}, column {column}: {message}', { line, column, message }))

type Part = keyof MailText

function mapParts<From, To>(
  parts: Readonly<Record<Part, From>>,
  map: (value: From, part: Part) => To,
): Record<Part, To> {
  const { subject, preheader, html, text } = parts
  return {
    subject: map(subject, 'subject'),
    preheader: map(preheader, 'preheader'),
    html: map(html, 'html'),
    text: map(text, 'text'),
  }
}

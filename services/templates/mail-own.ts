/** Mail texts written through the API: compiled under limits and cached. */
import { type Bounds, KIB, type MailText, OverBounds, runWithLimits, SECOND, templateProblems } from 'larder/kernel'
import { type Engine, type Template, TemplateError, type TemplateProblem } from './engine.ts'
import type { MailTemplate } from './mail-template.ts'

/** Limits for compiling or rendering one part. */
export const OWN_BOUNDS: Bounds = { size: 256 * KIB, time: SECOND / 4 }
/** Limits for inlining styles in the whole mail. The cost grows with rules times elements. */
export const OWN_STYLE_BOUNDS: Bounds = { size: 1024 * KIB, time: SECOND }
const MAX_CACHED_TEXTS = 200

export type OwnMail = Pick<MailTemplate, 'subject' | 'preheader' | 'html' | 'text'>

/** Throws problem `template_invalid`. */
export function createOwnTexts(engine: Engine): (text: MailText) => OwnMail {
  const cache = new Map<string, OwnMail>()
  return text => {
    const key = JSON.stringify([text.subject, text.preheader, text.html, text.text])
    const found = cache.get(key)
    if (found) return found
    const made = compileOwn(engine, text)
    cache.set(key, made)
    const [oldest] = cache.keys()
    if (cache.size > MAX_CACHED_TEXTS && oldest !== undefined) cache.delete(oldest)
    return made
  }
}

function compileOwn(engine: Engine, { subject, preheader, html, text }: MailText): OwnMail {
  const faults: TemplateProblem[] = []
  const compiled = (file: string, source: string, plain: boolean): Template | undefined => {
    try {
      return compileWithin(() => engine.compile({ file, text: source, plain }))
    } catch (error) {
      faults.push(...faultsOf(error, file))
      return undefined
    }
  }
  const made = {
    subject: compiled('/subject', subject, true),
    preheader: preheader === null ? undefined : compiled('/preheader', preheader, true),
    html: compiled('/html', html, false),
    text: text === null ? undefined : compiled('/text', text, true),
  }
  if (faults.length > 0) throw templateProblems.template_invalid({}, { errors: faults.map(fieldError) })
  return made as OwnMail
}

function compileWithin(compile: () => Template): Template {
  let made: Template | undefined
  runWithLimits(OWN_BOUNDS, () => {
    made = compile()
    return ''
  })
  return made as Template
}

/** Returns the errors of a text. Rethrows internal errors. */
function faultsOf(error: unknown, file: string): readonly TemplateProblem[] {
  if (error instanceof TemplateError) return error.problems
  const place = { file, line: 1, column: 1 }
  if (error instanceof OverBounds) return [{ ...place, message: error.message }]
  // The parser recurses into nested blocks.
  if (error instanceof RangeError) return [{ ...place, message: 'its blocks are nested too deeply' }]
  throw error
}

const fieldError = ({ file, line, column, message }: TemplateProblem) => ({
  pointer: file,
  code: 'invalid',
  detail: `line ${line}, column ${column}: ${message}`,
})

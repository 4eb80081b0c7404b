/** Handlebars for mail and pages: strict, escaped, and with the location of every error. */
import { once } from '@larder-dev/larder/kernel'
import Handlebars from 'handlebars'
import { lint } from './lint.ts'
import { isShipped } from './shipped.ts'

/** An error in a template. Lines and columns start at 1. */
export interface TemplateProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Templates that do not compile. */
export class TemplateError extends Error {
  readonly problems: readonly TemplateProblem[]
  constructor(problems: readonly TemplateProblem[]) {
    super(problems.map(p => `${p.file}:${p.line}:${p.column} ${p.message}`).join('\n'))
    this.name = 'TemplateError'
    this.problems = problems
  }
}

/** A template that can't be rendered. `missing` is the name that the data lacks, as written in the template. */
export class RenderError extends Error {
  readonly missing: string | undefined
  readonly problem: TemplateProblem
  constructor(problem: TemplateProblem, missing: string | undefined, cause: unknown) {
    super(`${problem.message}${problem.line > 0 ? `, line ${problem.line}` : ''}`, { cause })
    this.name = 'RenderError'
    this.missing = missing
    this.problem = problem
  }
}

/** The problems that a template error contains; undefined for other errors. Line 0: unknown to Handlebars. */
export function problemsOf(error: unknown): readonly TemplateProblem[] | undefined {
  if (error instanceof TemplateError) return error.problems
  return error instanceof RenderError ? [error.problem] : undefined
}

export interface TemplateSource {
  readonly text: string
  readonly file: string
  /** Line of the file where `text` begins; 1 by default. */
  readonly line?: number
  /** Plain text isn't escaped. */
  readonly plain?: boolean
}
export type Data = Readonly<Record<string, unknown>>
export interface Template {
  /**
   * Throws a RenderError.
   * @param timeZone IANA name of the reader's time zone; UTC by default.
   * @param markdown HTML of texts that the helper `markdown` inserts. It adds those that are missing.
   */
  render(data: Data, locale: string, timeZone?: string, markdown?: MarkdownTexts): string
}
/** Sanitized HTML by its Markdown; undefined if nobody has rendered it yet, or its renderer refused it. */
export type MarkdownTexts = Map<string, string | undefined>
export interface HelperScope {
  readonly timeZone: string | undefined
  readonly markdown: MarkdownTexts | undefined
}
/** A helper. `values` are its arguments in the template. */
export type Helper = (this: HelperScope, locale: string, ...values: readonly unknown[]) => unknown
export interface Engine {
  /** Throws a TemplateError that lists every error. Tested templates compile on first use. */
  compile(source: TemplateSource): Template
  /**
   * Registers `{{> name}}` for templates that are compiled later. The partials may include each other. Throws a TemplateError
   * that lists every error.
   */
  addPartials(sources: ReadonlyMap<string, TemplateSource>): void
}

/** The defaults, set explicitly: otherwise Handlebars writes each refused access to the console. */
const NO_PROTOTYPES = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false }

/**
 * Engines share neither helpers nor partials.
 * @param isTested whether the template in a file is known to compile; those of this package are tested.
 */
export function createEngine(helpers: Readonly<Record<string, Helper>>, isTested = isShipped): Engine {
  const handlebars = Handlebars.create()
  for (const [name, helper] of Object.entries(helpers))
    handlebars.registerHelper(name, (...given: unknown[]) => {
      const options = given.pop() as Handlebars.HelperOptions
      const { locale = 'en', timeZone, markdown } = (options.data ?? {}) as { locale?: string } & Partial<HelperScope>
      return helper.call({ timeZone, markdown }, locale, ...given)
    })
  const knownHelpers = {
    ...Object.fromEntries(Object.keys(helpers).map(name => [name, true])),
    log: false,
    lookup: false,
  }
  const options = { strict: true, knownHelpersOnly: true, knownHelpers }

  function compileChecked(source: TemplateSource): {
    readonly run: Handlebars.TemplateDelegate
    readonly paths: ReadonlyMap<string, string>
  } {
    const ast = parse(handlebars, source)
    const { faults, paths } = lint(ast, {
      plain: source.plain === true,
      partials: new Set(Object.keys(handlebars.partials)),
      helpers: new Set(Object.keys(helpers)),
    })
    if (faults.length > 0) throw new TemplateError(faults.map(fault => toProblem(source, fault)))
    const compileOptions = { ...options, noEscape: source.plain === true }
    try {
      // `handlebars.compile` works lazily. This reports its errors now.
      if (!isTested(source.file)) handlebars.precompile(ast, { ...compileOptions })
    } catch (error) {
      throw new TemplateError([toProblem(source, faultOf(error, source.text))])
    }
    return { run: handlebars.compile(ast, compileOptions), paths }
  }
  /** Its errors name this file, even if another template includes it. */
  function compileLocated(source: TemplateSource): Handlebars.TemplateDelegate {
    const compiled = once(() => compileChecked(source))
    if (!isTested(source.file)) compiled()
    return (data, runtime) => {
      const { run, paths } = compiled()
      try {
        return run(data, runtime)
      } catch (error) {
        throw toRenderError(error, source, paths)
      }
    }
  }
  return {
    compile(source) {
      const run = compileLocated(source)
      return {
        render: (data, locale, timeZone, markdown) =>
          run(data, { data: { locale, timeZone, markdown }, ...NO_PROTOTYPES }),
      }
    },
    addPartials(sources) {
      for (const name of sources.keys()) handlebars.registerPartial(name, '')
      const problems: TemplateProblem[] = []
      for (const [name, source] of sources)
        try {
          handlebars.registerPartial(name, compileLocated(source))
        } catch (error) {
          if (!(error instanceof TemplateError)) throw error
          problems.push(...error.problems)
        }
      if (problems.length > 0) throw new TemplateError(problems)
    },
  }
}

function parse(handlebars: typeof Handlebars, source: TemplateSource): hbs.AST.Program {
  try {
    return handlebars.parse(source.text)
  } catch (error) {
    throw new TemplateError([toProblem(source, faultOf(error, source.text))])
  }
}

interface Fault {
  readonly line: number
  /** Starts at 0, as in Handlebars. */
  readonly column: number
  readonly message: string
}

const toProblem = ({ file, line = 1 }: TemplateSource, fault: Fault): TemplateProblem => ({
  file,
  line: fault.line + line - 1,
  column: fault.column + 1,
  message: fault.message,
})

/** Syntax errors have no column, but an arrow under an excerpt, which this parses. */
function faultOf(error: unknown, text: string): Fault {
  const { message, lineNumber, column } = error as Handlebars.Exception
  if (lineNumber !== undefined)
    return { line: lineNumber, column: column ?? 0, message: message.replace(/ - \d+:\d+$/, '') }
  const [first = '', excerpt = '', arrow = '', expecting = ''] = message.split('\n')
  const line = Number(/line (\d+)/.exec(first)?.[1] ?? 1)
  const rest = excerpt.slice(arrow.indexOf('^')).replace(/\.\.\.$/, '')
  const fullLine = (text.split('\n')[line - 1] ?? '').trimEnd()
  const isEnd = expecting.endsWith("'EOF'")
  return {
    line,
    column: rest && !isEnd ? Math.max(0, fullLine.indexOf(rest.slice(0, 8))) : fullLine.length,
    message: isEnd
      ? 'the template ends inside a block: close it with {{/…}}'
      : `invalid Handlebars syntax${rest ? ` at '${rest}'` : ''}: check the braces before it`,
  }
}

function toRenderError(error: unknown, source: TemplateSource, paths: ReadonlyMap<string, string>): Error {
  if (error instanceof RenderError || isTimeout(error)) return error as Error
  const { message, lineNumber, column } = error as Handlebars.Exception
  const missing = / not defined in /.test(message) ? paths.get(`${lineNumber}:${column}`) : undefined
  const reason = missing ? `it uses '${missing}', which is not in the data` : message.replace(/ - \d+:\d+$/, '')
  const line = lineNumber === undefined ? 0 : lineNumber + (source.line ?? 1) - 1
  return new RenderError({ file: source.file, line, column: (column ?? 0) + 1, message: reason }, missing, error)
}

/** The error of the watchdog that limits the rendering; see `runWithTimeout`. */
const isTimeout = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

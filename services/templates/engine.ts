/** Handlebars, strict and escaped, with every mistake placed: what mail and pages are made of. */
import Handlebars from 'handlebars'
import { lint } from './lint.ts'

/** A mistake in a template. Lines and columns count from 1. */
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

/** A template that compiles but cannot be filled: `missing` is the name that the data lacks, as the template says it. */
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

/** What is wrong with a template, where the error says so. A line of 0: Handlebars does not tell it. */
export function placesOf(error: unknown): readonly TemplateProblem[] | undefined {
  if (error instanceof TemplateError) return error.problems
  return error instanceof RenderError ? [error.problem] : undefined
}

export interface TemplateSource {
  readonly text: string
  readonly file: string
  /** Line of the file at which `text` begins; 1. */
  readonly line?: number
  /** True for plain text: nothing is escaped. */
  readonly plain?: boolean
}
export type Data = Readonly<Record<string, unknown>>
export interface Template {
  /** Throws a RenderError. */
  render(data: Data, locale: string): string
}
/** Gets its arguments, then the locale of the rendering. */
export type Helper = (locale: string, ...values: readonly unknown[]) => unknown
export interface Engine {
  /** Throws a TemplateError that names every mistake. */
  compile(source: TemplateSource): Template
  /** Makes `{{> name}}` known to what is compiled from now on. Partials that come together may use each other. */
  partials(sources: ReadonlyMap<string, TemplateSource>): void
}

/** Said aloud, or Handlebars writes to the console what it refuses. */
const NO_PROTOTYPES = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false }

/** An engine of its own: helpers and partials are not shared with any other. */
export function createEngine(helpers: Readonly<Record<string, Helper>>): Engine {
  const handlebars = Handlebars.create()
  for (const [name, helper] of Object.entries(helpers))
    handlebars.registerHelper(name, (...given: unknown[]) => {
      const options = given.pop() as Handlebars.HelperOptions
      return helper(String(options.data?.locale ?? 'en'), ...given)
    })
  const known = { ...Object.fromEntries(Object.keys(helpers).map(name => [name, true])), log: false, lookup: false }
  const options = { strict: true, knownHelpersOnly: true, knownHelpers: known }

  function checked(source: TemplateSource): { run: Handlebars.TemplateDelegate; paths: ReadonlyMap<string, string> } {
    const ast = parse(handlebars, source)
    const { faults, paths } = lint(ast, {
      plain: source.plain === true,
      partials: new Set(Object.keys(handlebars.partials)),
      helpers: new Set(Object.keys(helpers)),
    })
    if (faults.length > 0) throw new TemplateError(faults.map(fault => place(source, fault)))
    const how = { ...options, noEscape: source.plain === true }
    try {
      // `compile` does its work at the first rendering. This finds what it would refuse, without writing the code.
      ;new (handlebars as unknown as { Compiler: new () => Compiler }).Compiler().compile(ast, { ...how })
    } catch (error) {
      throw new TemplateError([place(source, faultOf(error, source.text))])
    }
    return { run: handlebars.compile(ast, how), paths }
  }
  /** Its errors tell this file, also where another template includes it. */
  function placed(source: TemplateSource): Handlebars.TemplateDelegate {
    const { run, paths } = checked(source)
    return (data, runtime) => {
      try {
        return run(data, runtime)
      } catch (error) {
        throw unfilled(error, source, paths)
      }
    }
  }
  return {
    compile(source) {
      const run = placed(source)
      return { render: (data, locale) => run(data, { data: { locale }, ...NO_PROTOTYPES }) }
    },
    partials(sources) {
      for (const name of sources.keys()) handlebars.registerPartial(name, '')
      for (const [name, source] of sources) handlebars.registerPartial(name, placed(source))
    },
  }
}

/** The first half of what Handlebars does; its types leave it out. */
interface Compiler {
  compile(ast: hbs.AST.Program, options: CompileOptions): unknown
}

function parse(handlebars: typeof Handlebars, source: TemplateSource): hbs.AST.Program {
  try {
    return handlebars.parse(source.text)
  } catch (error) {
    throw new TemplateError([place(source, faultOf(error, source.text))])
  }
}

interface Fault {
  readonly line: number
  /** From 0, as Handlebars counts. */
  readonly column: number
  readonly message: string
}

const place = ({ file, line = 1 }: TemplateSource, fault: Fault): TemplateProblem => ({
  file,
  line: fault.line + line - 1,
  column: fault.column + 1,
  message: fault.message,
})

/** Where Handlebars gives no column, it draws an arrow under an excerpt: that is read back. */
function faultOf(error: unknown, text: string): Fault {
  const { message, lineNumber, column } = error as Handlebars.Exception
  if (lineNumber !== undefined)
    return { line: lineNumber, column: column ?? 0, message: message.replace(/ - \d+:\d+$/, '') }
  const [first = '', excerpt = '', arrow = '', expecting = ''] = message.split('\n')
  const line = Number(/line (\d+)/.exec(first)?.[1] ?? 1)
  const rest = excerpt.slice(arrow.indexOf('^')).replace(/\.\.\.$/, '')
  const shown = (text.split('\n')[line - 1] ?? '').trimEnd()
  const ended = expecting.endsWith("'EOF'")
  return {
    line,
    column: rest && !ended ? Math.max(0, shown.indexOf(rest.slice(0, 8))) : shown.length,
    message: ended
      ? 'the template ends inside a block: close it with {{/…}}'
      : `this is no Handlebars${rest ? `, from '${rest}'` : ''}: check the braces before it`,
  }
}

function unfilled(error: unknown, source: TemplateSource, paths: ReadonlyMap<string, string>): Error {
  if (error instanceof RenderError || isTimeout(error)) return error as Error
  const { message, lineNumber, column } = error as Handlebars.Exception
  const missing = / not defined in /.test(message) ? paths.get(`${lineNumber}:${column}`) : undefined
  const reason = missing ? `it uses '${missing}', which is not in the data` : message.replace(/ - \d+:\d+$/, '')
  const line = lineNumber === undefined ? 0 : lineNumber + (source.line ?? 1) - 1
  return new RenderError({ file: source.file, line, column: (column ?? 0) + 1, message: reason }, missing, error)
}

/** The watchdog's own error passes through untouched. */
const isTimeout = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

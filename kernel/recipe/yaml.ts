/** Parses a file into a tree. The limits keep hostile files from slowing down the parser. */
import { Lexer, type ParsedNode, parseDocument } from 'yaml'
import { createTreeBuilder, MAX_DEPTH, TOO_DEEP, unquotedColor } from './build-tree.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import type { SourceLocation, Tree } from './tree.ts'
import type { Env } from './variables.ts'
import { describeUnquotedColor, describeYamlError } from './yaml-errors.ts'

/** Maps an offset to line and column, from 1. The parser's own counter is wrong in badly broken files. */
function createLines(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0]
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) starts.push(next + 1)
  return offset => {
    const place = Math.max(0, Math.min(offset, text.length))
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] as number) <= place) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: place - (starts[low] as number) + 1 }
  }
}

/** Keys, values and punctuation; a recipe of 10,000 lines has fewer. */
const MAX_TOKENS = 50_000
/** Reported lines with invalid YAML: errors after the first are often consequences of it. */
const MAX_SYNTAX_ERRORS = 5

export interface Parsed {
  /** Undefined if the file is empty or can't be used. */
  readonly tree: Tree | undefined
  readonly problems: readonly Diagnostic[]
  /** True if the YAML is invalid or uses aliases. */
  readonly broken: boolean
}

/** @param text with `\n` line endings and without a byte order mark. */
export function parseYaml(file: string, text: string, env: Env): Parsed {
  const lines = createLines(text)
  const place = (offset: number): SourceLocation => ({ file, ...lines(offset) })
  const limit = overLimit(text)
  if (limit) {
    const problem = diagnosticAt('too_large', place(limit.offset), [], limit.message, limit.hint)
    return { tree: undefined, problems: [problem], broken: true }
  }
  const document = parseDocument(text, {
    // The parser's own check takes quadratic time: 20 s for 50,000 keys.
    uniqueKeys: false,
    stringKeys: true,
    prettyErrors: false,
    resolveKnownTags: false,
    schema: 'core',
    version: '1.2',
    // 'silent' would ignore a second document.
    logLevel: 'error',
  })
  const problems = syntaxErrors([...document.errors, ...document.warnings], place, text)
  if (problems.length > 0) return { tree: undefined, problems, broken: true }
  const builder = createTreeBuilder(text, place, env, document.schema)
  const tree = document.contents ? builder.buildTree(document.contents as ParsedNode, []) : undefined
  // What an alias stands for is unknown, so other problems could be consequences.
  const aliases = builder.problems.filter(({ code }) => code === 'unsupported_yaml')
  if (aliases.length > 0) return { tree: undefined, problems: aliases, broken: true }
  return { tree, problems: builder.problems, broken: false }
}

function overLimit(text: string): { offset: number; message: string; hint: string } | undefined {
  let offset = 0
  let depth = 0
  let tokens = 0
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth++
    if (token === ']' || token === '}') depth--
    if (depth > MAX_DEPTH) return { offset, ...TOO_DEEP }
    if (++tokens > MAX_TOKENS)
      return {
        offset,
        message: `The file has more than ${MAX_TOKENS} keys and values`,
        hint: 'Split it and include the parts',
      }
    offset += isControl(token) ? 0 : token.length
  }
  return undefined
}

/** Lexer tokens without text: document start, flow error, scalar follows, byte order mark. */
const isControl = (token: string): boolean =>
  token === '\u0002' || token === '\u0018' || token === '\u001f' || token === '\ufeff'

/** Errors of the parser for a collection without its closing bracket. */
const UNCLOSED: readonly string[] = ['BAD_INDENT', 'MISSING_CHAR', 'BAD_COLLECTION_TYPE']

type YamlError =
  | ReturnType<typeof parseDocument>['errors'][number]
  | ReturnType<typeof parseDocument>['warnings'][number]

function syntaxErrors(
  errors: readonly YamlError[],
  place: (offset: number) => SourceLocation,
  text: string,
): Diagnostic[] {
  const byLine = new Map<number, Diagnostic>()
  for (const error of errors) {
    const unquoted = UNCLOSED.includes(error.code) ? unquotedColor(text.slice(0, error.pos[0])) : undefined
    const where = place(unquoted?.offset ?? error.pos[0])
    const line = text.split('\n', where.line).at(-1) ?? ''
    if (!byLine.has(where.line))
      byLine.set(
        where.line,
        unquoted
          ? diagnosticAt('unquoted_color', where, [], ...describeUnquotedColor(unquoted.color))
          : diagnosticAt('invalid_yaml', where, [], ...describeYamlError(error, line, MAX_DEPTH)),
      )
    if (byLine.size === MAX_SYNTAX_ERRORS) break
  }
  return [...byLine.values()]
}

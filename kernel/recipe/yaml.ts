/** The text of one file → its tree. The parser is guarded: each limit stands where a hostile file made it slow. */
import { Lexer, type ParsedNode, parseDocument } from 'yaml'
import { createTreeBuilder, MAX_DEPTH, TOO_DEEP } from './build-tree.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import { createLines } from './lines.ts'
import type { SourceLocation, Tree } from './tree.ts'
import type { Env } from './variables.ts'
import { sentence } from './yaml-errors.ts'

/** Keys, values and marks together; a recipe of 10,000 lines has fewer. */
const MAX_NODES = 50_000
/** Lines with broken YAML that are told: what follows a broken line is often a guess. */
const MAX_SYNTAX_ERRORS = 5

export interface Parsed {
  /** Undefined where the file is empty, or is no YAML at all. */
  readonly tree: Tree | undefined
  readonly problems: readonly Diagnostic[]
  /** The YAML itself is broken, so that what the tree holds is a guess. */
  readonly broken: boolean
}

/** @param text with `\n` as its line ends and without a byte order mark. */
export function parseYaml(file: string, text: string, env: Env): Parsed {
  const lines = createLines(text)
  const place = (offset: number): SourceLocation => ({ file, ...lines(offset) })
  const limit = overLimit(text)
  if (limit) {
    const problem = diagnosticAt('too_large', place(limit.offset), [], limit.message, limit.hint)
    return { tree: undefined, problems: [problem], broken: true }
  }
  const document = parseDocument(text, {
    // Its own check compares every key with every other one: 50,000 keys take 20 s.
    uniqueKeys: false,
    stringKeys: true,
    prettyErrors: false,
    resolveKnownTags: false,
    schema: 'core',
    version: '1.2',
    // At 'silent' it would pass over a second document without a word.
    logLevel: 'error',
  })
  const problems = brokenLines([...document.errors, ...document.warnings], place, text)
  if (problems.length > 0) return { tree: undefined, problems, broken: true }
  const builder = createTreeBuilder(place, env, document.schema)
  const tree = document.contents ? builder.buildTree(document.contents as ParsedNode, []) : undefined
  return { tree, problems: builder.problems, broken: false }
}

function overLimit(text: string): { offset: number; message: string; hint: string } | undefined {
  let offset = 0
  let depth = 0
  let parts = 0
  for (const part of new Lexer().lex(text)) {
    if (part === '[' || part === '{') depth++
    if (part === ']' || part === '}') depth--
    if (depth > MAX_DEPTH) return { offset, ...TOO_DEEP }
    if (++parts > MAX_NODES)
      return {
        offset,
        message: `a file has at most ${MAX_NODES} keys and values`,
        hint: 'split it, and include the parts',
      }
    offset += isControl(part) ? 0 : part.length
  }
  return undefined
}

/** Marks that the lexer puts between the parts of the text: document start, flow error, scalar follows, byte order mark. */
const isControl = (part: string): boolean =>
  part === '\u0002' || part === '\u0018' || part === '\u001f' || part === '\ufeff'

type YamlFault =
  | ReturnType<typeof parseDocument>['errors'][number]
  | ReturnType<typeof parseDocument>['warnings'][number]

function brokenLines(
  faults: readonly YamlFault[],
  place: (offset: number) => SourceLocation,
  text: string,
): Diagnostic[] {
  const byLine = new Map<number, Diagnostic>()
  for (const fault of faults) {
    const where = place(fault.pos[0])
    const line = text.split('\n', where.line).at(-1) ?? ''
    if (!byLine.has(where.line))
      byLine.set(where.line, diagnosticAt('invalid_yaml', where, [], ...sentence(fault, line, MAX_DEPTH)))
    if (byLine.size === MAX_SYNTAX_ERRORS) break
  }
  return [...byLine.values()]
}

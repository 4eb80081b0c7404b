/** The text of one file → its tree. The parser is guarded: each limit stands where a hostile file made it slow. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  Scalar,
} from 'yaml'
import { problemAt, type RecipeProblem } from './problem.ts'
import type { Entry, Path, Place, ScalarTree, Tree } from './tree.ts'
import { type Env, fill } from './variables.ts'
import { sentence } from './yaml-errors.ts'

/** Maps and lists within each other. */
const DEEPEST = 64
/** Keys, values and marks together; a recipe of 10,000 lines has fewer. */
const MOST_PARTS = 50_000
/** Lines with broken YAML that are told: what follows a broken line is often a guess. */
const MOST_BROKEN = 5

export interface Parsed {
  /** Undefined where the file is empty, or is no YAML at all. */
  readonly tree: Tree | undefined
  readonly problems: readonly RecipeProblem[]
  /** The YAML itself is broken, so that what the tree holds is a guess. */
  readonly broken: boolean
}

/** @param text with `\n` as its line ends and without a byte order mark. */
export function parseYaml(file: string, text: string, env: Env): Parsed {
  const limit = overLimit(text)
  if (limit) {
    const place = placeOf(file, text, limit.offset)
    return { tree: undefined, problems: [problemAt(place, [], limit.message, limit.hint)], broken: true }
  }
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
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
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const problems = brokenLines([...document.errors, ...document.warnings], place, text)
  if (problems.length > 0) return { tree: undefined, problems, broken: true }
  const planter = createPlanter(place, env, document.schema)
  const tree = document.contents ? planter.plant(document.contents as ParsedNode, []) : undefined
  return { tree, problems: planter.problems, broken: false }
}

function overLimit(text: string): { offset: number; message: string; hint: string } | undefined {
  let offset = 0
  let depth = 0
  let parts = 0
  for (const part of new Lexer().lex(text)) {
    if (part === '[' || part === '{') depth++
    if (part === ']' || part === '}') depth--
    if (depth > DEEPEST) return { offset, ...TOO_DEEP }
    if (++parts > MOST_PARTS)
      return {
        offset,
        message: `a file has at most ${MOST_PARTS} keys and values`,
        hint: 'split it, and include the parts',
      }
    offset += isControl(part) ? 0 : part.length
  }
  return undefined
}

const TOO_DEEP = {
  message: `nested more than ${DEEPEST} deep`,
  hint: 'no part of a recipe needs that: look for a bracket that is never closed',
}
/** Marks that the lexer puts between the parts of the text: document start, flow error, scalar follows, byte order mark. */
const isControl = (part: string): boolean =>
  part === '\u0002' || part === '\u0018' || part === '\u001f' || part === '\ufeff'

function placeOf(file: string, text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n')
  return { file, line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

type YamlFault =
  | ReturnType<typeof parseDocument>['errors'][number]
  | ReturnType<typeof parseDocument>['warnings'][number]

function brokenLines(faults: readonly YamlFault[], place: (offset: number) => Place, text: string): RecipeProblem[] {
  const byLine = new Map<number, RecipeProblem>()
  for (const fault of faults) {
    const where = place(fault.pos[0])
    const line = text.split('\n', where.line).at(-1) ?? ''
    if (!byLine.has(where.line)) byLine.set(where.line, problemAt(where, [], ...sentence(fault, line, DEEPEST)))
    if (byLine.size === MOST_BROKEN) break
  }
  return [...byLine.values()]
}

type YamlSchema = ReturnType<typeof parseDocument>['schema']

function createPlanter(place: (offset: number) => Place, env: Env, schema: YamlSchema) {
  const problems: RecipeProblem[] = []
  const startOf = (node: Node | null | undefined, otherwise: Place): Place =>
    node?.range ? place(node.range[0]) : otherwise

  function plant(node: ParsedNode | null, path: Path, around: Place = place(0)): Tree {
    const here = startOf(node, around)
    if (path.length > DEEPEST) problems.push(problemAt(here, path.slice(0, 3), TOO_DEEP.message, TOO_DEEP.hint))
    else if (isMap(node)) return { kind: 'map', place: here, entries: plantEntries(node as never, path) }
    else if (isSeq(node)) {
      const items = node.items.map((item, index) => plant(item as ParsedNode, [...path, index], here))
      return { kind: 'list', place: here, items }
    } else if (isScalar(node)) return plantScalar(node, path, here)
    else if (isAlias(node)) {
      const message = `an alias (*${node.source}) repeats what stands elsewhere: a recipe takes none`
      problems.push(problemAt(here, path, message, 'write the value out, or share it between recipes by extends'))
    }
    return { kind: 'scalar', place: here, value: null, fromEnv: false }
  }

  function plantEntries(node: { items: { key: Scalar; value: ParsedNode | null }[] }, path: Path): Map<string, Entry> {
    const entries = new Map<string, Entry>()
    for (const { key: name, value } of node.items) {
      const key = String(name.value ?? '')
      const here = startOf(name, place(0))
      const own = [...path, key]
      const first = entries.get(key)
      const fault = first ? duplicate(key, first.key) : forbidden(key)
      if (fault) problems.push(problemAt(here, own, ...fault))
      else entries.set(key, { key: here, value: plant(value, own, here) })
    }
    return entries
  }

  function plantScalar(node: Scalar, path: Path, here: Place): ScalarTree {
    const value = node.value
    if (typeof value === 'bigint') return { kind: 'scalar', place: here, value: Number(value), fromEnv: false }
    if (typeof value !== 'string')
      return { kind: 'scalar', place: here, value: value as number | boolean | null, fromEnv: false }
    const { text, filled, whole, missing, malformed } = fill(value, env)
    if (malformed) problems.push(problemAt(here, path, ...MALFORMED))
    for (const name of missing) problems.push(problemAt(here, path, ...unset(name)))
    const typed = whole && node.type === Scalar.PLAIN ? plain(text, schema) : text
    return { kind: 'scalar', place: here, value: typed, fromEnv: filled }
  }
  return { plant, problems }
}

const duplicate = (key: string, first: Place): [string, string] => [
  `'${key}' stands here a second time: the first is in line ${first.line}`,
  'keep one of the two',
]
function forbidden(key: string): [string, string] | undefined {
  if (key === '<<')
    return ["merge keys ('<<') are not taken", 'write the keys out, or share them between recipes by extends']
  if (key === '__proto__') return [`'${key}' cannot be a key`, 'choose another name']
  return undefined
}
const MALFORMED: [string, string] = [
  "'${' begins no variable here",
  `write \${NAME} or \${NAME:-default}; for the characters themselves $\${`,
]
const unset = (name: string): [string, string] => [
  `the environment variable ${name} is not set`,
  `set ${name}, or give it a default: \${${name}:-…}`,
]

/** What an unquoted scalar with this text would be: a number, true, false, null, or text. */
function plain(text: string, schema: YamlSchema): string | number | boolean | null {
  for (const tag of schema.tags)
    if ('test' in tag && tag.default === true && tag.test?.test(text)) {
      const value: unknown = tag.resolve(text, () => {}, {})
      if (value instanceof Scalar) return value.value as number | boolean | null
      return value as string | number | boolean | null
    }
  return text
}

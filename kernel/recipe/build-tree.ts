/** Converts the nodes of a parsed file into a tree: rejects duplicate keys and aliases, and fills in variables. */
import { isAlias, isMap, isScalar, isSeq, type Node, type ParsedNode, type parseDocument, Scalar } from 'yaml'
import { inEnglish, isExactNumber, textError, type Wording } from '../base/index.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import type { Entry, Path, ScalarTree, SourceLocation, Tree } from './tree.ts'
import { type Env, fill } from './variables.ts'

/** Levels of nested maps and lists. */
export const MAX_DEPTH = 64
export const TOO_DEEP = {
  message: `Nested deeper than ${MAX_DEPTH} levels`,
  hint: 'Check for a bracket that is never closed',
}

type YamlSchema = ReturnType<typeof parseDocument>['schema']

/** `problems` grows with each call of `buildTree`. */
export function createTreeBuilder(
  source: string,
  place: (offset: number) => SourceLocation,
  env: Env,
  schema: YamlSchema,
) {
  const problems: Diagnostic[] = []
  const startOf = (node: Node | null | undefined, otherwise: SourceLocation): SourceLocation =>
    node?.range ? place(node.range[0]) : otherwise

  function buildTree(node: ParsedNode | null, path: Path, around: SourceLocation = place(0)): Tree {
    const here = startOf(node, around)
    if (path.length > MAX_DEPTH)
      problems.push(diagnosticAt('too_deep', here, path.slice(0, 3), TOO_DEEP.message, TOO_DEEP.hint))
    else if (isMap(node)) return { kind: 'map', place: here, entries: buildEntries(node as never, path) }
    else if (isSeq(node)) {
      const items = node.items.map((item, index) => buildTree(item as ParsedNode, [...path, index], here))
      return { kind: 'list', place: here, items }
    } else if (isScalar(node)) return buildScalar(node, path, here)
    else if (isAlias(node)) {
      // A file with many of them has one mistake.
      if (problems.some(({ code }) => code === 'unsupported_yaml'))
        return { kind: 'scalar', place: here, value: null, fromEnv: false }
      const message = `Aliases (*${node.source}) are not supported`
      problems.push(
        diagnosticAt(
          'unsupported_yaml',
          here,
          path,
          message,
          'Write the value out, or share it between recipes with extends',
        ),
      )
    }
    return { kind: 'scalar', place: here, value: null, fromEnv: false }
  }

  function buildEntries(node: { items: { key: Scalar; value: ParsedNode | null }[] }, path: Path): Map<string, Entry> {
    const entries = new Map<string, Entry>()
    for (const { key: name, value } of node.items) {
      const key = String(name.value ?? '')
      const here = startOf(name, place(0))
      const own = [...path, key]
      const first = entries.get(key)
      const error = first ? duplicate(key, first.key) : forbidden(key)
      if (error) problems.push(diagnosticAt('invalid_key', here, own, ...error))
      else entries.set(key, { key: here, value: buildTree(value, own, here) })
    }
    return entries
  }

  function buildScalar(node: Scalar, path: Path, here: SourceLocation): ScalarTree {
    const value = node.value
    if (typeof value === 'bigint') return { kind: 'scalar', place: here, value: Number(value), fromEnv: false }
    if (typeof value === 'number' && !isExactNumber(node.source ?? ''))
      problems.push(diagnosticAt('inexact_number', here, path, ...inexact(node.source ?? '')))
    if (typeof value !== 'string') {
      const color = value === null && node.range ? colorAt(source, node.range[0]) : undefined
      const scalar = { kind: 'scalar' as const, place: here, value: value as number | boolean | null, fromEnv: false }
      return color === undefined ? scalar : { ...scalar, unquotedColor: color }
    }
    // As texts of requests, which are compared with those of the recipe.
    const { text, filled, whole, missing, malformed } = fill(value.normalize('NFC'), env)
    if (malformed) problems.push(diagnosticAt('invalid_variable', here, path, ...MALFORMED))
    for (const name of missing) problems.push(diagnosticAt('unset_variable', here, path, ...unset(name)))
    const unstorable = textError(text)
    if (unstorable !== undefined)
      problems.push(diagnosticAt('invalid_text', here, path, ...badText('Text', unstorable)))
    const typed = whole && node.type === Scalar.PLAIN ? plain(text, schema) : text
    if (typeof typed === 'number' && !isExactNumber(text))
      problems.push(diagnosticAt('inexact_number', here, path, ...inexact(text)))
    return { kind: 'scalar', place: here, value: typed, fromEnv: filled }
  }
  return { buildTree, problems }
}

const COLOR = '#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})(?![\\w-])'
const COLOR_VALUE = new RegExp(COLOR, 'y')
const COLOR_IN_FLOW = new RegExp(`^[^\\n#]*[[{][^\\n#]*[ \\t](${COLOR})`, 'gm')

function colorAt(text: string, offset: number): string | undefined {
  COLOR_VALUE.lastIndex = offset
  return COLOR_VALUE.exec(text)?.[0]
}

/** Finds the last unquoted color inside { } or [ ], which ends the line and so breaks the collection. */
export function unquotedColor(text: string): { color: string; offset: number } | undefined {
  const found = [...text.matchAll(COLOR_IN_FLOW)].at(-1)
  const color = found?.[1]
  return found && color ? { color, offset: found.index + found[0].length - color.length } : undefined
}

const duplicate = (key: string, first: SourceLocation): [string, string] => [
  `Duplicate key "${key}"; first set in line ${first.line}`,
  'Remove one of them',
]
function forbidden(key: string): [string, string] | undefined {
  if (key === '<<')
    return ['Merge keys (<<) are not supported', 'Write the keys out, or share them between recipes with extends']
  if (key === '__proto__') return [`"${key}" is not allowed as a key`, 'Choose another name']
  const unstorable = textError(key)
  return unstorable === undefined ? undefined : badText('A key', unstorable)
}
const badText = (subject: string, error: Wording): [string, string] => [
  `${subject} ${inEnglish(error)}`,
  'The database cannot store it: remove the character',
]
const MALFORMED: [string, string] = [
  `Invalid variable: '\${' must be followed by a name and '}'`,
  `Write \${NAME} or \${NAME:-default}; write $\${ for the characters themselves`,
]
const inexact = (text: string): [string, string] => [
  `${text} has more digits than a number keeps`,
  `Write it in quotes, as a text: '${text}'`,
]
const unset = (name: string): [string, string] => [
  `Environment variable ${name} is not set`,
  `Set ${name}, or add a default: \${${name}:-…}`,
]

/** Parses the text as an unquoted scalar: a number, true, false, null or a string. */
function plain(text: string, schema: YamlSchema): string | number | boolean | null {
  for (const tag of schema.tags)
    if ('test' in tag && tag.default === true && tag.test?.test(text)) {
      const value: unknown = tag.resolve(text, () => {}, {})
      if (value instanceof Scalar) return value.value as number | boolean | null
      return value as string | number | boolean | null
    }
  return text
}

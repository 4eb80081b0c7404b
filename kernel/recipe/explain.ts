/** Converts errors of ajv to diagnostics, with location and hint. */

import type { ErrorObject } from 'ajv'
import { didYouMean, formatList, isRecord, LINE_PATTERN } from '../base/index.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import type { Json } from './draft07.ts'
import { example, formatToText, lineFor, quoted, schemaToText, toYaml } from './schema-to-text.ts'
import { at, dotted, keyLocation, type MapTree, type Path, valueLocation } from './tree.ts'
import { describeUnquotedColor } from './yaml-errors.ts'

/** @param base path of the validated value. */
export function explain(errors: readonly ErrorObject[], tree: MapTree, base: Path): Diagnostic[] {
  return withoutBranches(errors).map(error => {
    const path = [...base, ...pathOf(error.instancePath, tree, base)]
    if (error.propertyName !== undefined) return invalidKey(error.propertyName, error, tree, path)
    return (ERROR_FORMATTERS[error.keyword] ?? other)(error, tree, path)
  })
}

/** `/plans/pro/0` → `['plans', 'pro', 0]`; items of lists have numeric steps. */
function pathOf(instancePath: string, tree: MapTree, base: Path): Path {
  const path: (string | number)[] = []
  for (const step of instancePath.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(at(tree, [...base, ...path])?.kind === 'list' ? Number(key) : key)
  }
  return path
}

/**
 * ajv reports the errors of every alternative of `anyOf` and `oneOf`. Keeps the errors of the alternative that the value
 * comes closest to, or the error that lists all alternatives.
 */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    // The errors of the name itself say more.
    if (error.keyword === 'if' || error.keyword === 'propertyNames') continue
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') {
      kept.push(error)
      continue
    }
    const inner = kept.filter(child => child.instancePath.startsWith(error.instancePath) && isWithin(child, error))
    const meant = closestBranch(inner, error)
    for (const child of inner) if (!meant.includes(child)) kept.splice(kept.indexOf(child), 1)
    if (meant.length === 0) kept.push(error)
  }
  return kept
}

const isWithin = (child: ErrorObject, { schemaPath }: ErrorObject): boolean =>
  child.schemaPath.startsWith(`${schemaPath}/`) || child.schemaPath.startsWith('#/definitions/')

function closestBranch(inner: readonly ErrorObject[], { schemaPath, instancePath }: ErrorObject): ErrorObject[] {
  const branches = new Map<string, ErrorObject[]>()
  for (const child of inner) {
    const branch = child.schemaPath.startsWith(schemaPath)
      ? child.schemaPath.slice(schemaPath.length + 1).split('/')[0]
      : child.schemaPath.split('/')[2]
    branches.set(String(branch), [...(branches.get(String(branch)) ?? []), child])
  }
  const hasOtherType = ({ keyword, instancePath: path }: ErrorObject) =>
    path === instancePath && ['type', 'const', 'enum'].includes(keyword)
  return [...branches.values()].filter(found => !found.some(hasOtherType)).sort((a, b) => a.length - b.length)[0] ?? []
}

function invalidKey(key: string, error: ErrorObject, tree: MapTree, path: Path): Diagnostic {
  const own = [...path, key]
  const { pattern } = schemaOf(error)
  const near = error.keyword === 'pattern' ? respelled(key, new RegExp(String(pattern), 'u')) : undefined
  const hint =
    near !== undefined
      ? `Did you mean "${near}"?`
      : error.keyword === 'maxLength'
        ? `Use at most ${error.params.limit} characters`
        : `Keys must match ${pattern}`
  return diagnosticAt('invalid_key', keyLocation(tree, own), own, `Invalid key "${key}"${inPath(path)}`, hint)
}

/** The same words in camel case, with underscores or with hyphens: the first spelling that the pattern accepts. */
function respelled(key: string, pattern: RegExp): string | undefined {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map(word => word.toLowerCase())
  const camel = words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
  return [camel, words.join('_'), words.join('-')].find(spelling => spelling !== key && pattern.test(spelling))
}

/** What modules declare in code, and the option of `larder module new` that writes an example. */
const DECLARED_IN_CODE: readonly [key: RegExp, option: string][] = [
  [/^(jobs?|crons?|cronjobs?|schedules?|tasks?|workers?|queues?)$/i, ' --job'],
  [/^(listeners?|events?|triggers?|subscriptions?)$/i, ' --listener'],
  [/^(routes?|endpoints?|apis?|hooks?|functions?|migrations?)$/i, ''],
]

function moduleHint(key: string): string | undefined {
  const found = DECLARED_IN_CODE.find(([pattern]) => pattern.test(key))
  return found && `Modules declare this in code. Write one with: larder module new <name>${found[1]}`
}

type ErrorFormatter = (error: ErrorObject, tree: MapTree, path: Path) => Diagnostic
const named = (path: Path): string => (path.length === 0 ? 'The recipe' : `"${dotted(path)}"`)
const inPath = (path: Path): string => (path.length === 0 ? '' : ` in "${dotted(path)}"`)
const schemaOf = (error: ErrorObject): Json => (error.parentSchema ?? {}) as Json
const atValue =
  (describe: (error: ErrorObject, path: Path, tree: MapTree) => [message: string, hint?: string]): ErrorFormatter =>
  (error, tree, path) =>
    diagnosticAt('invalid_value', valueLocation(tree, path), path, ...describe(error, path, tree))
const invalidValue = ({ data }: ErrorObject, path: Path): string =>
  path.length === 0 ? `Invalid value ${quoted(data)}` : `Invalid value ${quoted(data)} for "${dotted(path)}"`
/** @param rule contains `#` for the limit. */
const bound = (rule: string): ErrorFormatter =>
  atValue(({ params, data }, path) => [
    `${named(path)} must be ${rule.replace('#', String(params.limit))}, not ${quoted(data)}`,
  ])
const size = (rule: string, unit: string): ErrorFormatter =>
  atValue(({ params: { limit } }, path) => [
    `${named(path)} must have ${rule} ${limit} ${unit}${limit === 1 ? '' : 's'}`,
  ])
const wrongFormat = atValue((error, path) => [invalidValue(error, path), formatHint(schemaOf(error))])
const wrongType: ErrorFormatter = (error, tree, path) => {
  const here = at(tree, path)
  if (here?.kind === 'scalar' && here.unquotedColor !== undefined)
    return diagnosticAt('unquoted_color', here.place, path, ...describeUnquotedColor(here.unquotedColor))
  const message = `${named(path)} must be ${schemaToText(schemaOf(error))}, ${describeValue(error.data)}`
  const hint = error.keyword === 'type' ? typeHint(error, path, tree) : undefined
  return diagnosticAt('invalid_value', valueLocation(tree, path), path, message, hint)
}

const ERROR_FORMATTERS: Readonly<Record<string, ErrorFormatter>> = {
  additionalProperties(error, tree, path) {
    const key = String(error.params.additionalProperty)
    const schema = schemaOf(error)
    const known = Object.keys((schema.properties ?? {}) as Json)
    const [pattern] = Object.keys((schema.patternProperties ?? {}) as Json)
    const own = [...path, key]
    const hint =
      (path.length === 0 ? moduleHint(key) : undefined) ??
      didYouMean(key, known) ??
      (known.length > 0 ? `Known keys: ${formatList(known)}` : undefined)
    const message =
      pattern && known.length === 0 ? `Invalid key "${key}"${inPath(path)}` : `Unknown key "${key}"${inPath(path)}`
    return diagnosticAt('unknown_key', keyLocation(tree, own), own, message, pattern ? keyHint(pattern, schema) : hint)
  },
  required(error, tree, path) {
    const key = String(error.params.missingProperty)
    const schema = ((schemaOf(error).properties ?? {}) as Record<string, Json>)[key]
    const message = `Missing key "${key}"${inPath(path)}`
    return diagnosticAt('missing_key', keyLocation(tree, path), path, message, `Add ${lineFor(key, schema)}`)
  },
  type: wrongType,
  anyOf: wrongType,
  oneOf: wrongType,
  enum: atValue((error, path) => {
    const allowed = (error.params.allowedValues as unknown[]).map(String)
    const meant = (schemaOf(error)['x-synonyms'] as Readonly<Record<string, string>> | undefined)?.[String(error.data)]
    const near = meant === undefined ? didYouMean(String(error.data), allowed) : `Use ${meant}.`
    const list = `Allowed values: ${formatList(allowed)}`
    return [invalidValue(error, path), near && allowed.length > 2 ? `${near} ${list}` : list]
  }),
  const: atValue((error, path) => [
    invalidValue(error, path),
    `Write ${path.at(-1)}: ${toYaml(error.params.allowedValue)}`,
  ]),
  pattern: wrongFormat,
  format: wrongFormat,
  minimum: bound('at least #'),
  maximum: bound('at most #'),
  exclusiveMinimum: bound('more than #'),
  exclusiveMaximum: bound('less than #'),
  minLength: size('at least', 'character'),
  maxLength: size('at most', 'character'),
  minItems: size('at least', 'item'),
  maxItems: size('at most', 'item'),
  uniqueItems: atValue(({ data, params }, path) => [
    `${named(path)} contains ${quoted((data as unknown[])[params.i])} twice`,
    'Remove one of them',
  ]),
}

const other: ErrorFormatter = atValue((error, path) => [`${named(path)} ${error.message ?? 'is invalid'}`])

function keyHint(pattern: string, schema: Json): string {
  const [example] = (schema.examples as Json[] | undefined) ?? []
  return example ? `Use a key such as ${Object.keys(example)[0]}` : `Keys must match ${pattern}`
}

function formatHint(schema: Json): string {
  const format = formatToText(schema)
  if (format) return `Use ${format}`
  if (schema.pattern === LINE_PATTERN) return 'Write visible text in one line, without control characters'
  const [example] = (schema.examples as unknown[] | undefined) ?? []
  const { description } = schema
  if (example !== undefined) return `Use a value such as ${toYaml(example)}${description ? ` (${description})` : ''}`
  return typeof description === 'string' ? description : `The value must match ${schema.pattern}`
}

function typeHint(error: ErrorObject, path: Path, tree: MapTree): string | undefined {
  const schema = schemaOf(error)
  const here = at(tree, path)
  const wantsOther = ![schema.type].flat().includes('string')
  if (here?.kind === 'scalar' && here.fromEnv && typeof error.data === 'string' && wantsOther)
    return 'Remove the quotes around the variable, so that its value can be a number or a boolean'
  if (typeof error.data === 'number' && schema.type === 'string' && !formatToText(schema))
    return `Quote it: "${error.data}"`
  // A list or a map says more than one value does: that value, such as `true` of a rule, could allow more than was meant.
  if (typeof error.data === 'object' && error.data !== null && typeof example(schema) !== 'object')
    return typeof schema.description === 'string' ? `Expected: ${schema.description}` : undefined
  // So does another value than a spelling of `true`.
  if (example(schema) === true && !/^(true|yes|on|1)$/i.test(String(error.data)))
    return typeof schema.description === 'string' ? `Expected: ${schema.description}` : undefined
  const key = path.at(-1)
  const named = namedExample(schema, error.data)
  if (named) return `Write ${lineFor(String(key), { ...schema, examples: [named] })}`
  return example(schema) !== undefined || schema.description ? `Write ${lineFor(String(key), schema)}` : undefined
}

/** The map with the names that were meant, if a name or a list of names stands where a map from names is needed. */
function namedExample(schema: Json, data: unknown): Json | undefined {
  const shown = example(schema)
  const names = [data].flat()
  const isMap = schema.patternProperties !== undefined || isRecord(schema.additionalProperties)
  if (!isMap || !isRecord(shown) || names.length === 0 || !names.every(isName)) return undefined
  const [value] = Object.values(shown)
  return Object.fromEntries(names.map(name => [name, value]))
}
const isName = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]+$/.test(value)

/** The end of a sentence about a value of another type. */
function describeValue(data: unknown): string {
  if (data === null) return 'but it is empty'
  if (Array.isArray(data)) return 'not a list'
  return typeof data === 'object' ? 'not a map' : `not ${quoted(data)}`
}

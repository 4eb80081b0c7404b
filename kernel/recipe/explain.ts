/** What ajv found, as problems of a recipe: where it stands, and what would be right. */

import type { ErrorObject } from 'ajv'
import { didYouMean, some } from '../base/index.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import type { Json } from './draft07.ts'
import { example, formInWords, lineFor, schemaToText, shown } from './schema-to-text.ts'
import { at, dotted, keyLocation, type MapTree, type Path, valueLocation } from './tree.ts'

/** @param base path of the value that was checked. */
export function explain(errors: readonly ErrorObject[], tree: MapTree, base: Path): Diagnostic[] {
  return withoutBranches(errors).map(error => {
    const path = [...base, ...pathOf(error.instancePath, tree, base)]
    return (ERROR_FORMATTERS[error.keyword] ?? other)(error, tree, path)
  })
}

/** `/plans/pro/0` → steps; what is a list in the recipe is stepped into by number. */
function pathOf(instancePath: string, tree: MapTree, base: Path): Path {
  const path: (string | number)[] = []
  for (const step of instancePath.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(at(tree, [...base, ...path])?.kind === 'list' ? Number(key) : key)
  }
  return path
}

/**
 * Where a value may be one of several things, ajv tells what is wrong with each of them. Kept is what is wrong with
 * the one that it was meant to be, or the sentence that names them all.
 */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    if (error.keyword === 'if') continue
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') {
      kept.push(error)
      continue
    }
    const inner = kept.filter(child => child.instancePath.startsWith(error.instancePath) && isWithin(child, error))
    const meant = branchMeant(inner, error)
    for (const child of inner) if (!meant.includes(child)) kept.splice(kept.indexOf(child), 1)
    if (meant.length === 0) kept.push(error)
  }
  return kept
}

const isWithin = (child: ErrorObject, { schemaPath }: ErrorObject): boolean =>
  child.schemaPath.startsWith(`${schemaPath}/`) || child.schemaPath.startsWith('#/definitions/')

function branchMeant(inner: readonly ErrorObject[], { schemaPath, instancePath }: ErrorObject): ErrorObject[] {
  const branches = new Map<string, ErrorObject[]>()
  for (const child of inner) {
    const branch = child.schemaPath.startsWith(schemaPath)
      ? child.schemaPath.slice(schemaPath.length + 1).split('/')[0]
      : child.schemaPath.split('/')[2]
    branches.set(String(branch), [...(branches.get(String(branch)) ?? []), child])
  }
  const isOfOtherKind = ({ keyword, instancePath: path }: ErrorObject) =>
    path === instancePath && ['type', 'const', 'enum'].includes(keyword)
  return [...branches.values()].filter(found => !found.some(isOfOtherKind)).sort((a, b) => a.length - b.length)[0] ?? []
}

type ErrorFormatter = (error: ErrorObject, tree: MapTree, path: Path) => Diagnostic
const named = (path: Path): string => (path.length === 0 ? 'the recipe' : `'${dotted(path)}'`)
const schemaOf = (error: ErrorObject): Json => (error.parentSchema ?? {}) as Json
const atValue =
  (tell: (error: ErrorObject, path: Path, tree: MapTree) => [message: string, hint?: string]): ErrorFormatter =>
  (error, tree, path) =>
    diagnosticAt('invalid_value', valueLocation(tree, path), path, ...tell(error, path, tree))
const limit = (words: string): ErrorFormatter =>
  atValue(({ params, data }, path) => [`${named(path)} is ${shown(data)}: ${words.replace('#', String(params.limit))}`])

const ERROR_FORMATTERS: Readonly<Record<string, ErrorFormatter>> = {
  additionalProperties(error, tree, path) {
    const key = String(error.params.additionalProperty)
    const schema = schemaOf(error)
    const known = Object.keys((schema.properties ?? {}) as Json)
    const [pattern] = Object.keys((schema.patternProperties ?? {}) as Json)
    const own = [...path, key]
    const hint = didYouMean(key, known) ?? (known.length > 0 ? `keys here: ${some(known)}` : undefined)
    const message =
      pattern && known.length === 0
        ? `'${key}' cannot be a key of ${named(path)}`
        : `there is no key '${key}' in ${named(path)}`
    return diagnosticAt('unknown_key', keyLocation(tree, own), own, message, pattern ? keyForm(pattern, schema) : hint)
  },
  required(error, tree, path) {
    const key = String(error.params.missingProperty)
    const schema = ((schemaOf(error).properties ?? {}) as Record<string, Json>)[key]
    return diagnosticAt(
      'missing_key',
      keyLocation(tree, path),
      path,
      `${named(path)} lacks '${key}'`,
      `add ${lineFor(key, schema)}`,
    )
  },
  type: atValue((error, path, tree) => {
    const words = schemaToText(schemaOf(error))
    return [`${named(path)} should be ${words}, not ${kindOf(error.data)}`, typeHint(error, path, tree)]
  }),
  enum: atValue((error, path) => {
    const allowed = (error.params.allowedValues as unknown[]).map(String)
    const near = didYouMean(String(error.data), allowed)
    const hint = `one of ${some(allowed)}`
    return [
      `${named(path)} cannot be ${shown(error.data)}`,
      near && allowed.length > 2 ? `${near} It is ${hint}` : hint,
    ]
  }),
  const: atValue((error, path) => [
    `${named(path)} cannot be ${shown(error.data)}`,
    `write ${path.at(-1)}: ${shown(error.params.allowedValue)}`,
  ]),
  pattern: atValue((error, path) => [`${named(path)} cannot be ${shown(error.data)}`, form(schemaOf(error))]),
  format: atValue((error, path) => [`${named(path)} cannot be ${shown(error.data)}`, form(schemaOf(error))]),
  anyOf: atValue((error, path) => [
    `${named(path)} should be ${schemaToText(schemaOf(error))}, not ${kindOf(error.data)}`,
  ]),
  oneOf: atValue((error, path) => [`${named(path)} should be one of: ${schemaToText(schemaOf(error))}`]),
  minimum: limit('it is at least #'),
  maximum: limit('it is at most #'),
  exclusiveMinimum: limit('it is more than #'),
  exclusiveMaximum: limit('it is less than #'),
  minLength: limit('it has at least # characters'),
  maxLength: limit('it has at most # characters'),
  minItems: limit('it has at least # items'),
  maxItems: limit('it has at most # items'),
  uniqueItems: atValue(({ data, params }, path) => [
    `${named(path)} has ${shown((data as unknown[])[params.i])} twice`,
    'keep one of the two',
  ]),
}

const other: ErrorFormatter = atValue((error, path) => [`${named(path)} ${error.message ?? 'is not right'}`])

function keyForm(pattern: string, schema: Json): string {
  const [like] = (schema.examples as Json[] | undefined) ?? []
  return like ? `keys here look like ${Object.keys(like)[0]}` : `keys here match ${pattern}`
}

/** What a text has to look like. */
function form(schema: Json): string {
  const words = formInWords(schema)
  if (words) return `write ${words}`
  const [like] = (schema.examples as unknown[] | undefined) ?? []
  if (like !== undefined)
    return `write something like ${shown(like)}${schema.description ? ` (${schema.description})` : ''}`
  return typeof schema.description === 'string' ? schema.description : `it matches ${schema.pattern}`
}

function typeHint(error: ErrorObject, path: Path, tree: MapTree): string | undefined {
  const schema = schemaOf(error)
  const here = at(tree, path)
  const wantsOther = ![schema.type].flat().includes('string')
  if (here?.kind === 'scalar' && here.fromEnv && typeof error.data === 'string' && wantsOther)
    return 'it comes from a variable: without quotes around it, a number or true stays what it is'
  if (typeof error.data === 'number' && schema.type === 'string') {
    if (!formInWords(schema)) return `put it in quotes: "${error.data}"`
  }
  const key = path.at(-1)
  return example(schema) !== undefined || schema.description ? `write ${lineFor(String(key), schema)}` : undefined
}

function kindOf(data: unknown): string {
  if (data === null) return 'empty'
  if (Array.isArray(data)) return 'a list'
  if (typeof data === 'object') return 'a map'
  return typeof data === 'string' ? `the text ${shown(data)}` : shown(data)
}

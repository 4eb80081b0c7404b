/** Forms in the front matter of page templates, which create a row. Pure. */
import { didYouMean, inEnglish, isRecord } from '@larder-dev/larder/kernel'
import { type DataShape, formatList, type PageDataCheck } from '@larder-dev/larder/kernel/internal'
import type { Collection, Collections, FieldType } from '../declarations/collection.ts'
import { REQUEST_VARIABLES, requestVariable, type Subject } from '../declarations/condition.ts'
import { isFilled } from '../fields/defaults.ts'
import { requiredFields } from '../fields/field-lists.ts'
import { valueOfText } from '../fields/form-items.ts'
import { valueError } from '../fields/value-validation.ts'
import { PARAMETER } from '../queries/page-query.ts'
import type { Values } from './row-values.ts'

/** A form in the front matter of a template. */
export interface PageForm {
  /** Name of the collection. */
  readonly create: string
  /** Names of the fields that the visitor fills in. */
  readonly fields?: readonly string[]
  /**
   * Field → value. Texts may be `$member`, `$user`, `$tenant`, `$now`, `$locale`, `$path.<name>`, `$query.<name>`
   * and `$data.<query>.<field>`.
   */
  readonly set?: Values
  /** Path of the page that is shown afterward; the same page by default. */
  readonly redirect?: string
  /**
   * The workspace that gets the row: its ID or slug, `$path.<name>`, `$query.<name>` or `$data.<query>.<field>`. By default
   * that of the visitor, or the operator's if the collection is open to everybody.
   */
  readonly workspace?: string
}

const WORKSPACE = /^(?:ten_[0-9a-z]{26}|[a-z0-9](?:[a-z0-9-]{0,126}[a-z0-9])?)$/
const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(entry => typeof entry === 'string')
const KEYS: Readonly<Record<keyof PageForm, readonly [isValid: (value: unknown) => boolean, needed: string]>> = {
  create: [value => typeof value === 'string', 'must be the name of a collection'],
  fields: [isTextList, 'must be a list of fields'],
  set: [isRecord, 'must be a map of fields and values'],
  redirect: [
    value => typeof value === 'string' && /^\/(?![/\\])[^\s\\]*$/.test(value),
    'must be a path of this site, such as /thanks',
  ],
  workspace: [
    value => typeof value === 'string' && (value.startsWith('$') || WORKSPACE.test(value)),
    'must be the ID or the slug of a workspace, or a variable such as $path.workspace',
  ],
}

/** A visitor can type their values. */
export const TYPED: readonly FieldType[] = [
  'text',
  'longtext',
  'markdown',
  'slug',
  'email',
  'url',
  'integer',
  'number',
  'money',
  'boolean',
  'date',
  'datetime',
  'duration',
  'enum',
]
const DATA = /^\$data\.([A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*)$/

export const pageFormCheck =
  (collections: Collections): PageDataCheck['form'] =>
  (form, data, { isEmbedded }) => {
    const mistakes = shapeMistakes(form)
    if (mistakes.length > 0) return mistakes
    const { create, fields = [], set = {}, workspace } = form as PageForm
    const collection = collections.get(create)
    if (!collection) return [withHint(`unknown collection "${create}"`, create, [...collections.keys()])]
    const given = [...fields, ...Object.keys(set)]
    const missing = requiredFields(collection).filter(field => !isFilled(field) && !given.includes(field.name))
    return [
      ...given.flatMap((name, at) => fieldMistakes(collection, name, { isTyped: at < fields.length })),
      ...given.filter((name, at) => given.indexOf(name) < at).map(name => `the field "${name}" is given twice`),
      ...Object.entries(set).flatMap(([name, value]) => valueMistakes(collection, name, value, data)),
      ...missing.map(({ name }) => `the required field "${name}" is neither in fields nor in set`),
      ...(workspace === undefined ? [] : workspaceMistakes(collection, workspace, data)),
      ...(isEmbedded && !collection.access.guests
        ? [`a page with embed has forms for people who are not signed in, and they can't create rows of ${create}`]
        : []),
    ]
  }

function shapeMistakes(form: unknown): string[] {
  if (!isRecord(form) || !('create' in form)) return ['it must be a map with the key create']
  return Object.entries(form).flatMap(([key, value]) => {
    const [isValid, needed] = Object.hasOwn(KEYS, key) ? KEYS[key as keyof PageForm] : []
    if (!isValid) return [withHint(`unknown key "${key}"`, key, Object.keys(KEYS))]
    return isValid(value) ? [] : [`${key} ${needed}`]
  })
}

function fieldMistakes(
  { name: of, fields }: Collection,
  name: string,
  { isTyped }: { readonly isTyped: boolean },
): string[] {
  const field = fields.get(name)
  if (!field) return [withHint(`unknown field "${name}" in ${of}`, name, [...fields.keys()])]
  if (field.type === 'computed' || field.readOnly) return [`the field "${name}" can't be written`]
  return isTyped && !TYPED.includes(field.type)
    ? [`the field "${name}" can't be typed, because it is a ${field.type}. Give its value in set`]
    : []
}

function valueMistakes(
  { fields }: Collection,
  name: string,
  value: unknown,
  data: Readonly<Record<string, DataShape>>,
): string[] {
  const field = fields.get(name)
  if (!field) return []
  if (typeof value !== 'string' || !value.startsWith('$')) {
    const detail = value === null ? undefined : valueError(field, value)
    return detail === undefined ? [] : [`set.${name} ${inEnglish(detail)}`]
  }
  if (requestVariable(value)) return []
  return variableMistakes(`set.${name}`, value, data, [...REQUEST_VARIABLES, '$locale'])
}

/** @param others what the value may be beside the parameters of the page and its data. */
function variableMistakes(
  key: string,
  value: string,
  data: Readonly<Record<string, DataShape>>,
  others: readonly string[],
): string[] {
  if (PARAMETER.test(value) && (value !== '$locale' || others.includes(value))) return []
  const [, path] = DATA.exec(value) ?? []
  if (path === undefined)
    return [`${key} must be ${formatList([...others, '$path.…', '$query.…', '$data.…'])}, not "${value}"`]
  const unknown = unknownPart({ keys: data, of: 'data' }, path.split('.'))
  return unknown === undefined ? [] : [`${key}: ${unknown}`]
}

function workspaceMistakes(
  { name, scope, access }: Collection,
  workspace: string,
  data: Readonly<Record<string, DataShape>>,
): string[] {
  if (scope === 'shared') return [`rows of ${name} are shared and belong to the operator's workspace. Remove workspace`]
  if (!access.guests)
    return [
      `people who are not signed in can't create rows of ${name}, so each row belongs to the workspace of who sends it. Remove workspace`,
    ]
  return workspace.startsWith('$') ? variableMistakes('workspace', workspace, data, []) : []
}

/** The mistake in a path of data; undefined if there may be such a value. */
function unknownPart(shape: DataShape, [first, ...rest]: readonly string[]): string | undefined {
  if (first === undefined || shape === undefined) return undefined
  if ('items' in shape) return `"${first}" is a name in a list. Use a query with one: true`
  if (Object.hasOwn(shape.keys, first)) return unknownPart(shape.keys[first], rest)
  return withHint(`unknown name "${first}" in ${shape.of}`, first, Object.keys(shape.keys))
}

function withHint(mistake: string, name: string, known: readonly string[]): string {
  const hint = didYouMean(name, known) ?? (known.length > 0 ? `Names are ${formatList(known)}` : undefined)
  return hint === undefined ? mistake : `${mistake}. ${hint}`
}

export interface FormSources {
  /** Input names and values. */
  readonly input: Readonly<Record<string, string>>
  readonly data: Readonly<Record<string, unknown>>
  readonly subject: Subject
  /** The value of `$path.<name>`, `$query.<name>` or `$locale`. */
  parameter(name: string): string | undefined
}

/** The ID or slug of the workspace that the form names for its row; undefined if the page has no such text. */
export function namedWorkspace(
  { workspace }: PageForm & { readonly workspace: string },
  sources: Pick<FormSources, 'data' | 'parameter'>,
): string | undefined {
  const named = workspace.startsWith('$') ? ofPage(workspace, sources) : workspace
  return typeof named === 'string' && WORKSPACE.test(named) ? named : undefined
}

/** The values of the row. An empty input is left out. */
export function formValues({ fields = [], set = {} }: PageForm, collection: Collection, sources: FormSources): Values {
  const typed = fields.flatMap(name => {
    const field = collection.fields.get(name)
    const value = field && valueOfText(field, sources.input[name] ?? '')
    return value === undefined ? [] : [[name, value] as const]
  })
  const fixed = Object.entries(set).map(([name, value]) => [name, resolve(value, sources)] as const)
  return Object.fromEntries([...typed, ...fixed])
}

function resolve(value: unknown, sources: FormSources): unknown {
  if (typeof value !== 'string' || !value.startsWith('$')) return value
  const variable = requestVariable(value)
  return variable ? (sources.subject[variable] ?? null) : ofPage(value, sources)
}

/** A parameter of the page, or a value of its data. */
function ofPage(value: string, { data, parameter }: Pick<FormSources, 'data' | 'parameter'>): unknown {
  const [, path] = DATA.exec(value) ?? []
  if (path === undefined) return parameter(value) ?? null
  const found = path
    .split('.')
    .reduce<unknown>((part, key) => (isRecord(part) && Object.hasOwn(part, key) ? part[key] : null), data)
  // A Markdown field.
  return isRecord(found) ? String(found) : found
}

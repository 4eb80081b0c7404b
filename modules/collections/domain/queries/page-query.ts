/** Queries in the front matter of page templates. Pure. */
import { didYouMean, type FieldError, isRecord, Problem } from '@larder-dev/larder/kernel'
import {
  conditionParts,
  conditionShape,
  type DataShape,
  type Operators,
  type PageDataCheck,
} from '@larder-dev/larder/kernel/internal'
import { ConditionError, type ResolvedCondition, resolveCondition } from '../conditions/resolved-condition.ts'
import { type Collection, type Collections, type Field, isOpen } from '../declarations/collection.ts'
import type { Condition, Subject } from '../declarations/condition.ts'
import type { AccessRules } from '../rights/access.ts'
import { createView, type View } from '../rights/view.ts'
import { planAggregate } from './aggregate-query.ts'
import { isChoice, isFact } from './list-facts.ts'
import { type ListParameters, planList } from './list-query.ts'
import { badParameter, badValue } from './parameter-errors.ts'
import { nameOf, type Selection } from './selection.ts'

/** A query in the front matter of a template. */
export interface PageQuery {
  readonly collection: string
  /** Values may be `$path.<name>`, `$query.<name>`, `$locale` and the variables of rules. */
  readonly filter?: Condition
  readonly sort?: readonly string[]
  readonly expand?: readonly string[]
  /** Words, or a parameter as in `filter`. */
  readonly q?: string
  readonly limit?: number
  /** Name of the query parameter that has the cursor of the page. */
  readonly paginate?: string
  /** The first row instead of a page. */
  readonly one?: boolean
  /** Fields that visitors filter by, each in the query parameter of its name. */
  readonly filters?: readonly string[]
  /** Fields whose values each row has as `facts`, ready to be shown. References among them are expanded. */
  readonly facts?: readonly string[]
  /** Whether all rows are counted. */
  readonly total?: boolean
}

const KEYS: Readonly<Record<string, (value: unknown) => boolean>> = {
  collection: value => typeof value === 'string',
  filter: isRecord,
  sort: isTextList,
  expand: isTextList,
  q: value => typeof value === 'string',
  limit: value => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_LIMIT,
  paginate: value => typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,31}$/.test(value),
  one: value => typeof value === 'boolean',
  filters: isTextList,
  facts: isTextList,
  total: value => typeof value === 'boolean',
}
const LIST_KEYS = ['paginate', 'filters', 'total'] as const
/** Rows of a page; as in the list route. */
const MAX_LIMIT = 200
export const PARAMETER = /^\$(?:locale|(path|query)\.([A-Za-z][A-Za-z0-9_]*))$/

/** What visitors who are not signed in may name, whichever rows they may read. */
const VISITOR: AccessRules = {
  rows: () => 'all',
  granted: collection => (isOpen(collection) ? [] : 'all'),
  mayRead: (_collection, field) => !field.private && field.readRoles === undefined,
  mayWrite: () => false,
}

const visitorView = (collections: Collections): View =>
  createView({ collections, rules: VISITOR, operatorTenantId: '', caller: undefined, tenantId: '', now: 0 })

export function pageCountCheck(collections: Collections): PageDataCheck['count'] {
  const view = visitorView(collections)
  return (name, parameters) => {
    const collection = collections.get(name)
    if (!collection) return [unknownCollection(collections, name)]
    try {
      planAggregate(view, collection, parameters, 0)
      return []
    } catch (error) {
      if (!Problem.is(error)) throw error
      const { errors = [] } = error.extras as { readonly errors?: readonly FieldError[] }
      return errors.length > 0 ? errors.map(({ detail }) => detail) : [error.message]
    }
  }
}

function unknownCollection(collections: Collections, name: string): string {
  const hint = didYouMean(name, [...collections.keys()])
  return `unknown collection "${name}"${hint ? `. ${hint}` : ''}`
}

export function pageQueryCheck(collections: Collections): PageDataCheck['query'] {
  const view = visitorView(collections)
  return query => {
    const mistakes = shapeMistakes(query)
    if (mistakes.length > 0) return { mistakes, shape: undefined }
    const found = query as PageQuery
    const excluded = found.one ? LIST_KEYS.find(key => found[key] !== undefined) : undefined
    if (excluded) return { mistakes: [`one and ${excluded} exclude each other`], shape: undefined }
    const collection = collections.get(found.collection)
    if (!collection) return { mistakes: [unknownCollection(collections, found.collection)], shape: undefined }
    const named = shownMistakes(collection, found)
    if (named.length > 0) return { mistakes: named, shape: undefined }
    try {
      // Values of parameters are unknown until a visit, so only their fields are checked.
      const fixed = { ...found, filter: withValues(found.filter, () => undefined, { exists: true }) }
      const where = filterOf(view, collection, fixed.filter, {})
      const { selection } = planList(view, collection, parametersOf(collection, fixed, where))
      return { mistakes: [], shape: found.one ? rowShape(selection, found) : listShape(selection, found) }
    } catch (error) {
      if (!Problem.is(error)) throw error
      return { mistakes: [error.message], shape: undefined }
    }
  }
}

/** Fields that the page filters by or shows as facts, but can't. */
function shownMistakes(
  { name: of, fields }: Collection,
  { filter = {}, filters = [], facts = [] }: PageQuery,
): string[] {
  const mistakesOf = (
    key: 'filters' | 'facts',
    names: readonly string[],
    fits: (field: Field) => boolean,
    kinds: string,
  ) =>
    names.flatMap(name => {
      const field = fields.get(name)
      if (!field) {
        const hint = didYouMean(name, [...fields.keys()])
        return [`${key}: unknown field "${name}" in ${of}${hint ? `. ${hint}` : ''}`]
      }
      if (field.private || field.readRoles !== undefined) return [`${key}: visitors may not read the field "${name}"`]
      if (!fits(field)) return [`${key}: the field "${name}" is a ${field.type}. ${kinds}`]
      return Object.hasOwn(filter, name) && key === 'filters' ? [`filter has the field "${name}", too`] : []
    })
  const taken = facts.length > 0 && fields.has('facts') ? [`${of} has a field "facts"`] : []
  return [
    ...mistakesOf('filters', filters, isChoice, 'Fields to filter by are an enum, a boolean or a reference'),
    ...mistakesOf('facts', facts, isFact, 'Facts are short texts, numbers, times, enums and references'),
    ...taken,
  ]
}

const listShape = (selection: Selection, { paginate, q, total, facts }: PageQuery): DataShape => ({
  keys: {
    data: { items: rowShape(selection, { facts }) },
    nextCursor: undefined,
    total: undefined,
    filters: undefined,
    isFiltered: undefined,
    allUrl: undefined,
    search: undefined,
    ...(total && { noun: undefined }),
    ...(paginate !== undefined && { nextUrl: undefined, firstUrl: undefined }),
    ...(q !== undefined && { q: undefined }),
  },
  of: `a list of ${selection.collection.name}, whose rows are in data`,
})

function rowShape(selection: Selection, { facts }: Pick<PageQuery, 'facts'> = {}): DataShape {
  const { collection } = selection
  const shown = selection.targets.map(target => [nameOf(target), fieldShape(collection, nameOf(target), selection)])
  // Fields that only some roles read are there for those roles.
  const others = [...collection.fields.values()]
    .filter(({ private: hidden, readRoles }) => !hidden && readRoles !== undefined)
    .map(({ name }) => [name, undefined])
  return {
    keys: { ...Object.fromEntries([...shown, ...others]), ...(facts && { facts: undefined }) },
    of: collection.name,
  }
}

function fieldShape({ fields }: Collection, name: string, { expansions }: Selection): DataShape {
  const field = fields.get(name)
  const expanded = expansions.get(name)
  const row = expanded && rowShape(expanded)
  if (field?.reference?.many || field?.type === 'json') return row ? { items: row } : undefined
  if (row) return row
  const of = field?.reference ? `"${name}", which is an id. Add expand: [${name}] to the query` : `"${name}"`
  return { keys: { length: undefined }, of, isMarkdown: field?.type === 'markdown' }
}

function shapeMistakes(query: unknown): string[] {
  if (!isRecord(query) || !('collection' in query)) return ['it must be a map with the key collection']
  return Object.entries(query).flatMap(([key, value]) => {
    const isValid = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
    if (!isValid)
      return [
        `unknown key "${key}". ${didYouMean(key, Object.keys(KEYS)) ?? `Keys are ${Object.keys(KEYS).join(', ')}`}`,
      ]
    if (!isValid(value)) return [`${key} has the wrong type`]
    return key === 'filter' ? conditionShape(value as Condition).map(({ message }) => message) : []
  })
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(entry => typeof entry === 'string')
}

/**
 * Replaces parameters by their values. A test whose parameter has no value becomes `missing`, or is dropped, as is an
 * alternative or an opposite of which nothing is left.
 */
export function withValues(
  filter: Condition = {},
  resolve: (name: string) => string | undefined,
  missing: Operators = {},
): Condition {
  const within = (inner: Condition) => {
    const replaced = withValues(inner, resolve, missing)
    return Object.keys(replaced).length > 0 ? [replaced] : []
  }
  const replaced = conditionParts(filter).flatMap((part): [string, Condition[string]][] => {
    if (part.kind === 'not') return within(part.condition).map(inner => ['not', inner])
    if (part.kind === 'or') {
      const left = part.alternatives.flatMap(within)
      return left.length > 0 ? [['or', left]] : []
    }
    const tests = Object.entries(part.operators).flatMap(([operator, value]) => {
      if (typeof value !== 'string' || !PARAMETER.test(value)) return [[operator, value]]
      const found = resolve(value)
      return found === undefined ? Object.entries(missing) : [[operator, found]]
    })
    return tests.length > 0 ? [[part.name, Object.fromEntries(tests)]] : []
  })
  return Object.fromEntries(replaced)
}

/** Throws as the parameters of a list do. @param values of the parameters that the filter names. */
export function filterOf(view: View, collection: Collection, filter: Condition, values: Subject): ResolvedCondition {
  try {
    return resolveCondition(view, collection, filter, { ...values, ...view.subjectFor(collection) })
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    const { code, key, operator = 'eq', wording: text } = error
    const name = `filter[${key}][${operator}]`
    throw code === 'wrong_type' ? badValue(name, code, text) : badParameter(name, code, text)
  }
}

/** The query as the parameters of a list. */
export function parametersOf(
  { fields }: Collection,
  { sort, expand = [], facts = [], total, q, limit = 50 }: PageQuery,
  where: ResolvedCondition,
): ListParameters {
  const shown = facts.filter(name => fields.get(name)?.reference)
  const expanded = [...new Set([...expand, ...shown])]
  return {
    where,
    limit,
    sort: sort?.join(','),
    expand: expanded.length > 0 ? expanded.join(',') : undefined,
    q,
    include: total ? 'total' : undefined,
  }
}

/** The registration `pageData`: rows for page templates, read as the visitor. */
import { byCodeUnits, common, type Deps, didYouMean, isRecord, Problem, type Registrations } from 'larder/kernel'
import type { Condition, Operators } from '../domain/condition.ts'
import { filterParameters } from '../domain/filters.ts'
import { type ListedRow, type ListParameters, planList } from '../domain/list-query.ts'

/** A query in the front matter of a template. */
export interface PageQuery {
  readonly collection: string
  /** Values may be `$path.<name>` and `$query.<name>`. */
  readonly filter?: Condition
  readonly sort?: readonly string[]
  readonly expand?: readonly string[]
  readonly q?: string
  readonly limit?: number
  /** The first row instead of a page. */
  readonly one?: boolean
}
type PageData = Registrations['pageData']
type Visit = Parameters<PageData['load']>[1]

const KEYS: Readonly<Record<string, (value: unknown) => boolean>> = {
  collection: value => typeof value === 'string',
  filter: isRecord,
  sort: isTextList,
  expand: isTextList,
  q: value => typeof value === 'string',
  limit: value => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_LIMIT,
  one: value => typeof value === 'boolean',
}
/** Rows of a page; as in the list route. */
const MAX_LIMIT = 200
const PARAMETER = /^\$(path|query)\.([A-Za-z][A-Za-z0-9_]*)$/

export function createPageData({ collectionServices, operator }: Deps<'collectionServices' | 'operator'>): PageData {
  const { collections, reader } = collectionServices

  function mistakesIn(query: unknown): string[] {
    const shape = shapeMistakes(query)
    if (shape.length > 0) return shape
    const found = query as PageQuery
    const collection = collections.get(found.collection)
    if (!collection) {
      const hint = didYouMean(found.collection, [...collections.keys()].sort(byCodeUnits))
      return [`unknown collection '${found.collection}'${hint ? `. ${hint}` : ''}`]
    }
    try {
      // Values of parameters are unknown until a visit, so only their fields are checked.
      const fixed = { ...found, filter: withValues(found.filter, () => undefined, { exists: true }) }
      planList(collectionServices.view(undefined, operator.tenantId), collection, parametersOf(fixed))
      return []
    } catch (error) {
      if (!Problem.is(error)) throw error
      return [error.message]
    }
  }

  return {
    problems: mistakesIn,
    async load(query, visit) {
      const found = query as PageQuery
      const collection = collections.get(found.collection)
      if (!collection) throw common.not_found({ what: 'collection' })
      const view = collectionServices.view(visit.caller, visit.caller?.tenantId ?? operator.tenantId)
      const filter = withValues(found.filter, name => parameterOf(visit, name))
      const page = await reader.list(
        view,
        collection,
        parametersOf({ ...found, filter, ...(found.one && { limit: 1 }) }),
      )
      return found.one ? firstOf(page.data) : page
    },
  }
}

function firstOf([row]: readonly ListedRow[]): ListedRow {
  if (!row) throw common.not_found({ what: 'page' })
  return row
}

function shapeMistakes(query: unknown): string[] {
  if (!isRecord(query) || !('collection' in query)) return ['it must be a map with the key collection']
  return Object.entries(query).flatMap(([key, value]) => {
    const isValid = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
    if (!isValid)
      return [
        `unknown key '${key}'. ${didYouMean(key, Object.keys(KEYS)) ?? `Keys are ${Object.keys(KEYS).join(', ')}`}`,
      ]
    return isValid(value) ? [] : [`${key} has the wrong type`]
  })
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(entry => typeof entry === 'string')
}

/** The value of `$path.<name>` or `$query.<name>`; undefined for any other text. */
function parameterOf({ params, search }: Visit, name: string): string | undefined {
  const [, source, key = ''] = PARAMETER.exec(name) ?? []
  if (source === 'path') return Object.hasOwn(params, key) ? params[key] : undefined
  return source === 'query' ? (new URLSearchParams(search).get(key) ?? undefined) : undefined
}

/** Replaces parameters by their values. A test whose parameter has no value becomes `missing`, or is dropped. */
function withValues(
  filter: Condition = {},
  resolve: (name: string) => string | undefined,
  missing: Operators = {},
): Condition {
  const replaced = Object.entries(filter).map(([field, condition]) => {
    const operators = Object.entries(isRecord(condition) ? condition : { eq: condition })
    const tests = operators.flatMap(([operator, value]) => {
      if (typeof value !== 'string' || !PARAMETER.test(value)) return [[operator, value]]
      const found = resolve(value)
      return found === undefined ? Object.entries(missing) : [[operator, found]]
    })
    return [field, Object.fromEntries(tests)] as const
  })
  return Object.fromEntries(replaced) as Condition
}

/** The query as the parameters of the list route. */
const parametersOf = ({ filter = {}, sort, expand, q, limit = 50 }: PageQuery): ListParameters => ({
  ...filterParameters(filter),
  limit,
  sort: sort?.join(','),
  expand: expand?.join(','),
  q,
})

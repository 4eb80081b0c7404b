/** Links of a page that filter a list. They work without JavaScript: each is the page with another query. */
import type { Registrations } from '@larder-dev/larder/kernel'
import { pickText } from '@larder-dev/larder/kernel'
import type { Collection, Collections, Field } from '../domain/declarations/collection.ts'
import type { Condition } from '../domain/declarations/condition.ts'
import { rowLabel } from '../domain/fields/field-lists.ts'
import { type Choice, choicesOf } from '../domain/queries/list-facts.ts'
import { PARAMETER, type PageQuery } from '../domain/queries/page-query.ts'
import type { RowReader } from './row-reader.ts'
import type { ViewOf } from './views.ts'

export type PageVisit = Parameters<Registrations['pageData']['load']>[1]

/** Rows of a referenced collection that are offered. More wouldn't be read. */
const MAX_CHOICES = 50

interface ListFiltersDeps {
  readonly collectionMap: Collections
  readonly reader: RowReader
  readonly view: ViewOf
}
interface Filter {
  readonly field: Field
  readonly choices: readonly Choice[]
  /** The one in the query of the page. Values that aren't offered don't filter. */
  readonly chosen: Choice | undefined
}

export function createListFilters({ collectionMap, reader, view: viewOf }: ListFiltersDeps) {
  async function choices(field: Field, { caller, locale }: PageVisit, tenantId: string): Promise<readonly Choice[]> {
    const target = field.reference && collectionMap.get(field.reference.to)
    if (!target) return choicesOf(field, locale)
    const name = rowLabel(target)
    const view = await viewOf(caller, tenantId, target)
    const sort = name === 'id' ? undefined : name
    const { data } = await reader.list(view, target, { limit: MAX_CHOICES, ...(sort && { sort }) })
    return data.flatMap(row => {
      const label = row[name]
      return typeof label === 'string' && label !== '' ? [{ value: String(row.id), label }] : []
    })
  }

  return {
    /** The filters of a query, and the condition that the choices of the visitor make. */
    async read({ filters = [] }: PageQuery, { fields }: Collection, visit: PageVisit, tenantId: string) {
      const given = new URLSearchParams(visit.search)
      const found = await Promise.all(
        filters.flatMap(name => {
          const field = fields.get(name)
          return field ? [choices(field, visit, tenantId).then(offered => filterOf(field, offered, given))] : []
        }),
      )
      const condition: Condition = Object.fromEntries(
        found.flatMap(({ field, chosen }) =>
          chosen ? [[field.name, { eq: field.type === 'boolean' ? true : chosen.value }]] : [],
        ),
      )
      return { filters: found, condition }
    },

    /** What templates show. @param words of the search. */
    shown({ q, paginate }: PageQuery, filters: readonly Filter[], visit: PageVisit, words: string | undefined) {
      const first = paginate === undefined ? {} : { [paginate]: null }
      const searchName = /^\$query\.(.+)$/.exec(q ?? '')?.[1] ?? null
      const names = [...filters.map(({ field }) => field.name), ...(searchName === null ? [] : [searchName])]
      const kept = [...new URLSearchParams(visit.search)].filter(([name]) => name !== searchName && name !== paginate)
      return {
        filters: filters.map(({ field, choices, chosen }) => ({
          name: field.name,
          label: pickText(field.label, visit.locale, 'en'),
          allUrl: urlWith(visit, { ...first, [field.name]: null }),
          isAll: chosen === undefined,
          choices: choices.map(({ value, label }) => ({
            label,
            isChosen: value === chosen?.value,
            url: urlWith(visit, { ...first, [field.name]: value === chosen?.value ? null : value }),
          })),
        })),
        isFiltered: filters.some(({ chosen }) => chosen !== undefined) || (words ?? '').trim() !== '',
        allUrl: urlWith(visit, { ...first, ...Object.fromEntries(names.map(name => [name, null])) }),
        search: searchName && {
          name: searchName,
          path: visit.path,
          kept: kept.map(([name, value]) => ({ name, value })),
        },
      }
    },
  }
}

function filterOf(field: Field, choices: readonly Choice[], given: URLSearchParams): Filter {
  const value = given.get(field.name)
  return { field, choices, chosen: choices.find(each => each.value === value) }
}

/** The page with other values of these query parameters, null for none. The others are kept. */
export function urlWith({ path, search }: PageVisit, changes: Readonly<Record<string, string | null>>): string {
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes))
    if (value === null) parameters.delete(name)
    else parameters.set(name, value)
  return parameters.size > 0 ? `${path}?${parameters}` : path
}

/** The value of `$path.<name>`, `$query.<name>` or `$locale`; undefined for any other text. */
export function parameterOf({ params, search, locale }: PageVisit, name: string): string | undefined {
  if (name === '$locale') return locale
  const [, source, key = ''] = PARAMETER.exec(name) ?? []
  if (source === 'path') return Object.hasOwn(params, key) ? params[key] : undefined
  return source === 'query' ? (new URLSearchParams(search).get(key) ?? undefined) : undefined
}

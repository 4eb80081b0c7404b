/** Where the values of a field are chosen from: the rows of another collection, or the members of the workspace. */
import { useQueries } from '@tanstack/react-query'
import { SECOND } from '../../../../kernel/base/units.ts'
import { callApi } from '../data/api.ts'
import { batched } from '../data/batch.ts'
import type { CollectionField } from '../data/collection.ts'
import { MAX_PAGE } from '../data/get.ts'
import { keys } from '../data/keys.ts'
import type { ListOf } from '../data/loaded-rows.ts'
import { loadNameTexts } from '../data/names.ts'
import type { Query } from '../data/paths.ts'
import { keyOf, labelOf, listPathOf, type Resource, type Row, useResources } from '../data/resources.ts'
import { usePermissions } from '../data/session.ts'
import { findByWords } from '../data/word-search.ts'
import { useCollectionTexts } from './collection-texts.ts'

export interface Source {
  /** Differs between sources. */
  readonly id: string
  readonly path: string
  readonly title: string
  /** Undefined for members. */
  readonly resource: Resource | undefined
  readonly keyOf: (row: Row) => string
  readonly labelOf: (row: Row) => string
  /** @param text empty for the newest rows. */
  readonly find: (text: string, limit: number, signal: AbortSignal) => Promise<ListOf<Row>>
  readonly names: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** What is shown for a row that nobody can name. */
  readonly unknown: () => string
}

const load = async (path: string, query: Query, signal?: AbortSignal): Promise<ListOf<Row>> =>
  (await callApi<ListOf<Row>>({ path, query, signal })).body

export type NameOf = (key: string) => string
/** Time until a name is asked for again. */
const NAMED_MS = 30 * SECOND
const MEMBERS = '/v1/identity/members'

export const referenceTo = (collection: string): CollectionField => ({
  type: 'reference',
  operators: [],
  sortable: false,
  reference: { to: collection, many: true },
})

/** Undefined if the person may not list what the field refers to. */
export type SourceOf = (field: CollectionField | undefined) => Source | undefined

export const useSource: SourceOf = field => useSources()(field)

export function useSources(): SourceOf {
  const c = useCollectionTexts()
  const { data: resources = [] } = useResources()
  const { may } = usePermissions()
  return field => {
    if (field?.type === 'member' || field?.type === 'user')
      return may('identity.member.read') ? ofMembers(field.type, c) : undefined
    const { to = '' } = field?.reference ?? {}
    const resource = resources.find(({ id }) => id === (to.includes('.') ? to : `collections.${to}`))
    return resource && ofResource(resource)
  }
}

const ofMembers = (type: 'member' | 'user', c: ReturnType<typeof useCollectionTexts>): Source => ({
  id: `${MEMBERS} ${type}`,
  path: MEMBERS,
  title: c.people,
  resource: undefined,
  keyOf: row => String(type === 'member' ? row.id : row.userId),
  labelOf: row => String(row.name ?? row.email),
  find: (text, limit, signal) => load(MEMBERS, { limit, ...(text !== '' && { q: text }) }, signal),
  async names(keys) {
    const [key, parameter] = type === 'member' ? ['id', 'filter[id][in]'] : ['userId', 'filter[userId][in]']
    const { data } = await load(MEMBERS, { [parameter]: keys.join(','), limit: MAX_PAGE })
    return new Map(data.map(row => [String(row[key]), String(row.name ?? row.email)]))
  },
  unknown: () => c.formerMember,
})

function ofResource(resource: Resource): Source {
  const { label, search, title } = resource
  const path = listPathOf(resource)
  /** Other lists have no parameter `fields`. */
  const fields = resource.module === 'collections' ? { fields: label } : {}
  const rows = (query: Query, signal?: AbortSignal) => load(path, { ...fields, ...query }, signal)
  /** Without a search, parts of a text are case-sensitive. */
  const partsOf = (text: string): Query =>
    Object.fromEntries(
      [...new Set([text, text.toLowerCase(), text.charAt(0).toUpperCase() + text.slice(1)])].map((part, index) => [
        `or[${index}][${label}][contains]`,
        part,
      ]),
    )
  return {
    id: resource.id,
    path,
    title,
    resource,
    keyOf: row => keyOf(resource, row),
    labelOf: row => labelOf(resource, row),
    find(text, limit, signal) {
      const matches = (query: Query) => rows({ limit, ...query }, signal)
      if (text === '') return matches({})
      if (search === null) return matches(partsOf(text))
      return findByWords(
        words => matches({ [search]: words }),
        text,
        row => keyOf(resource, row),
      )
    },
    async names(keys) {
      if (resource.module !== 'collections') return loadNameTexts(keys)
      const { data } = await rows({ limit: MAX_PAGE, 'filter[id][in]': keys.join(',') })
      return new Map(data.map(row => [keyOf(resource, row), labelOf(resource, row)]))
    },
    unknown: () => resource.singular,
  }
}

/** By the ID of their source. */
const loaders = new Map<string, (key: string) => Promise<string | undefined>>()

function loaderOf({ id, names }: Source): (key: string) => Promise<string | undefined> {
  const known = loaders.get(id)
  if (known) return known
  const loader = batched(names)
  loaders.set(id, loader)
  return loader
}

export const loadName = async (source: Source | undefined, key: string): Promise<string> =>
  source ? ((await loaderOf(source)(key)) ?? source.unknown()) : ((await loadKind(key)) ?? key)
/** Without the right to list the rows: the kinds of records by their IDs. */
const loadKind = batched(loadNameTexts)

/** Names of rows by their keys. */
export function useNamesOf(source: Source | undefined, ids: readonly string[]): NameOf {
  const asked = [...new Set(ids)]
  const results = useQueries({
    queries: asked.map(key => ({
      queryKey: keys.search({ id: source?.id ?? '' }, 'name', key),
      queryFn: () => loadName(source, key),
      staleTime: NAMED_MS,
    })),
  })
  return key => results[asked.indexOf(key)]?.data ?? '…'
}

/** Where the values of a field are chosen from: the rows of another collection, or the members of the workspace. */
import { useQuery } from '@tanstack/react-query'
import { callApi, type Query } from '../data/api.ts'
import type { CollectionField } from '../data/collection.ts'
import { type ListOf, MAX_PAGE } from '../data/get.ts'
import { keyOf, labelOf, listPathOf, type Resource, type Row, useResources } from '../data/resources.ts'
import { useMe, usePermissions } from '../data/session.ts'
import { useCollectionTexts } from './collection-texts.ts'

export interface Source {
  readonly path: string
  readonly title: string
  /** Of rows that have a list of their own. */
  readonly resource: Resource | undefined
  /** Whether a search finds whole words only. */
  readonly findsWords: boolean
  readonly keyOf: (row: Row) => string
  readonly labelOf: (row: Row) => string
  /** @param text empty for the newest rows. */
  readonly searchQuery: (text: string) => Query
  readonly namesQuery: (ids: readonly string[]) => Query
  /** What is shown for a row that nobody can name. */
  readonly unknown: (id: string) => string
}

const MEMBERS = '/v1/identity/members'

/** Undefined if the person may not list what the field refers to. */
export function useSource(field: CollectionField | undefined): Source | undefined {
  const c = useCollectionTexts()
  const { data: resources = [] } = useResources()
  const { may } = usePermissions()
  if (field?.type === 'member') {
    if (!may('identity.member.read')) return undefined
    return {
      ...{ path: MEMBERS, title: c.people, resource: undefined, findsWords: false },
      keyOf: row => String(row.id),
      labelOf: row => String(row.name ?? row.email),
      searchQuery: text => (text === '' ? {} : { q: text }),
      namesQuery: () => ({ limit: MAX_PAGE }),
      unknown: () => c.formerMember,
    }
  }
  const resource = resources.find(({ id }) => id === `collections.${field?.reference?.to}`)
  return resource && ofResource(resource)
}

function ofResource(resource: Resource): Source {
  const { label, search, title } = resource
  const parameter = search ?? `filter[${label}][startsWith]`
  return {
    ...{ path: listPathOf(resource), title, resource, findsWords: search !== null },
    keyOf: row => keyOf(resource, row),
    labelOf: row => labelOf(resource, row),
    searchQuery: text => ({ fields: label, ...(text !== '' && { [parameter]: text }) }),
    namesQuery: ids => ({ fields: label, limit: MAX_PAGE, 'filter[id][in]': ids.slice(0, MAX_PAGE).join(',') }),
    unknown: id => id,
  }
}

export type NameOf = (id: string) => string

/** Names of rows by their keys. One request names all of them. */
export function useNamesOf(source: Source | undefined, ids: readonly string[]): NameOf {
  const sorted = [...new Set(ids)].sort()
  const query = source?.namesQuery(sorted) ?? {}
  const { data } = useQuery({
    queryKey: ['names', source?.path, query],
    queryFn: async ({ signal }) => (await callApi<ListOf<Row>>({ path: source?.path ?? '', query, signal })).body.data,
    enabled: source !== undefined && sorted.length > 0,
    staleTime: 30_000,
  })
  if (!source || !data) return id => id
  const names = new Map(data.map(row => [source.keyOf(row), source.labelOf(row)]))
  return id => names.get(id) ?? source.unknown(id)
}

interface Fellow {
  readonly userId: string
  readonly name: string | null
  readonly email: string
}

/** Names of members by the IDs of their users. */
export function useUserNames(): NameOf {
  const c = useCollectionTexts()
  const { may } = usePermissions()
  const { data: me } = useMe()
  const { data } = useQuery({
    queryKey: ['names', MEMBERS, { limit: MAX_PAGE }],
    queryFn: async ({ signal }) =>
      (await callApi<ListOf<Row>>({ path: MEMBERS, query: { limit: MAX_PAGE }, signal })).body.data,
    enabled: may('identity.member.read'),
    staleTime: 30_000,
  })
  const names = new Map(
    (data as readonly Fellow[] | undefined)?.map(({ userId, name, email }) => [userId, name ?? email]),
  )
  if (me?.user) names.set(me.user.id, me.user.name ?? me.user.email)
  return id => names.get(id) ?? (data ? c.formerMember : id)
}

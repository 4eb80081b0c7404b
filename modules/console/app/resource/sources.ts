/** Where the values of a field are chosen from: the rows of another collection, or the members of the workspace. */
import { useQueries } from '@tanstack/react-query'
import { SECOND } from '../../../../kernel/base/units.ts'
import { callApi, type Query } from '../data/api.ts'
import type { CollectionField } from '../data/collection.ts'
import { MAX_PAGE } from '../data/get.ts'
import type { ListOf } from '../data/loaded-rows.ts'
import { keyOf, labelOf, listPathOf, type Resource, type Row, useResources } from '../data/resources.ts'
import { usePermissions } from '../data/session.ts'
import { useCollectionTexts } from './collection-texts.ts'

export interface Source {
  /** Differs between sources. */
  readonly id: string
  readonly path: string
  readonly title: string
  /** Undefined for members. */
  readonly resource: Resource | undefined
  /** Whether a search finds whole words only. */
  readonly findsWords: boolean
  readonly keyOf: (row: Row) => string
  readonly labelOf: (row: Row) => string
  /** @param text empty for the newest rows. */
  readonly searchQuery: (text: string) => Query
  readonly namesQuery: (keys: readonly string[]) => Query
  /** What is shown for a row that nobody can name. */
  readonly unknown: (id: string) => string
}

export type NameOf = (key: string) => string
/** Time until a name is asked for again. */
const NAMED_MS = 30 * SECOND
const MEMBERS = '/v1/identity/members'

/** Undefined if the person may not list what the field refers to. */
export function useSource(field: CollectionField | undefined): Source | undefined {
  const c = useCollectionTexts()
  const { data: resources = [] } = useResources()
  const { may } = usePermissions()
  if (field?.type === 'member' || field?.type === 'user') {
    if (!may('identity.member.read')) return undefined
    return {
      ...{ id: `${MEMBERS} ${field.type}`, path: MEMBERS, title: c.people, resource: undefined, findsWords: false },
      keyOf: row => String(field.type === 'member' ? row.id : row.userId),
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
    ...{ id: resource.id, path: listPathOf(resource), title, resource, findsWords: search !== null },
    keyOf: row => keyOf(resource, row),
    labelOf: row => labelOf(resource, row),
    searchQuery: text => ({ fields: label, ...(text !== '' && { [parameter]: text }) }),
    namesQuery: keys => ({ fields: label, limit: MAX_PAGE, 'filter[id][in]': keys.join(',') }),
    unknown: id => id,
  }
}

/** Keys of one request. */
const MAX_NAMES = 100
type Names = ReadonlyMap<string, string>
interface Batch {
  readonly keys: Set<string>
  readonly names: Promise<Names>
}
const waiting = new Map<string, Batch>()

/** What is shown at the same time is named by one request. */
function loadName(source: Source, key: string): Promise<string> {
  const found = waiting.get(source.id)
  const batch = found && found.keys.size < MAX_NAMES ? found : startBatch(source)
  batch.keys.add(key)
  return batch.names.then(names => names.get(key) ?? source.unknown(key))
}

function startBatch(source: Source): Batch {
  const keys = new Set<string>()
  const load = async (): Promise<Names> => {
    await new Promise(resolve => setTimeout(resolve))
    if (waiting.get(source.id) === batch) waiting.delete(source.id)
    const { body } = await callApi<ListOf<Row>>({ path: source.path, query: source.namesQuery([...keys]) })
    return new Map(body.data.map(row => [source.keyOf(row), source.labelOf(row)]))
  }
  const batch = { keys, names: load() }
  waiting.set(source.id, batch)
  return batch
}

/** Names of rows by their keys; a key until its row is named, and without the right to list the rows. */
export function useNamesOf(source: Source | undefined, keys: readonly string[]): NameOf {
  const asked = source ? [...new Set(keys)] : []
  const results = useQueries({
    queries: asked.map(key => ({
      queryKey: ['name', source?.id, key],
      queryFn: () => loadName(source as Source, key),
      staleTime: NAMED_MS,
    })),
  })
  return key => results[asked.indexOf(key)]?.data ?? key
}

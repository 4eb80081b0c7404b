/** The operator's search: queries every module concurrently. */
import { type Caller, type Deps, once, type Registrations } from '@larder-dev/larder/kernel'
import type { SearchGroup } from '../records/search.ts'

type Source = Registrations['search'][number]

/** Results of one source. */
const MAX_RESULTS = 5

export interface Search {
  /** Groups with results, and those that failed, in the order of the modules. */
  find(words: string, caller: Caller, locale: string): Promise<SearchGroup[]>
}

type SearchDeps = Deps<'registry' | 'theme' | 'log', 'tenantDirectory'>

export function createSearch({ registry, theme, log, tenantDirectory }: SearchDeps): Search {
  const sources = once(() =>
    registry
      .collect<readonly Source[]>('search')
      .flatMap(({ key, value }) => value.map(source => ({ id: `${key}.${source.name}`, source }))),
  )

  async function ask(id: string, source: Source, words: string, locale: string): Promise<SearchGroup> {
    const group = { id, title: theme.text(locale, source.title), resource: source.resource ?? null }
    try {
      const hits = await source.find(words, MAX_RESULTS + 1)
      const results = hits.slice(0, MAX_RESULTS).map(hit => ({ ...hit, tenantName: null }))
      return { ...group, results, more: hits.length > MAX_RESULTS, failed: false }
    } catch (error) {
      // The others are still useful.
      log.warn({ err: error, source: id }, 'a source of the search failed')
      return { ...group, results: [], more: false, failed: true }
    }
  }

  async function withNames(groups: readonly SearchGroup[]): Promise<SearchGroup[]> {
    const ids = new Set(groups.flatMap(({ results }) => results.flatMap(({ tenantId }) => tenantId ?? [])))
    const found = await Promise.all([...ids].map(async id => [id, (await tenantDirectory?.find(id))?.name] as const))
    const names = new Map(found)
    return groups.map(group => ({
      ...group,
      results: group.results.map(hit => ({ ...hit, tenantName: names.get(hit.tenantId ?? '') ?? null })),
    }))
  }

  return {
    async find(words, caller, locale) {
      const allowed = sources().filter(({ source }) => caller.can(source.allow))
      const groups = await Promise.all(allowed.map(({ id, source }) => ask(id, source, words, locale)))
      return withNames(groups.filter(({ results, failed }) => results.length > 0 || failed))
    },
  }
}

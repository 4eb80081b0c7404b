/** Names of records by their IDs. */
import { api } from './api.ts'
import type { RecordName } from './api-types.ts'

export async function loadNames(ids: readonly string[]): Promise<ReadonlyMap<string, RecordName>> {
  const { body } = await api.get('/v1/platform/names', { query: { ids: ids.join(',') } })
  return new Map(body.data.map(named => [named.id, named]))
}

/** The kind of record for one without a name. */
export async function loadNameTexts(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await loadNames(ids))].map(([id, { name, title }]) => [id, name ?? title]))
}

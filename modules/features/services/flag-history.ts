/** The revisions of a flag, newest first. */
import { type Deps, decodeCursor, type PageOf, pageLimit, toPage } from 'larder/kernel'
import type { Definition } from '../domain/flag.ts'
import type { FlagRevision } from '../records/flag.ts'
import type { FlagListing } from './flag-listing.ts'

interface Row {
  readonly revision: number
  readonly name: string | null
  readonly description: string | null
  readonly definition: Definition
  readonly changedBy: string | null
  readonly changedAt: Date
}
export interface FlagHistory {
  /** Empty for a flag of the recipe in other tenants than the operator's. Throws `not_found`. */
  list(
    tenantId: string,
    key: string,
    query: { limit?: number; cursor?: string | undefined },
  ): Promise<PageOf<FlagRevision>>
}

export const createFlagHistory = ({ database }: Deps<'database'>, listing: FlagListing): FlagHistory => ({
  async list(tenantId, key, query) {
    const { flag } = await listing.get(tenantId, key)
    const [before = null] = decodeCursor(query.cursor, 1) ?? []
    const limit = pageLimit(query)
    const { rows } = await database.tenant(tenantId).query<Row>(
      `select revision, name, description, definition, changed_by as "changedBy", changed_at as "changedAt"
       from features_revisions where flag_id = $1 and ($2::integer is null or revision < $2)
       order by revision desc limit $3`,
      [flag.id, before, limit + 1],
    )
    const revisions = rows.map(({ definition, ...row }) => ({ ...row, ...definition }))
    return toPage(revisions, limit, ({ revision }) => [revision])
  },
})

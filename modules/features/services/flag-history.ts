/** The revisions of a flag, newest first. */
import type { Deps, PageOf } from '@larder-dev/larder/kernel'
import { type FlagRevision, revisionTable } from '../records/flag.ts'
import type { FlagListing } from './flag-listing.ts'

export interface FlagHistory {
  /** Empty for a flag of the recipe in other tenants than the operator's. Throws `not_found`. */
  list(
    tenantId: string,
    key: string,
    query: { limit?: number; cursor?: string | undefined },
  ): Promise<PageOf<FlagRevision>>
}

type HistoryDeps = Deps<'database'> & { readonly flagListing: FlagListing }

export const createFlagHistory = ({ database, flagListing }: HistoryDeps): FlagHistory => ({
  async list(tenantId, key, query) {
    const { flag } = await flagListing.get(tenantId, key)
    const { limit, cursor } = query
    const page = await revisionTable.page(database.tenant(tenantId), { limit, cursor, where: { flagId: flag.id } })
    return { ...page, data: page.data.map(({ definition, ...revision }) => ({ ...revision, ...definition })) }
  },
})

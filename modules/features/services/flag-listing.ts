/** Flags as admins read them: those of the tenant and of the recipe, with the tenant's overrides. */
import {
  byCodeUnits,
  type Deps,
  decodeCursor,
  type PageOf,
  pageLimit,
  together,
  toPage,
} from '@larder-dev/larder/kernel'
import { typeOf, type Value } from '../domain/value.ts'
import type { Flag, FlagRow } from '../records/flag.ts'
import { featureNotFound, flagEtag, type OverrideRow, recipeFlags, tenantFlags } from './flag-repository.ts'

export interface ListedFlag {
  readonly flag: Flag
  readonly etag: string
}
export interface FlagListing {
  /** Ordered by key. */
  list(tenantId: string, query: { limit?: number; cursor?: string | undefined }): Promise<PageOf<Flag>>
  /** Throws `not_found`. */
  get(tenantId: string, key: string): Promise<ListedFlag>
}

export function createFlagListing({ database, systemDatabase }: Deps<'database' | 'systemDatabase'>): FlagListing {
  /** @param condition SQL condition on the key. @param tail SQL after the condition. */
  async function read(
    tenantId: string,
    condition: string,
    tail: string,
    values: readonly unknown[],
  ): Promise<ListedFlag[]> {
    const unit = database.tenant(tenantId)
    const { shared, own, stored } = await together({
      shared: recipeFlags(systemDatabase, `${condition} ${tail}`, values),
      own: tenantFlags(unit, `${condition} ${tail}`, values),
      stored: unit.query<OverrideRow>(`select key, value from features_overrides where ${condition}`, values),
    })
    // A flag of the recipe hides the tenant's flag with the same key.
    const rows = new Map([...own, ...shared].map(row => [row.key, row]))
    const overrides = new Map(stored.rows.map(({ key, value }) => [key, value]))
    return [...rows.values()]
      .sort((a, b) => byCodeUnits(a.key, b.key))
      .map(row => toListedFlag(row, overrides.get(row.key)))
  }

  return {
    async list(tenantId, query) {
      const [after = ''] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      // Both lists are ordered and cut at `limit + 1`, so the first entries of their merge are complete.
      const found = await read(tenantId, 'key > $1', `order by key limit ${limit + 1}`, [after])
      const flags = found.map(({ flag }) => flag).slice(0, limit + 1)
      return toPage(flags, limit, flag => [flag.key])
    },
    async get(tenantId, key) {
      const [found] = await read(tenantId, 'key = $1', '', [key])
      if (!found) throw featureNotFound()
      return found
    },
  }
}

export const toListedFlag = (row: FlagRow, override: Value | undefined): ListedFlag => ({
  flag: toFlag(row, override),
  etag: flagEtag(row, override),
})

function toFlag(
  { definition, revision: _, editable: __, recipeHash: ___, ...row }: FlagRow,
  override: Value | undefined,
): Flag {
  const type = typeOf(definition.default)
  // An override of another type predates the flag's current definition.
  const current = override !== undefined && typeOf(override) === type ? override : null
  return { ...row, ...definition, type, override: current }
}

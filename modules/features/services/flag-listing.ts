/** Flags as an admin reads them: the tenant's own beside those of the recipe, with its overrides. */
import { byCodeUnits, type Deps, decodeCursor, type PageOf, pageLimit, toPage } from 'larder/kernel'
import { typeOf, type Value } from '../domain/value.ts'
import type { Flag } from '../routes/flag-schemas.ts'
import { type FlagRow, noSuchFeature, type OverrideRow, ownFlags, recipeFlags, tagOf } from './flag-repository.ts'

export interface Found {
  readonly flag: Flag
  readonly tag: string
}

export function createListing({ database }: Deps<'database'>) {
  /** `condition` on the key, and what follows it, with their values. */
  async function read(tenantId: string, condition: string, tail: string, values: readonly unknown[]): Promise<Found[]> {
    const unit = database.tenant(tenantId)
    const [common, own, set] = await Promise.all([
      recipeFlags(database, `${condition} ${tail}`, values),
      ownFlags(unit, `${condition} ${tail}`, values),
      unit.query<OverrideRow>(`select key, value from features_overrides where ${condition}`, values),
    ])
    // What the recipe says of a key counts before what the tenant says.
    const rows = new Map([...own, ...common].map(row => [row.key, row]))
    const overrides = new Map(set.rows.map(({ key, value }) => [key, value]))
    return [...rows.values()]
      .sort((a, b) => byCodeUnits(a.key, b.key))
      .map(row => ({ flag: toFlag(row, overrides.get(row.key)), tag: tagOf(row, overrides.get(row.key)) }))
  }

  return {
    /** By key. */
    async list(tenantId: string, query: { limit?: number; cursor?: string | undefined }): Promise<PageOf<Flag>> {
      const [after = ''] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      // Two lists that are each in order: the first of both together are among the first of either.
      const found = await read(tenantId, 'key > $1', `order by key limit ${limit + 1}`, [after])
      const flags = found.map(({ flag }) => flag).slice(0, limit + 1)
      return toPage(flags, limit, flag => [flag.key])
    },
    async get(tenantId: string, key: string): Promise<Found> {
      const [found] = await read(tenantId, 'key = $1', '', [key])
      if (!found) throw noSuchFeature()
      return found
    },
  }
}
export type Listing = ReturnType<typeof createListing>

function toFlag(
  { says, revision: _, editable: __, recipeHash: ___, ...row }: FlagRow,
  override: Value | undefined,
): Flag {
  const type = typeOf(says.default)
  // One of another type is older than what the flag is now.
  return { ...row, ...says, type, override: override !== undefined && typeOf(override) === type ? override : null }
}

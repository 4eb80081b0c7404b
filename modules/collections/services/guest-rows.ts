/** Rows of people who are not signed in. */
import { addressKey, common, type Deps, KIB, MINUTE, newId, Problem, type RateLimit } from '@larder-dev/larder/kernel'
import type { Collection } from '../domain/declarations/collection.ts'
import type { Values } from '../domain/rows/row-values.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import type { CollectionsOptions } from '../options.ts'
import { problems } from '../problems.ts'
import type { RowCreator } from './row-creator.ts'
import type { ViewOf } from './views.ts'

const MAX_BYTES = 64 * KIB
export const GUEST_LIMIT = 'collections.guests'

/** Rows per address and collection. Callers have the general limit. */
export const guestLimit = ({ name }: Collection): RateLimit => ({
  name: GUEST_LIMIT,
  points: 10,
  window: MINUTE,
  by: (_body, ip, _params, caller) => (caller ? undefined : `${addressKey(ip)} ${name}`),
})

export interface GuestRow {
  readonly id: string
  readonly isCreated: boolean
}
export interface GuestRows {
  /**
   * Returns the ID alone. Values that another row has get the same answer, so that nobody finds out which values exist:
   * no row is created then, and the ID is that of none.
   */
  create(tenantId: string, collection: Collection, given: Values): Promise<GuestRow>
}

type GuestRowsDeps = Deps<'database' | 'clock', 'tenantDirectory'> & {
  readonly creator: RowCreator
  readonly view: ViewOf
}

export function createGuestRows(
  { database, clock, tenantDirectory, creator, view }: GuestRowsDeps,
  { guestRows }: CollectionsOptions,
): GuestRows {
  /** They count against this number, and not against a limit of the plan. */
  async function assertRoom(tenantId: string, { table }: Collection): Promise<void> {
    const { rows } = await database.tenant(tenantId).query<{ count: number }>(
      `select count(*)::int as count from (
           select 1 from ${quoteName(table)} where tenant_id = $1 and deleted_at is null and _guest limit $2) as found`,
      [tenantId, guestRows],
    )
    if ((rows[0]?.count ?? 0) >= guestRows) throw problems.guest_rows_full()
  }

  return {
    async create(tenantId, collection, given) {
      if (Buffer.byteLength(JSON.stringify(given)) > MAX_BYTES) throw common.body_too_large({ limit: '64 KiB' })
      if (tenantDirectory && !(await tenantDirectory.find(tenantId))) throw common.not_found({ what: 'workspace' })
      await assertRoom(tenantId, collection)
      try {
        const [row] = await creator.create(await view(undefined, tenantId, collection), collection, [
          { given, pointer: '' },
        ])
        return { id: row?.id ?? '', isCreated: true }
      } catch (error) {
        if (!Problem.is(error)) throw error
        if (error.code === problems.value_taken.code)
          return { id: newId(collection.idPrefix, clock.now()), isCreated: false }
        // Visitors must not learn about the workspace's plan.
        throw PLAN.includes(error.code) ? problems.guest_rows_full() : error
      }
    },
  }
}
const PLAN: readonly string[] = ['entitlement_exceeded', 'tenant_suspended']

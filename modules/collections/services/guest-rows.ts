/** Rows of people who are not signed in. */
import {
  addressKey,
  common,
  type Deps,
  KIB,
  lockStep,
  MINUTE,
  newId,
  Problem,
  type RateLimit,
  type Unit,
} from '@larder-dev/larder/kernel'
import type { Collection } from '../domain/declarations/collection.ts'
import type { Values } from '../domain/rows/row-values.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import type { CollectionsOptions } from '../options.ts'
import { problems } from '../problems.ts'
import type { RowCreator } from './row-creator.ts'
import type { ViewOf } from './views.ts'

const MAX_BYTES = 64 * KIB
export const GUEST_LIMIT = 'collections.guests'

/**
 * Requests per address and collection. Callers have the general limit.
 * @param hasProof each row takes two requests: the first one gets the task.
 */
export const guestLimit = ({ name }: Collection, hasProof: boolean): RateLimit => ({
  name: GUEST_LIMIT,
  points: hasProof ? 20 : 10,
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

export interface GuestRoom {
  /**
   * Throws `guest_rows_full` if the collection has as many rows of guests as it may have. They count against this number,
   * and not against a limit of the plan. Others who add one wait until the unit ends.
   */
  take(unit: Unit, tenantId: string, collection: Collection): Promise<void>
  /** Whether people who were not signed in created this row. */
  has(unit: Unit, tenantId: string, collection: Collection, id: string): Promise<boolean>
}

export const createGuestRoom = (_deps: unknown, { guestRows }: CollectionsOptions): GuestRoom => ({
  async take(unit, tenantId, { name, table }) {
    const { found } = await unit.all({
      lock: lockStep('collections.guests', tenantId, name),
      found: [
        `select count(*)::int as count from (
           select 1 from ${quoteName(table)} where tenant_id = $1 and deleted_at is null and _guest limit $2) as found`,
        [tenantId, guestRows],
      ],
    })
    if (Number(found.rows[0]?.count ?? 0) >= guestRows) throw problems.guest_rows_full()
  },
  async has(unit, tenantId, { table, access }, id) {
    if (!access.guests) return false
    const sql = `select 1 from ${quoteName(table)} where tenant_id = $1 and id = $2 and _guest`
    return (await unit.query(sql, [tenantId, id])).rowCount > 0
  },
})

type GuestRowsDeps = Deps<'database' | 'clock', 'tenantDirectory'> & {
  readonly creator: RowCreator
  readonly view: ViewOf
  readonly guestRoom: GuestRoom
}

export function createGuestRows({
  database,
  clock,
  tenantDirectory,
  creator,
  view,
  guestRoom,
}: GuestRowsDeps): GuestRows {
  return {
    async create(tenantId, collection, given) {
      if (Buffer.byteLength(JSON.stringify(given)) > MAX_BYTES) throw common.body_too_large({ limit: '64 KiB' })
      if (tenantDirectory && !(await tenantDirectory.find(tenantId))) throw common.not_found({ what: 'workspace' })
      const seen = await view(undefined, tenantId, collection)
      const none = (): GuestRow => ({ id: newId(collection.idPrefix, clock.now()), isCreated: false })
      try {
        const [row] = await database.tenant(tenantId).transaction(async unit => {
          await guestRoom.take(unit, tenantId, collection)
          return creator.create(seen, collection, [{ given, pointer: '' }])
        })
        return row ? { id: row.id, isCreated: true } : none()
      } catch (error) {
        if (!Problem.is(error)) throw error
        if (error.code === problems.value_taken.code) return none()
        // Nobody finds out which workspaces exist but are suspended.
        if (error.code === common.tenant_suspended.code) throw common.not_found({ what: 'workspace' })
        // Visitors must not learn about the workspace's plan.
        throw error.code === 'entitlement_exceeded' ? problems.guest_rows_full() : error
      }
    },
  }
}

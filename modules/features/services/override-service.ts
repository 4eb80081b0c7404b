/** What one tenant has instead of what a flag says to everybody. */
import { type Caller, common, type Deps, type Unit } from 'larder/kernel'
import { type Type, typeOf, type Value } from '../domain/value.ts'
import { invalid } from '../problems.ts'
import type { Memory } from './flag-cache.ts'
import { lockFlags, mustBeBearable, noSuchFeature, ownFlags, recipeFlags } from './flag-repository.ts'

const GRANT = 'features.override.grant'

export interface Target {
  readonly key: string
  /** Whose value it is to be; the caller's own tenant, if left out. */
  readonly tenantId?: string | undefined
}

export function createOverrides(
  { database, clock, events, identity }: Deps<'database' | 'clock' | 'events', 'identity'>,
  memory: Memory,
) {
  /** Whose override it is. Throws 403 where the caller may not say so: what is sold is not for the tenant to set. */
  async function admit(caller: Caller, own: string, { key, tenantId = own }: Target): Promise<string> {
    const { flags } = await memory.ofRecipe()
    const says = flags.get(key)?.says
    const kept = says !== undefined && (says.entitlement !== null || !says.overridable)
    if ((tenantId !== own || kept) && !caller.can(GRANT))
      throw common.forbidden({ permission: GRANT }, { requiredPermission: GRANT })
    if (tenantId !== own) await identity?.tenants.get(tenantId)
    return tenantId
  }

  /** Of the flag that this tenant sees under the key. Throws `not_found`. */
  async function typeIn(unit: Unit, key: string): Promise<Type> {
    const [row] = [...(await recipeFlags(database, 'key = $1', [key])), ...(await ownFlags(unit, 'key = $1', [key]))]
    if (!row) throw noSuchFeature()
    return typeOf(row.says.default)
  }

  async function set(caller: Caller, own: string, target: Target, value: Value): Promise<void> {
    const { key } = target
    const tenantId = await admit(caller, own, target)
    await database.tenant(tenantId).transaction(async unit => {
      // A flag that is being deleted takes its overrides along, this one too.
      await lockFlags(unit, tenantId)
      mustFit(value, await typeIn(unit, key))
      await unit.query(
        `insert into features_overrides (tenant_id, key, value, created_at, updated_at) values ($1, $2, $3::jsonb, $4, $4)
         on conflict (tenant_id, key) do update set value = excluded.value, updated_at = excluded.updated_at`,
        [tenantId, key, JSON.stringify(value), new Date(clock.now())],
      )
      await mustBeBearable(unit)
      await events.publish('features.override.set', { payload: { key }, subject: key, tenantId })
      memory.changed(tenantId)
    })
  }

  async function remove(caller: Caller, own: string, target: Target): Promise<void> {
    const { key } = target
    const tenantId = await admit(caller, own, target)
    await database.tenant(tenantId).transaction(async unit => {
      const { rowCount } = await unit.query('delete from features_overrides where key = $1', [key])
      if (rowCount === 0) throw common.not_found({ what: 'override' })
      await events.publish('features.override.removed', { payload: { key }, subject: key, tenantId })
      memory.changed(tenantId)
    })
  }

  return { set, remove }
}
export type Overrides = ReturnType<typeof createOverrides>

function mustFit(value: Value, type: Type): void {
  const detail = `must be of the type of the feature: ${type}`
  if (typeOf(value) !== type) throw invalid([{ place: ['value'], code: 'wrong_type', detail }])
}

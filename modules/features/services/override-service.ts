/** Overrides: values that one tenant has in place of a flag's evaluation. */
import {
  type Caller,
  common,
  type Deps,
  missingPermission,
  together,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { type Type, typeOf, type Value } from '../domain/value.ts'
import { invalidDefinition } from '../problems.ts'
import { overrideTable } from '../records/override.ts'
import type { FlagCache } from './flag-cache.ts'
import { assertWithinSizeLimit, featureNotFound, lockFlags, recipeFlags, tenantFlags } from './flag-repository.ts'

const REPLACE = overrideTable.replacing(['tenantId', 'key'], ['createdAt'])
const GRANT = 'features.override.grant'

export interface OverrideTarget {
  readonly key: string
  /** The tenant whose override it is; the caller's if left out. */
  readonly tenantId?: string | undefined
}
export interface OverrideService {
  set(caller: Caller, callerTenantId: string, target: OverrideTarget, value: Value): Promise<void>
  remove(caller: Caller, callerTenantId: string, target: OverrideTarget): Promise<void>
  /** Sets the override of any flag, as the product does: a recipe says which. Throws `not_found`, and problems of the value. */
  write(tenantId: string, key: string, value: Value): Promise<void>
  /** Returns false without an override. */
  clear(tenantId: string, key: string): Promise<boolean>
}

type OverrideDeps = Deps<'database' | 'systemDatabase' | 'clock' | 'events', 'tenantDirectory'> & {
  readonly flagCache: FlagCache
}

export function createOverrideService(deps: OverrideDeps): OverrideService {
  const { database, systemDatabase, clock, events, tenantDirectory, flagCache } = deps
  /** Returns the target's tenant. Throws 403 without the permission: a tenant must not override what it has to buy. */
  async function authorize(
    caller: Caller,
    callerTenantId: string,
    { key, tenantId = callerTenantId }: OverrideTarget,
  ): Promise<string> {
    const { flags } = await flagCache.forRecipe()
    const definition = flags.get(key)?.definition
    const restricted = definition !== undefined && (definition.entitlement !== null || !definition.overridable)
    if ((tenantId !== callerTenantId || restricted) && !caller.can(GRANT)) throw missingPermission(GRANT)
    if (tenantId !== callerTenantId) await tenantDirectory?.get(tenantId)
    return tenantId
  }

  /** Type of the flag that the unit's tenant sees under the key. Throws `not_found`. */
  async function typeOfFlag(unit: Unit, key: string): Promise<Type> {
    const { shared, own } = await together({
      shared: recipeFlags(systemDatabase, 'key = $1', [key]),
      own: tenantFlags(unit, 'key = $1', [key]),
    })
    const [row] = [...shared, ...own]
    if (!row) throw featureNotFound()
    return typeOf(row.definition.default)
  }

  const write: OverrideService['write'] = (tenantId, key, value) =>
    database.tenant(tenantId).transaction(async unit => {
      // Deleting a flag deletes its overrides: the lock keeps this one from being written after that.
      const { type } = await together({ lock: lockFlags(unit, tenantId), type: typeOfFlag(unit, key) })
      assertType(value, type)
      const now = new Date(clock.now())
      const override = { tenantId, key, value, createdAt: now, updatedAt: now }
      const written = unit.query(...overrideTable.insertStep(override, REPLACE))
      const published = events.publish('features.override.set', { payload: { key }, subject: key, tenantId })
      await Promise.all([written, assertWithinSizeLimit(unit), published])
      flagCache.invalidateAfterCommit(tenantId)
    })

  const clear: OverrideService['clear'] = (tenantId, key) =>
    database.tenant(tenantId).transaction(async unit => {
      const { rowCount } = await unit.query('delete from features_overrides where key = $1', [key])
      if (rowCount === 0) return false
      await events.publish('features.override.removed', { payload: { key }, subject: key, tenantId })
      flagCache.invalidateAfterCommit(tenantId)
      return true
    })

  return {
    write,
    clear,
    async set(caller, callerTenantId, target, value) {
      await write(await authorize(caller, callerTenantId, target), target.key, value)
    },
    async remove(caller, callerTenantId, target) {
      const tenantId = await authorize(caller, callerTenantId, target)
      if (!(await clear(tenantId, target.key))) throw common.not_found({ what: 'override' })
    },
  }
}

function assertType(value: Value, type: Type): void {
  const detail = wording('must have the type of the feature: {type}', { type })
  if (typeOf(value) !== type) throw invalidDefinition([{ path: ['value'], code: 'wrong_type', detail }])
}

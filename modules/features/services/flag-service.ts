/** Creates, changes and deletes flags, and validates each change against the flags that it affects. */

import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import {
  assertEditable,
  type Caller,
  common,
  type Deps,
  missingPermission,
  newId,
  requireMatch,
  together,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { createDefinition, patchDefinition } from '../domain/definition.ts'
import type { Definition } from '../domain/flag.ts'
import { validateDefinition } from '../domain/validation.ts'
import { typeOf, type Value } from '../domain/value.ts'
import { invalidDefinition, problems } from '../problems.ts'
import { type FlagPatch, type FlagRow, flagTable, type NewFlag } from '../records/flag.ts'
import type { FlagCache } from './flag-cache.ts'
import {
  assertWithinSizeLimit,
  deleteOverridesEverywhere,
  featureNotFound,
  findOverride,
  flagEtag,
  insertFlag,
  lockFlags,
  recipeFlags,
  tenantFlags,
  updateFlag,
} from './flag-repository.ts'

/** An evaluation holds all flags of a tenant in memory. */
const MAX_FLAGS = 1_000

/** A flag after a change, with the tenant's override. */
export interface StoredFlag {
  readonly row: FlagRow
  readonly override: Value | undefined
}
export type Author = Pick<Caller, 'userId' | 'can'>
export interface ChangeRequest {
  readonly headers: IncomingHttpHeaders
  readonly caller: Author
}
export type FlagChange = 'created' | 'updated' | 'deleted'
export interface FlagService {
  /** Throws `forbidden` for a flag of every workspace without the permission, and 422 outside the operator's workspace. */
  create(tenantId: string, flag: NewFlag, caller: Author): Promise<StoredFlag>
  /** Writes nothing if the patch changes nothing. */
  update(tenantId: string, key: string, patch: FlagPatch, change: ChangeRequest): Promise<StoredFlag>
  remove(tenantId: string, key: string, change: ChangeRequest): Promise<void>
  /** Publishes the event of a change and invalidates caches. Call it in the unit of the change. */
  publishChange(change: FlagChange, tenantId: string, row: FlagRow): Promise<void>
}

type FlagDeps = Deps<'database' | 'systemDatabase' | 'clock' | 'events' | 'operator'> & {
  readonly flagCache: FlagCache
}

export function createFlagService(deps: FlagDeps): FlagService {
  const { database, systemDatabase, clock, events, operator, flagCache } = deps
  const now = () => new Date(clock.now())

  async function publishChange(change: FlagChange, tenantId: string, row: FlagRow): Promise<void> {
    const { id, key, definition, managedBy } = row
    const payload = { featureId: id, key, enabled: definition.enabled, managedBy }
    await events.publish(`features.feature.${change}`, { payload, subject: id, tenantId })
    flagCache.invalidateAfterCommit(managedBy === null ? tenantId : null)
  }

  /**
   * Locks and reads the flags of the tenant, and those of the recipe, which take precedence. The statements are
   * pipelined, and each one sees what the previous holder of the lock committed.
   */
  async function lockAndRead(unit: Unit, tenantId: string, key: string) {
    const { own, shared, override } = await together({
      lock: lockFlags(unit, tenantId),
      own: tenantFlags(unit),
      shared: recipeFlags(systemDatabase),
      override: findOverride(unit, key),
    })
    const definitions = new Map([...own, ...shared].map(row => [row.key, row.definition]))
    return { own, shared, override, find: (key: string) => definitions.get(key) }
  }

  /** The row of this tenant. Throws `managed_by_recipe` for a flag of every workspace, except in the operator's. */
  async function readOwn(unit: Unit, tenantId: string, key: string) {
    const { own, shared, override, find } = await lockAndRead(unit, tenantId, key)
    const managed = shared.find(row => row.key === key)
    if (managed) {
      if (tenantId !== operator.tenantId) throw common.managed_by_recipe()
      return { row: managed, siblings: shared, override, find: findIn(shared) }
    }
    const row = own.find(row => row.key === key)
    if (!row) throw featureNotFound()
    return { row, siblings: own, override, find }
  }

  return {
    publishChange,

    async create(tenantId, given, caller) {
      const { key, scope = 'tenant' } = given
      const isForAll = scope === 'product'
      if (isForAll) assertOperator(caller)
      if (isForAll && tenantId !== operator.tenantId) throw invalidDefinition([ONLY_FROM_OPERATOR])
      const definition = createDefinition(given)
      return database.tenant(tenantId).transaction(async unit => {
        const { own, shared, override, find: findAny } = await lockAndRead(unit, tenantId, key)
        if (findAny(key)) throw problems.feature_exists()
        const find = isForAll ? findIn(shared) : findAny
        if ((isForAll ? shared : own).length >= MAX_FLAGS) throw problems.too_many_features({ limit: MAX_FLAGS })
        assertValid(key, definition, find)
        const times = { createdAt: now(), updatedAt: now() }
        const managed = { managedBy: isForAll ? 'operator' : null, editable: true, recipeHash: null, revision: 1 }
        const row = flagTable.record({ ...given, id: newId('ftr', clock.now()), definition, ...managed, ...times })
        const inserted = insertFlag(unit, tenantId, row, caller.userId)
        await Promise.all([inserted, assertWithinSizeLimit(unit), publishChange('created', tenantId, row)])
        return { row, override }
      })
    },

    async update(tenantId, key, patch, { headers, caller }) {
      return database.tenant(tenantId).transaction(async unit => {
        const { row, siblings, override, find } = await readOwn(unit, tenantId, key)
        if (row.managedBy === 'operator') assertOperator(caller)
        assertEditable(row, `features.${key}.editable`)
        assertMatch(row, override, headers)
        const after = { ...row, ...flagTable.pick(patch), definition: patchDefinition(row.definition, patch) }
        if (isDeepStrictEqual(after, row)) return { row, override }
        assertValid(key, after.definition, other => (other === key ? after.definition : find(other)))
        const retyped = typeOf(after.definition.default) !== typeOf(row.definition.default)
        if (retyped) assertNotRequired(siblings, row)
        const updatedAt = now()
        await Promise.all([
          retyped && unit.query('delete from features_overrides where key = $1', [key]),
          updateFlag(unit, after, updatedAt, caller.userId),
          assertWithinSizeLimit(unit),
          publishChange('updated', tenantId, after),
        ])
        const stored = { ...after, revision: row.revision + 1, updatedAt }
        return { row: stored, override: retyped ? undefined : override }
      })
    },

    async remove(tenantId, key, { headers, caller }) {
      await database.tenant(tenantId).transaction(async unit => {
        const { row, siblings, override } = await readOwn(unit, tenantId, key)
        // The next start would create it again.
        if (row.managedBy === 'recipe') throw common.managed_by_recipe()
        const isForAll = row.managedBy === 'operator'
        if (isForAll) assertOperator(caller)
        assertMatch(row, override, headers)
        assertNotRequired(siblings, row)
        const deleted = unit.all([
          ['delete from features_flags where id = $1', [row.id]],
          ['delete from features_overrides where key = $1', [key]],
        ])
        if (isForAll) await deleteOverridesEverywhere(systemDatabase, [key])
        await Promise.all([deleted, publishChange('deleted', tenantId, row)])
      })
    },
  }
}

const findIn = (rows: readonly FlagRow[]) => (key: string) => rows.find(row => row.key === key)?.definition

const MANAGE = 'features.product.manage'
const ONLY_FROM_OPERATOR = {
  path: ['scope'],
  code: 'not_allowed',
  detail: wording("must be `tenant` outside the operator's workspace"),
} as const

/** Throws `forbidden` unless the caller may manage flags that apply to every workspace. */
function assertOperator(caller: Author): void {
  if (!caller.can(MANAGE)) throw missingPermission(MANAGE)
}

function assertValid(key: string, definition: Definition, find: (key: string) => Definition | undefined): void {
  const errors = validateDefinition(key, definition, find)
  if (errors.length > 0) throw invalidDefinition(errors)
}

/** Throws `precondition_failed` if `If-Match` names another revision. */
function assertMatch(row: FlagRow, override: Value | undefined, headers: IncomingHttpHeaders): void {
  requireMatch(headers, flagEtag(row, override))
}

/** Throws `feature_in_use` if another flag requires this one. */
function assertNotRequired(siblings: readonly FlagRow[], { key }: FlagRow): void {
  const by = siblings.find(({ definition }) => definition.requires.some(required => required.key === key))
  if (by) throw problems.feature_in_use({ by: by.key })
}

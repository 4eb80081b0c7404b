/** Flags of a tenant: written, changed, deleted, each checked against those that it requires. */

import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { common, type Deps, newId, requireMatch, type Unit } from 'larder/kernel'
import { faultsOf } from '../domain/validation.ts'
import type { Definition } from '../domain/flag.ts'
import { definitionOf, patched } from '../domain/definition.ts'
import { typeOf } from '../domain/value.ts'
import { invalid, problems } from '../problems.ts'
import type { FlagPatch, NewFlag } from '../routes/flag-schemas.ts'
import type { Memory } from './flag-cache.ts'
import {
  type FlagRow,
  insertFlag,
  lockFlags,
  mustBeBearable,
  noSuchFeature,
  overrideOf,
  ownFlags,
  recipeFlags,
  tagOf,
  updateFlag,
} from './flag-repository.ts'

/** All flags of a tenant are held in memory while one is asked for. */
const MOST = 1_000

export function createFlags(
  { database, clock, events, operator }: Deps<'database' | 'clock' | 'events' | 'operator'>,
  memory: Memory,
) {
  const now = () => new Date(clock.now())

  async function tell(what: 'created' | 'updated' | 'deleted', tenantId: string, row: FlagRow): Promise<void> {
    const { id, key, says, managedBy } = row
    const payload = { featureId: id, key, enabled: says.enabled, managedBy }
    await events.publish(`features.feature.${what}`, { payload, subject: id, tenantId })
    memory.changed(managedBy === null ? tenantId : null)
  }

  /**
   * Flags of the tenant, and of the recipe, which count before them; nobody else changes them until the unit ends. Sent
   * one behind the other without waiting: each statement sees what the lock's last holder committed.
   */
  async function locked(unit: Unit, tenantId: string) {
    const [, own, common] = await Promise.all([lockFlags(unit, tenantId), ownFlags(unit), recipeFlags(database)])
    const says = new Map([...own, ...common].map(row => [row.key, row.says]))
    return { own, common, find: (key: string) => says.get(key) }
  }

  async function create(tenantId: string, { key, name = null, description = null, ...said }: NewFlag): Promise<void> {
    const says = definitionOf(said)
    await database.tenant(tenantId).transaction(async unit => {
      const { own, find } = await locked(unit, tenantId)
      if (find(key)) throw problems.feature_exists()
      if (own.length >= MOST) throw problems.too_many_features({ limit: MOST })
      mustHold(key, says, find)
      const times = { createdAt: now(), updatedAt: now() }
      const managed = { managedBy: null, editable: true, recipeHash: null, revision: 1 }
      const row = { id: newId('ftr', clock.now()), key, name, description, says, ...managed, ...times }
      await Promise.all([insertFlag(unit, tenantId, row), mustBeBearable(unit), tell('created', tenantId, row)])
    })
  }

  /** The row that this tenant may change. Throws `managed_by_recipe` for one that only the recipe may. */
  async function changeable(unit: Unit, tenantId: string, key: string) {
    const { own, common: shared, find } = await locked(unit, tenantId)
    const managed = shared.find(row => row.key === key)
    if (managed) {
      if (tenantId !== operator.tenantId || !managed.editable) throw common.managed_by_recipe()
      return { row: managed, rows: shared, find: (other: string) => shared.find(row => row.key === other)?.says }
    }
    const row = own.find(row => row.key === key)
    if (!row) throw noSuchFeature()
    return { row, rows: own, find }
  }

  async function update(tenantId: string, key: string, patch: FlagPatch, headers: IncomingHttpHeaders): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const { row, rows, find } = await changeable(unit, tenantId, key)
      await mustMatch(unit, row, headers)
      const { name = row.name, description = row.description } = patch
      const after = { ...row, name, description, says: patched(row.says, patch) }
      if (isDeepStrictEqual(after, row)) return
      mustHold(key, after.says, other => (other === key ? after.says : find(other)))
      if (typeOf(after.says.default) !== typeOf(row.says.default)) {
        mustBeFree(rows, row)
        await unit.query('delete from features_overrides where key = $1', [key])
      }
      await Promise.all([updateFlag(unit, after, now()), mustBeBearable(unit), tell('updated', tenantId, after)])
    })
  }

  async function remove(tenantId: string, key: string, headers: IncomingHttpHeaders): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const { row, rows } = await changeable(unit, tenantId, key)
      // It would come back at the next start.
      if (row.managedBy !== null) throw common.managed_by_recipe()
      await mustMatch(unit, row, headers)
      mustBeFree(rows, row)
      await unit.query('delete from features_flags where id = $1', [row.id])
      await unit.query('delete from features_overrides where key = $1', [key])
      await tell('deleted', tenantId, row)
    })
  }

  return { create, update, remove, tell }
}
export type Flags = ReturnType<typeof createFlags>

function mustHold(key: string, says: Definition, find: (key: string) => Definition | undefined): void {
  const faults = faultsOf(key, says, find)
  if (faults.length > 0) throw invalid(faults)
}

/** Throws `precondition_failed` where the caller has read something else. */
async function mustMatch(unit: Unit, row: FlagRow, headers: IncomingHttpHeaders): Promise<void> {
  if (headers['if-match'] !== undefined) requireMatch(headers, tagOf(row, await overrideOf(unit, row.key)))
}

/** Throws `feature_required` where another one stands on it. */
function mustBeFree(rows: readonly FlagRow[], { key }: FlagRow): void {
  const by = rows.find(({ says }) => says.requires.some(required => required.key === key))
  if (by) throw problems.feature_required({ by: by.key })
}

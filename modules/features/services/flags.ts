/** Flags of a tenant: written, changed, deleted, each checked against those that it requires. */
import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { common, type Deps, newId, type Unit } from '../../../kernel/contract.ts'
import { requireMatch } from '../../../kernel/http/etag.ts'
import { faultsOf } from '../core/faults.ts'
import type { Definition } from '../core/flag.ts'
import { definitionOf, patched } from '../core/normal.ts'
import { typeOf } from '../core/value.ts'
import { invalid, problems } from '../problems.ts'
import type { FlagPatch, NewFlag } from '../schemas.ts'
import type { Memory } from './memory.ts'
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
} from './rows.ts'

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

  /** Of the tenant, and of the recipe, which count before them. */
  async function everything(unit: Unit) {
    const [own, common] = await Promise.all([ownFlags(unit), recipeFlags(database)])
    const says = new Map([...own, ...common].map(row => [row.key, row.says]))
    return { own, common, find: (key: string) => says.get(key) }
  }

  async function create(tenantId: string, { key, name = null, description = null, ...said }: NewFlag): Promise<void> {
    const says = definitionOf(said)
    await database.tenant(tenantId).transaction(async unit => {
      await lockFlags(unit, tenantId)
      const { own, find } = await everything(unit)
      if (find(key)) throw problems.feature_exists()
      if (own.length >= MOST) throw problems.too_many_features({ limit: MOST })
      mustHold(key, says, find)
      const times = { createdAt: now(), updatedAt: now() }
      const managed = { managedBy: null, editable: true, recipeHash: null, revision: 1 }
      const row = { id: newId('ftr', clock.now()), key, name, description, says, ...managed, ...times }
      await insertFlag(unit, tenantId, row)
      await mustBeBearable(unit)
      await tell('created', tenantId, row)
    })
  }

  /** The row that this tenant may change. Throws `managed_by_recipe` for one that only the recipe may. */
  async function changeable(unit: Unit, tenantId: string, key: string) {
    await lockFlags(unit, tenantId)
    const { own, common: shared, find } = await everything(unit)
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
      await updateFlag(unit, after, now())
      await mustBeBearable(unit)
      await tell('updated', tenantId, after)
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

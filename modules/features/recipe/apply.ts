/** Brings the recipe's flags into the operator's tenant, from where they count for every tenant. */
import { type Deps, newId, type RecipeView, type Unit } from 'larder/kernel'
import type { FeaturesNeeds } from '../services/feature-services.ts'
import { insertFlag, lockFlags, recipeFlags, updateFlag } from '../services/flag-repository.ts'
import { type Change, changesType, diffOf, type Wanted } from './diff.ts'
import type { Sections } from './sections.ts'

type ReconcileDeps = Deps<FeaturesNeeds | 'features'>

export async function reconcile(
  deps: ReconcileDeps,
  _options: unknown,
  { sections }: RecipeView<Sections>,
): Promise<void> {
  const { database, operator } = deps
  await database.tenant(operator.tenantId).transaction(async unit => {
    await lockFlags(unit, operator.tenantId)
    const { add, change, remove } = diffOf(await recipeFlags(database), sections.features)
    for (const row of remove) {
      await unit.query('delete from features_flags where id = $1', [row.id])
      await deps.features.flags.tell('deleted', operator.tenantId, row)
    }
    for (const wanted of add) await insert(deps, unit, wanted)
    for (const one of change) await bring(deps, unit, one)
    const stale = [...remove.map(({ key }) => key), ...change.filter(changesType).map(({ row }) => row.key)]
    if (stale.length > 0) await dropOverrides(deps, stale)
  })
}

async function insert({ features, operator, clock }: ReconcileDeps, unit: Unit, wanted: Wanted): Promise<void> {
  const { hash: recipeHash, ...flag } = wanted
  const [id, at] = [newId('ftr', clock.now()), new Date(clock.now())]
  const row = { ...flag, id, recipeHash, managedBy: 'recipe', revision: 1, createdAt: at, updatedAt: at }
  await insertFlag(unit, operator.tenantId, row)
  await features.flags.tell('created', operator.tenantId, row)
}

async function bring(
  { features, operator, clock }: ReconcileDeps,
  unit: Unit,
  { row, wanted, edited }: Change,
): Promise<void> {
  const { hash: recipeHash, editable, ...flag } = wanted
  const after = edited ? { ...row, editable } : { ...row, ...flag, editable, recipeHash }
  await updateFlag(unit, after, new Date(clock.now()))
  await features.flags.tell('updated', operator.tenantId, after)
}

/** What tenants have instead of flags that are gone, or are of another type now. Not of their own of the same key. */
async function dropOverrides({ database }: ReconcileDeps, keys: readonly string[]): Promise<void> {
  await database.system('a flag of the recipe goes, and what tenants have instead of it').query(
    `delete from features_overrides o where key = any ($1) and not exists (
       select 1 from features_flags f where f.tenant_id = o.tenant_id and f.key = o.key and f.managed_by is null)`,
    [keys],
  )
}

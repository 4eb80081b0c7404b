/** Writes the recipe's flags into the operator's tenant. They apply to every tenant. */
import { type Deps, newId, type RecipeView, type Unit } from '@larder-dev/larder/kernel'
import {
  deleteOverridesEverywhere,
  insertFlag,
  lockFlags,
  recipeFlags,
  updateFlag,
} from '../services/flag-repository.ts'
import type { FeatureServices } from '../services.ts'
import { changesType, type DeclaredFlag, diffFlags, type FlagWrite } from './diff.ts'
import type { Sections } from './sections.ts'

type ApplyDeps = Deps<'database' | 'systemDatabase' | 'clock' | 'operator'> & Pick<FeatureServices, 'flags'>

export async function apply(deps: ApplyDeps, _options: unknown, { sections }: RecipeView<Sections>): Promise<void> {
  const { database, systemDatabase, operator, flags } = deps
  await database.tenant(operator.tenantId).transaction(async unit => {
    await lockFlags(unit, operator.tenantId)
    const { writes, gone } = diffFlags(await recipeFlags(systemDatabase), sections.features)
    for (const { row } of gone) {
      await unit.query('delete from features_flags where id = $1', [row.id])
      await flags.publishChange('deleted', operator.tenantId, row)
    }
    for (const write of writes) await applyWrite(deps, unit, write)
    const stale = [...gone.map(({ row }) => row.key), ...writes.filter(changesType).map(({ declared }) => declared.key)]
    if (stale.length > 0) await deleteOverridesEverywhere(systemDatabase, stale)
  })
}

const applyWrite = (deps: ApplyDeps, unit: Unit, write: FlagWrite): Promise<void> =>
  write.row ? applyChange(deps, unit, write) : insert(deps, unit, write.declared)

async function insert({ flags, operator, clock }: ApplyDeps, unit: Unit, flag: DeclaredFlag): Promise<void> {
  const { hash: recipeHash, ...fields } = flag
  const [id, now] = [newId('ftr', clock.now()), new Date(clock.now())]
  const row = { ...fields, id, recipeHash, managedBy: 'recipe', revision: 1, createdAt: now, updatedAt: now }
  await insertFlag(unit, operator.tenantId, row, null)
  await flags.publishChange('created', operator.tenantId, row)
}

async function applyChange(
  { flags, operator, clock }: ApplyDeps,
  unit: Unit,
  { row, declared, edited }: Exclude<FlagWrite, { kind: 'add' }>,
): Promise<void> {
  const { hash: recipeHash, editable, ...fields } = declared
  const after = edited ? { ...row, editable } : { ...row, ...fields, editable, recipeHash, managedBy: 'recipe' }
  await updateFlag(unit, after, new Date(clock.now()), null)
  await flags.publishChange('updated', operator.tenantId, after)
}

/** Brings the recipe's forms into the operator's tenant; nothing happens where nothing changed. */
import type { Deps, RecipeChange, RecipeView, Unit } from 'larder/kernel'
import type { FormsOptions } from '../options.ts'
import { type FormRow, keyedForms } from '../services/form-repository.ts'
import { changesOf, diffForms } from './diff.ts'
import type { Sections } from './sections.ts'

type ReconcileDeps = Deps<'forms' | 'database' | 'operator'>

export async function reconcile(
  { database, operator, forms }: ReconcileDeps,
  _options: FormsOptions,
  { sections }: RecipeView<Sections>,
): Promise<void> {
  const { tenantId } = operator
  await database.tenant(tenantId).transaction(async unit => {
    const { changes, gone } = diffForms(sections.forms ?? {}, await keyedForms(unit, { held: true }))
    for (const row of gone)
      if (row.submissions > 0) await manage(unit, row.id, null)
      else await forms.editing.erase(unit, tenantId, row)
    for (const { key, content, hash, row } of changes) {
      const id = row?.id ?? (await forms.editing.insert(unit, tenantId, content, null, key))
      if (row) await forms.editing.apply(unit, tenantId, row, content, null)
      await manage(unit, id, hash)
    }
  })
}

export async function plan(
  { database, operator }: ReconcileDeps,
  _options: FormsOptions,
  { sections }: RecipeView<Sections>,
): Promise<readonly RecipeChange[]> {
  const rows = await keyedForms(database.tenant(operator.tenantId), { held: false })
  return changesOf(diffForms(sections.forms ?? {}, rows))
}

/** @param hash null: the recipe lets go of it. */
async function manage(unit: Unit, id: FormRow['id'], hash: string | null): Promise<void> {
  await unit.query('update forms_forms set managed_by = $2, recipe_hash = $3 where id = $1', [
    id,
    hash === null ? null : 'recipe',
    hash,
  ])
}

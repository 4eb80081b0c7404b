/** Writes the recipe's forms into the operator's tenant. */
import type { Deps, RecipeView, Unit } from '@larder-dev/larder/kernel'
import type { FormsOptions } from '../options.ts'
import { keyedForms } from '../services/form-repository.ts'
import { diffForms } from './diff.ts'
import type { Sections } from './sections.ts'

export async function apply(
  { database, operator, formServices: { forms } }: Deps<'formServices' | 'database' | 'operator'>,
  _options: FormsOptions,
  { sections }: RecipeView<Sections>,
): Promise<void> {
  const { tenantId } = operator
  await database.tenant(tenantId).transaction(async unit => {
    const { writes, gone } = diffForms(sections.forms ?? {}, await keyedForms(unit, { lock: true }))
    for (const { row, release } of gone)
      if (release) await setRecipeHash(unit, row.id, null)
      else await forms.delete(unit, tenantId, row)
    for (const { declared, row } of writes) {
      const { key, content, hash } = declared
      const id = row?.id ?? (await forms.insert(unit, tenantId, content, null, key))
      if (row) await forms.applyChange(unit, tenantId, row, content, null)
      await setRecipeHash(unit, id, hash)
    }
  })
}

/** @param hash null releases the form. */
async function setRecipeHash(unit: Unit, id: string, hash: string | null): Promise<void> {
  await unit.query('update forms_forms set managed_by = $2, recipe_hash = $3 where id = $1', [
    id,
    hash === null ? null : 'recipe',
    hash,
  ])
}

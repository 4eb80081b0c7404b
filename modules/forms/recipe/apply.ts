/** Writes the recipe's forms into the operator's tenant. */
import type { Deps, RecipeView } from '@larder-dev/larder/kernel'
import type { FormsOptions } from '../options.ts'
import { formTable } from '../records/form.ts'
import { keyedForms } from '../services/form-repository.ts'
import type { FormServices } from '../services.ts'
import { diffForms } from './diff.ts'
import type { Sections } from './sections.ts'

export async function apply(
  { database, operator, forms }: Deps<'database' | 'operator'> & Pick<FormServices, 'forms'>,
  _options: FormsOptions,
  { sections }: RecipeView<Sections>,
): Promise<void> {
  const { tenantId } = operator
  await database.tenant(tenantId).transaction(async unit => {
    const { writes, gone } = diffForms(sections.forms ?? {}, await keyedForms(unit, { lock: true }))
    for (const { row, release } of gone)
      if (release) await unit.defer([formTable.updateStep({ id: row.id }, { managedBy: null, recipeHash: null })])
      else await forms.delete(unit, tenantId, row)
    for (const { declared, row } of writes) {
      const { key, content, hash } = declared
      const id = row?.id ?? (await forms.insert(unit, tenantId, content, null, key))
      if (row) await forms.applyChange(unit, tenantId, row, content, null)
      await unit.defer([formTable.updateStep({ id }, { managedBy: 'recipe', recipeHash: hash })])
    }
  })
}

import type { Deps, Unit } from 'larder/kernel'
import { diffMenus, type MenuDiff, type MenuRow } from './diff.ts'
import type { Sections } from './sections.ts'

/** @param options `editable`: whether editors may change the menus. `lock` locks the rows until the unit ends. */
export async function readMenuDiff(
  unit: Unit,
  menus: Sections['navigation'],
  { editable, lock }: { readonly editable: boolean; readonly lock: boolean },
): Promise<MenuDiff> {
  const { rows } = await unit.query<MenuRow>(
    `select key, items, managed_by as "managedBy", editable, recipe_hash as "recipeHash" from content_navigation
     ${lock ? 'for update' : ''}`,
  )
  return diffMenus(menus, rows, editable)
}

export async function applyMenus(
  { contentServices, operator }: Deps<'contentServices' | 'operator'>,
  unit: Unit,
  menus: Sections['navigation'],
  editable: boolean,
): Promise<void> {
  const { tenantId } = operator
  const { writes, gone } = await readMenuDiff(unit, menus, { editable, lock: true })
  for (const { row, release } of gone) {
    const { key } = row
    if (release) await updateManagement(unit, { key, managedBy: null, editable: true, recipeHash: null })
    else await unit.query('delete from content_navigation where key = $1', [key])
    contentServices.cache.invalidateAfterCommit(tenantId)
  }
  for (const { declared, row, edited } of writes) {
    const { key, items, hash } = declared
    if (!edited) await contentServices.menus.write(unit, tenantId, key, items)
    const recipeHash = edited && row ? row.recipeHash : hash
    await updateManagement(unit, { key, managedBy: 'recipe', editable, recipeHash })
  }
}

async function updateManagement(
  unit: Unit,
  { key, managedBy, editable, recipeHash }: Omit<MenuRow, 'items'>,
): Promise<void> {
  await unit.query('update content_navigation set managed_by = $2, editable = $3, recipe_hash = $4 where key = $1', [
    key,
    managedBy,
    editable,
    recipeHash,
  ])
}

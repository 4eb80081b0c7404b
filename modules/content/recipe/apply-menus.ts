import type { Deps, Unit } from '@larder-dev/larder/kernel'
import { menuTable } from '../records/navigation.ts'
import type { ContentServices } from '../services.ts'
import { diffMenus, type MenuDiff, type MenuRow } from './diff.ts'
import type { Sections } from './sections.ts'

/** @param options `editable`: whether editors may change the menus. `lock` locks the rows until the unit ends. */
export async function readMenuDiff(
  unit: Unit,
  menus: Sections['navigation'],
  { editable, lock }: { readonly editable: boolean; readonly lock: boolean },
): Promise<MenuDiff> {
  const { rows } = await unit.query<MenuRow>(
    `select ${menuTable.columns()}, recipe_hash as "recipeHash" from content_navigation
     ${lock ? 'for update' : ''}`,
  )
  return diffMenus(menus, rows, editable)
}

export async function applyMenus(
  { menus: menuService, siteCache, operator }: Deps<'operator'> & Pick<ContentServices, 'menus' | 'siteCache'>,
  unit: Unit,
  menus: Sections['navigation'],
  editable: boolean,
): Promise<void> {
  const { tenantId } = operator
  const { writes, gone } = await readMenuDiff(unit, menus, { editable, lock: true })
  for (const { row, release } of gone) {
    const { key } = row
    if (release) await menuTable.update(unit, { key }, { managedBy: null, editable: true, recipeHash: null })
    else await menuTable.delete(unit, { key })
    siteCache.invalidateAfterCommit(tenantId)
  }
  for (const { declared, row, edited } of writes) {
    const { key, items, hash } = declared
    if (!edited) await menuService.write(unit, tenantId, key, { items })
    const recipeHash = edited && row ? row.recipeHash : hash
    await menuTable.update(unit, { key }, { managedBy: 'recipe', editable, recipeHash })
  }
}

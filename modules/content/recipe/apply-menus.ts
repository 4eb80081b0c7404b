import type { Unit } from 'larder/kernel'
import { diffMenus, type MenuDiff, type MenuRow } from './diff.ts'
import type { ReconcileDeps } from './apply.ts'
import type { Sections } from './sections.ts'

/** @param held for who is going to change what it finds. */
export async function readMenuDiff(
  unit: Unit,
  menus: Sections['navigation'],
  editable: boolean,
  held: boolean,
): Promise<MenuDiff> {
  const { rows } = await unit.query<MenuRow>(
    `select key, items, managed_by is not null as managed, editable, recipe_hash as hash from content_navigation
     ${held ? 'for update' : ''}`,
  )
  return diffMenus(menus, rows, editable)
}

export async function reconcileMenus(
  { content, operator }: ReconcileDeps,
  unit: Unit,
  menus: Sections['navigation'],
  editable: boolean,
): Promise<void> {
  const { tenantId } = operator
  const { changes, gone } = await readMenuDiff(unit, menus, editable, true)
  for (const { key, edited } of gone) {
    if (edited) await mark(unit, { key, managed: false, editable: true, hash: null })
    else await unit.query('delete from content_navigation where key = $1', [key])
    content.changed(tenantId)
  }
  for (const { key, items, row, kept, hash } of changes) {
    if (!kept) await content.navigation.write(unit, tenantId, key, items)
    await mark(unit, { key, managed: true, editable, hash: kept ? (row?.hash ?? null) : hash })
  }
}

async function mark(unit: Unit, { key, managed, editable, hash }: Omit<MenuRow, 'items'>): Promise<void> {
  await unit.query('update content_navigation set managed_by = $2, editable = $3, recipe_hash = $4 where key = $1', [
    key,
    managed ? 'recipe' : null,
    editable,
    hash,
  ])
}

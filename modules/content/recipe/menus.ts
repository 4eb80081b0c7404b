import type { Unit } from '../../../kernel/contract.ts'
import type { Item } from '../core/navigation.ts'
import { fingerprint } from './fingerprint.ts'
import type { ReconcileDeps } from './reconcile.ts'
import type { Sections } from './sections.ts'

interface Row {
  readonly key: string
  readonly items: readonly Item[]
  readonly managed: boolean
  readonly editable: boolean
  readonly hash: string | null
}

export async function reconcileMenus(
  { content, operator }: ReconcileDeps,
  unit: Unit,
  menus: Sections['navigation'],
  editable: boolean,
): Promise<void> {
  const { tenantId } = operator
  const { rows } = await unit.query<Row>(
    `select key, items, managed_by is not null as managed, editable, recipe_hash as hash from content_navigation for update`,
  )
  for (const row of rows.filter(({ key, managed }) => managed && !(key in menus))) {
    if (isEdited(row)) await mark(unit, { key: row.key, managed: false, editable: true, hash: null })
    else await unit.query('delete from content_navigation where key = $1', [row.key])
    content.changed(tenantId)
  }
  for (const [key, items] of Object.entries(menus)) {
    const row = rows.find(found => found.key === key)
    const hash = fingerprint(items)
    if (row?.managed && row.hash === hash && row.editable === editable) continue
    const kept = row?.managed && isEdited(row) && editable
    if (!kept) await content.navigation.write(unit, tenantId, key, items)
    await mark(unit, { key, managed: true, editable, hash: kept ? row.hash : hash })
  }
}

const isEdited = ({ editable, hash, items }: Row): boolean => editable && fingerprint(items) !== hash

async function mark(unit: Unit, { key, managed, editable, hash }: Omit<Row, 'items'>): Promise<void> {
  await unit.query('update content_navigation set managed_by = $2, editable = $3, recipe_hash = $4 where key = $1', [
    key,
    managed ? 'recipe' : null,
    editable,
    hash,
  ])
}

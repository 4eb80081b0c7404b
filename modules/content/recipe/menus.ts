/** The menus of the recipe. */
import {
  type Deps,
  diffManagedRows,
  fingerprint,
  type ManagedContext,
  type ManagedRow,
  type ManagedRowsDiff,
  managedSection,
} from '@larder-dev/larder/kernel'
import type { MenuItem } from '../domain/menu.ts'
import type { ContentOptions } from '../options.ts'
import { menuTable } from '../records/navigation.ts'
import type { ContentServices } from '../services.ts'
import type { Sections } from './sections.ts'

type Context = ManagedContext<
  Deps<'database' | 'operator'> & Pick<ContentServices, 'menus' | 'siteCache'>,
  ContentOptions,
  Sections
>

export interface MenuRow extends ManagedRow {
  readonly key: string
  readonly items: readonly MenuItem[]
  readonly editable: boolean
}
interface DeclaredMenu {
  readonly key: string
  readonly items: readonly MenuItem[]
  readonly hash: string
}

const isMenuEdited = ({ editable, recipeHash, items }: MenuRow): boolean =>
  editable && fingerprint(items) !== recipeHash

/** @param editable whether the recipe lets editors change its menus. */
export const diffMenus = (
  menus: Sections['navigation'],
  rows: readonly MenuRow[],
  editable: boolean,
): ManagedRowsDiff<DeclaredMenu, MenuRow> =>
  diffManagedRows<DeclaredMenu, MenuRow>(
    Object.entries(menus).map(([key, items]) => ({ key, items, hash: fingerprint(items) })),
    rows,
    {
      keyOf: ({ key }) => key,
      isEdited: row => editable && isMenuEdited(row),
      isCurrent: (row, { hash }) => row.recipeHash === hash && row.editable === editable,
      isReleased: isMenuEdited,
    },
  )

export const menus = managedSection<Context, DeclaredMenu, MenuRow>({
  subject: ({ key }) => `menu ${key}`,
  async diff({ unit, options, recipe }, lock) {
    const { rows } = await unit.query<MenuRow>(
      `select ${menuTable.columns()}, recipe_hash as "recipeHash" from content_navigation ${lock ? 'for update' : ''}`,
    )
    return diffMenus(recipe.sections.navigation ?? {}, rows, options.editable)
  },
  describeWrite: ({ kind, edited }) => ({
    ...(edited && { detail: 'keeps the edited items' }),
    ...(kind === 'adopt' && { detail: 'takes over a menu of the operator' }),
  }),
  describeRemoval: ({ release }) => (release ? { detail: 'was edited and stays, as a menu of the operator' } : {}),
  async write({ deps: { menus, operator }, options: { editable }, unit }, { declared, row, edited }) {
    const { key, items, hash } = declared
    if (!edited) await menus.write(unit, operator.tenantId, key, { items })
    const recipeHash = edited ? row.recipeHash : hash
    await menuTable.update(unit, { key }, { managedBy: 'recipe', editable, recipeHash })
  },
  async remove({ deps: { siteCache, operator }, unit }, { row: { key }, release }) {
    if (release) await menuTable.update(unit, { key }, { managedBy: null, editable: true, recipeHash: null })
    else await menuTable.delete(unit, { key })
    siteCache.invalidateAfterCommit(operator.tenantId)
  },
})

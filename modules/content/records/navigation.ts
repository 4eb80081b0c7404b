/** Menus in request bodies, replies and recipes. */
import {
  bodyOf,
  documented,
  LINE_PATTERN,
  NameOf,
  Nullable,
  named,
  type Static,
  Time,
  type TSchema,
  Type,
  table,
  Writable,
} from '@larder-dev/larder/kernel'
import { localTextOf } from '@larder-dev/larder/kernel/internal'
import type { MenuItem } from '../domain/menu.ts'
import { ManagedBy, Slug } from './page.ts'

const MAX_DEPTH = 4
const MAX_ITEMS_PER_LEVEL = 100

const MAX_LABEL_LENGTH = 100
/** The API cleans labels. A label of a recipe that needs cleaning is an error. */
const Label = localTextOf(NameOf(MAX_LABEL_LENGTH))
const RecipeLabel = localTextOf(Type.String({ minLength: 1, maxLength: MAX_LABEL_LENGTH, pattern: LINE_PATTERN }))

const target = {
  page: Type.Optional(Slug),
  path: Type.Optional(
    Type.String({ maxLength: 1024, pattern: '^(/([^/\\\\\\s][^\\\\\\s]*)?|https?://[^\\s\\\\]+|#[^\\s]*)$' }),
  ),
  permission: Type.Optional(Type.String({ maxLength: 100, pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)+$' })),
}

/** Expanded level by level, because a recursive schema can't limit the depth. */
function itemsSchema(label: TSchema, depth = MAX_DEPTH): TSchema {
  const below = depth > 1 && { items: Type.Optional(itemsSchema(label, depth - 1)) }
  const item = Type.Object({ label, ...target, ...below }, { additionalProperties: false })
  return Type.Array(item, { maxItems: MAX_ITEMS_PER_LEVEL })
}
const menuItems = (label: TSchema) => {
  const MenuItem = Type.Object({ label, ...target, items: Type.Optional(Type.Array(Type.Ref('MenuItem'))) })
  return documented(
    Type.Array(Type.Cyclic({ MenuItem }, 'MenuItem'), {
      maxItems: MAX_ITEMS_PER_LEVEL,
      description: `At most ${MAX_DEPTH} levels`,
    }),
    Type.Unsafe<MenuItem[]>(itemsSchema(label)),
  )
}
const MenuItems = menuItems(Label)
export const RecipeMenuItems = menuItems(RecipeLabel)

export const MenuKey = Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z][a-z0-9_-]*$' })
export const Menu = named(
  'Menu',
  Type.Object({
    key: Type.String(),
    items: Writable(MenuItems),
    managedBy: ManagedBy,
    editable: Type.Boolean({ description: 'Whether editors may change the menu. Otherwise the recipe does' }),
    createdAt: Time,
    updatedAt: Time,
  }),
)
export type Menu = Static<typeof Menu>

export const NewMenu = Type.Object(bodyOf(Menu.properties))

export const menuTable = table('content_navigation', Menu, {
  what: 'menu',
  key: 'key',
  hidden: { tenantId: Type.String(), recipeHash: Nullable(Type.String()) },
})

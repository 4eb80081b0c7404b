/** Menus in request bodies, replies and recipes. */
import {
  documented,
  localTextOf,
  Nullable,
  named,
  type Static,
  Time,
  type TSchema,
  Type,
  table,
} from '@larder-dev/larder/kernel'
import type { MenuItem } from '../domain/menu.ts'
import { ManagedBy, Slug } from './page.ts'

const MAX_DEPTH = 4
const MAX_ITEMS_PER_LEVEL = 100

const fields = {
  label: localTextOf(Type.String({ minLength: 1, maxLength: 100 })),
  page: Type.Optional(Slug),
  path: Type.Optional(
    Type.String({ maxLength: 1024, pattern: '^(/([^/\\\\\\s][^\\\\\\s]*)?|https?://[^\\s\\\\]+|#[^\\s]*)$' }),
  ),
  permission: Type.Optional(Type.String({ maxLength: 100, pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)+$' })),
}

/** Expanded level by level, because a recursive schema can't limit the depth. */
function itemsSchema(depth: number): TSchema {
  const closed = { additionalProperties: false }
  const item =
    depth > 1
      ? Type.Object({ ...fields, items: Type.Optional(itemsSchema(depth - 1)) }, closed)
      : Type.Object(fields, closed)
  return Type.Array(item, { maxItems: MAX_ITEMS_PER_LEVEL })
}
const ItemDocs = Type.Cyclic(
  { MenuItem: Type.Object({ ...fields, items: Type.Optional(Type.Array(Type.Ref('MenuItem'))) }) },
  'MenuItem',
)
export const MenuItems = documented(
  Type.Array(ItemDocs, { maxItems: MAX_ITEMS_PER_LEVEL, description: `At most ${MAX_DEPTH} levels` }),
  Type.Unsafe<MenuItem[]>(itemsSchema(MAX_DEPTH)),
)

export const MenuKey = Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z][a-z0-9_-]*$' })
export const NewMenu = Type.Object({ items: MenuItems })

export const Menu = named(
  'Menu',
  Type.Object({
    key: Type.String(),
    items: MenuItems,
    managedBy: ManagedBy,
    createdAt: Time,
    updatedAt: Time,
  }),
)
export type Menu = Static<typeof Menu>

export const menuTable = table('content_navigation', Menu, {
  what: 'menu',
  key: 'key',
  hidden: { tenantId: Type.String(), editable: Type.Boolean(), recipeHash: Nullable(Type.String()) },
})

import { common, invalidField, listOf, listQuery, route, wording } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { Menu, MenuKey, NewMenu } from '../records/navigation.ts'
import type { ContentServices } from '../services.ts'

export function navigationRoutes({ menus, recipeContent }: Pick<ContentServices, 'menus' | 'recipeContent'>) {
  const list = route({
    method: 'get',
    path: '/content/navigation',
    operationId: 'listMenus',
    summary: 'Lists menus by key. Items that the caller may not see are left out.',
    allow: 'content.navigation.read',
    query: listQuery(),
    replies: { 200: listOf(Menu) },
    handle: ({ tenantId, caller, query }) => menus.list(tenantId, caller, query),
  })

  const get = route({
    method: 'get',
    path: '/content/navigation/:key',
    operationId: 'getMenu',
    summary: 'Returns a menu. Items with a page have its path.',
    allow: 'content.navigation.read',
    replies: { 200: Menu },
    handle: ({ tenantId, caller, params }) => menus.get(tenantId, caller, params.key),
  })

  const put = route({
    method: 'put',
    path: '/content/navigation/:key',
    operationId: 'replaceMenu',
    summary: 'Creates a menu, or replaces all of its items.',
    allow: 'content.navigation.update',
    body: NewMenu,
    replies: { 200: Menu },
    problems: [common.managed_by_recipe],
    async handle({ tenantId, params, body }) {
      const { pattern, maxLength } = MenuKey as { pattern?: string; maxLength?: number }
      if (params.key.length > (maxLength ?? 0) || !new RegExp(pattern ?? '').test(params.key))
        throw invalidField(
          'params/key',
          'wrong_format',
          wording('must begin with a-z and contain only a-z, 0-9, _ and -'),
        )
      return menus.put(tenantId, params.key, body)
    },
  })

  const reset = route({
    method: 'post',
    path: '/content/navigation/:key/reset',
    operationId: 'resetMenu',
    summary: 'Gives a menu of the recipe its items again.',
    allow: 'content.navigation.update',
    replies: { 200: Menu },
    problems: [problems.menu_not_of_recipe],
    async handle({ tenantId, caller, params }) {
      await recipeContent.resetMenu(tenantId, params.key)
      return menus.get(tenantId, caller, params.key)
    },
  })

  return [list, get, put, reset]
}

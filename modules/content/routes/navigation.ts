import { common, type Deps, listOf, listQuery, route } from 'larder/kernel'
import { Menu, MenuKey, NewMenu } from './navigation-schemas.ts'
import { invalidField } from '../problems.ts'

export function navigationRoutes({ content: { navigation } }: Deps<'content'>) {
  const list = route({
    method: 'get',
    path: '/content/navigation',
    summary: 'Menus by key, without the items that the reader may not see.',
    allow: 'content.navigation.read',
    query: listQuery(),
    replies: { 200: listOf(Menu) },
    handle: ({ tenantId, caller, query }) => navigation.list(tenantId, caller, query),
  })

  const get = route({
    method: 'get',
    path: '/content/navigation/:key',
    summary: 'A menu; items that name a page carry its path.',
    allow: 'content.navigation.read',
    replies: { 200: Menu },
    handle: ({ tenantId, caller, params }) => navigation.get(tenantId, caller, params.key),
  })

  const put = route({
    method: 'put',
    path: '/content/navigation/:key',
    summary: 'Replaces a menu as a whole, or makes it.',
    allow: 'content.navigation.update',
    body: NewMenu,
    replies: { 200: Menu },
    problems: [common.managed_by_recipe],
    async handle({ tenantId, params, body, caller }) {
      const { pattern, maxLength } = MenuKey as { pattern?: string; maxLength?: number }
      if (params.key.length > (maxLength ?? 0) || !new RegExp(pattern ?? '').test(params.key))
        throw invalidField('params/key', 'wrong_format', 'must begin with a-z and hold a-z, 0-9, _ and - alone')
      await navigation.put(tenantId, params.key, body.items)
      return navigation.get(tenantId, caller, params.key)
    },
  })

  return [list, get, put]
}

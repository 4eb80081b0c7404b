import { defineModule, route, Type } from '../../kernel/index.ts'

const permissions = { 'x.thing.read': 'Read things' }
const replies = { 200: Type.Unknown() }
// expect: TS2322 a route requires a permission that its module does not declare
export const a = defineModule({
  name: 'x',
  permissions,
  routes: () => [route({ method: 'get', path: '/x', allow: 'x.thing.write', replies, async handle() {} })],
})
// expect: TS2345 a route has no access rule
export const b = route({ method: 'get', path: '/x', replies, async handle() {} })
// expect: TS2820 a role grants a permission that its module does not declare
export const c = defineModule({
  name: 'x',
  permissions,
  roles: { 'tenant.clerk': { name: 'Clerk', permissions: ['x.thing.zap'] } },
})
// expect: TS18048 a public route assumes a caller
export const d = route({ method: 'get', path: '/x', allow: 'public', replies, handle: async i => i.caller.userId })
// expect: TS18048 a route for any user assumes a tenant
export const e = route({ method: 'get', path: '/x', allow: 'user', replies, handle: async i => i.tenantId.trim() })

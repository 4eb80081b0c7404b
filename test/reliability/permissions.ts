/** Every permission of the catalogue against the routes: a member who holds one opens what asks for it, and no more. */
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { packageRoot } from '../../kernel/base/package-root.ts'
import type { Endpoint } from '../../services/http/server.ts'
import { type Client, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { folderWith } from '../kernel/recipe/fixtures.ts'
import { colleague, operator, outcome } from '../modules/identity/fixtures.ts'

export interface Doors {
  readonly permissions: number
  readonly routes: number
  readonly knocks: number
  /** What let in whom it should not, or kept out whom it should let in. */
  readonly wrong: readonly string[]
}

export const FULL = fileURLToPath(new URL('recipes/full.yaml', packageRoot))
const OPEN = ['public', 'joinToken', 'signature', 'user']
const roleOf = (permission: string): string => `only.${permission.replaceAll('.', '_')}`

/** Ids that exist nowhere, and no body: nothing that is let in does anything. */
export const knock = (client: Client, { method, path }: Pick<Endpoint, 'method' | 'path'>) =>
  client.call<{ code: string; requiredPermission?: string }>(
    method,
    path.replace(/:\w+/g, 'xxx_00000000000000000000000000'),
    method === 'GET' || method === 'DELETE' ? undefined : {},
  )

/** Knocks with each permission at every route that names it, and at one in `step` of the others, another each time. */
export async function tryDoors(t: Parameters<typeof folderWith>[0], { step }: { step: number }): Promise<Doors> {
  const kernel = await start(t)
  t.teardown(() => kernel.stop())
  const { member, become } = await pretender(kernel)
  const routes = kernel.kernel.ports.http
    .endpoints()
    .filter(({ kind, allow }) => (kind === 'route' || kind === 'raw') && !allow.some(word => OPEN.includes(word)))
  const permissions = kernel.kernel.ports.access.permissions()
  const wrong: string[] = []
  let knocks = 0
  for (const [at, { key, scope }] of permissions.entries()) {
    await become(key, scope)
    const tried = routes.filter(({ allow }, n) => allow.includes(key) || (n + at) % step === 0)
    await Promise.all(
      tried.map(async route => {
        const { status, body } = await knock(member, route)
        knocks++
        const refused = status === 403 && body.code === 'forbidden' && body.requiredPermission === route.allow[0]
        if (status >= 500 || refused === route.allow.includes(key))
          wrong.push(`${key} at ${route.method} ${route.path}: ${status} ${body?.code}`)
      }),
    )
  }
  return { permissions: permissions.length, routes: routes.length, knocks, wrong }
}

/** The full recipe with a role of scope platform for each permission of that scope. */
async function start(t: Parameters<typeof folderWith>[0]): Promise<TestKernel> {
  const plain = await startTestKernel({ recipe: FULL, role: 'web' })
  const permissions = plain.kernel.ports.access.permissions()
  await plain.stop()
  const roles = Object.fromEntries(
    permissions
      .filter(({ scope }) => scope === 'platform')
      .map(({ key }) => [roleOf(key), { name: key, scope: 'platform', permissions: [key] }]),
  )
  const folder = folderWith(t, { 'recipe.yaml': stringify({ extends: 'larder/full', roles }) })
  return startTestKernel({ recipe: `${folder}/recipe.yaml`, role: 'web' })
}

/** A member of the operator's tenant, where roles of both scopes can be given, who holds what is said last. */
async function pretender(kernel: TestKernel) {
  const admin = await operator(kernel)
  const boss = { ...admin, ...admin.with({ 'x-tenant-id': admin.operatorId }), tenantId: admin.operatorId }
  const member = await colleague(kernel, boss, ['tenant.member'])
  await boss.post('/v1/identity/roles', { key: 'only.this', name: 'Only this', permissions: [] })
  const must = (said: string) => {
    if (said !== '200') throw new Error(`giving a role was answered ${said}`)
  }
  return {
    member,
    async become(permission: string, scope: 'tenant' | 'platform') {
      if (scope === 'tenant')
        must(outcome(await boss.patch('/v1/identity/roles/only.this', { permissions: [permission] })))
      const roles = [scope === 'tenant' ? 'only.this' : roleOf(permission)]
      must(outcome(await boss.patch(`/v1/identity/members/${member.memberId}`, { roles })))
    },
  }
}

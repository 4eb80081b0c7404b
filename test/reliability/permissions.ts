/** Checks each permission against the routes: a member with only that permission may call exactly the routes that name it. */
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { packageRoot } from '../../kernel/base/package-root.ts'
import type { Endpoint } from '../../services/http/server.ts'
import { type Client, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { folderWith } from '../kernel/recipe/fixtures.ts'
import { codeOf, colleague, operator } from '../modules/identity/fixtures.ts'

export interface PermissionResult {
  readonly permissions: number
  readonly routes: number
  readonly requests: number
  /** Routes that wrongly granted or denied access. */
  readonly wrong: readonly string[]
}

export const FULL = fileURLToPath(new URL('recipes/full.yaml', packageRoot))
const OPEN_TO_ALL = ['public', 'joinToken', 'signature', 'user']
const roleOf = (permission: string): string => `only.${permission.replaceAll('.', '_')}`

/** Sends unknown ids and an empty body, so that an authorized request has no effect. */
export const callRoute = (client: Client, { method, path }: Pick<Endpoint, 'method' | 'path'>) =>
  client.call<{ code: string; requiredPermission?: string }>(
    method,
    path.replace(/:\w+/g, 'xxx_00000000000000000000000000'),
    method === 'GET' || method === 'DELETE' ? undefined : {},
  )

/** Calls, with each permission, every route that names it, and one in `step` of the others. */
export async function checkPermissions(
  t: Parameters<typeof folderWith>[0],
  { step }: { step: number },
): Promise<PermissionResult> {
  const kernel = await start(t)
  t.teardown(() => kernel.stop())
  const { member, grantOnly } = await createMember(kernel)
  const routes = kernel.kernel.ports.http
    .endpoints()
    .filter(
      ({ kind, allow }) => (kind === 'route' || kind === 'raw') && !allow.some(word => OPEN_TO_ALL.includes(word)),
    )
  const permissions = kernel.kernel.ports.access.permissions()
  const wrong: string[] = []
  let requests = 0
  for (const [at, { key, scope }] of permissions.entries()) {
    await grantOnly(key, scope)
    const selected = routes.filter(({ allow }, n) => allow.includes(key) || (n + at) % step === 0)
    await Promise.all(
      selected.map(async route => {
        const { status, body } = await callRoute(member, route)
        requests++
        const denied = status === 403 && body.code === 'forbidden' && body.requiredPermission === route.allow[0]
        if (status >= 500 || denied === route.allow.includes(key))
          wrong.push(`${key} at ${route.method} ${route.path}: ${status} ${body?.code}`)
      }),
    )
  }
  return { permissions: permissions.length, routes: routes.length, requests, wrong }
}

/** The full recipe, with a platform role for each platform permission. */
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

/** A member of the operator's tenant, which can have roles of both scopes. */
async function createMember(kernel: TestKernel) {
  const admin = await operator(kernel)
  const owner = { ...admin, ...admin.with({ 'x-tenant-id': admin.operatorId }), tenantId: admin.operatorId }
  const member = await colleague(kernel, owner, ['tenant.member'])
  await owner.post('/v1/identity/roles', { key: 'only.this', name: 'Only this', permissions: [] })
  const assertUpdated = (result: string) => {
    if (result !== '200') throw new Error(`changing the permission returned ${result}`)
  }
  return {
    member,
    async grantOnly(permission: string, scope: 'tenant' | 'platform') {
      if (scope === 'tenant')
        assertUpdated(codeOf(await owner.patch('/v1/identity/roles/only.this', { permissions: [permission] })))
      const roles = [scope === 'tenant' ? 'only.this' : roleOf(permission)]
      assertUpdated(codeOf(await owner.patch(`/v1/identity/members/${member.memberId}`, { roles })))
    },
  }
}

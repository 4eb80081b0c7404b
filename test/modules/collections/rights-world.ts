/** A kernel with the collections of the model, people of every kind, and rows of every workspace. */
import type { CollectionRows } from '../../../modules/collections/ports.ts'
import { startTestKernel, type TestKernel } from '../../../testing/index.ts'
import { peopleOf } from '../../fixtures/people.ts'
import { type Declared, recipeOf, rightsIn, type Stored, type World } from './rights-model.ts'
import type { Shown, Who } from './rights-ways.ts'

export const portOf = ({ kernel }: TestKernel) =>
  (kernel.ports as unknown as { collections: CollectionRows }).collections

export async function createWorld(collections: readonly Declared[], random: () => number): Promise<World> {
  const kernel = await startTestKernel({ recipe: recipeOf(collections) })
  const people = peopleOf(kernel)
  const operator = kernel.kernel.ports.operator.tenantId
  const [root, ada, bob] = [await people.operator(), await people.person(), await people.person()]
  const permissions = ['collections.*']
  await ada.post('/v1/identity/roles', { key: 'tenant.spy', name: 'Spy', permissions })
  const colleagues = {
    memberA: await people.colleague(ada, ['tenant.member']),
    editorA: await people.colleague(ada, ['tenant.editor']),
    spyA: await people.colleague(ada, ['tenant.spy']),
    memberB: await people.colleague(bob, ['tenant.member']),
    operatorMember: await people.colleague(root, ['tenant.member']),
    operatorEditor: await people.colleague(root, ['tenant.editor']),
  }
  const keyed = ['alphas', 'alphas_links', 'kappas', 'kappas_links']
  const made = await ada.post<{ secret: string; key: string }>('/v1/identity/api-keys', {
    name: 'Key',
    permissions: keyed.map(name => `collections.${name}.read`),
  })
  const secret = Object.values(made.body).find(value => typeof value === 'string' && value.length > 40) as string
  const roles: Record<string, string[]> = {
    memberA: ['tenant.member'],
    editorA: ['tenant.editor'],
    spyA: ['tenant.spy'],
    memberB: ['tenant.member'],
    operatorMember: ['tenant.member'],
    operatorEditor: ['tenant.editor'],
  }
  const ofColleague = ([name, person]: [string, (typeof colleagues)['memberA']]): Who => ({
    name,
    client: person,
    credential: person,
    userId: person.userId,
    workspace: person.tenantId,
    roles: roles[name] ?? [],
  })
  const { operatorEditor } = colleagues
  const elsewhere = (await kernel.as(operatorEditor.token).get<{ memberships: { tenantId: string }[] }>('/v1/auth/me'))
    .body
  const own = elsewhere.memberships.find(({ tenantId }) => tenantId !== operator)?.tenantId as string
  const owner = (name: string, person: typeof ada): Who => ({
    name,
    client: person,
    credential: person,
    userId: person.userId,
    workspace: person.tenantId,
    roles: ['tenant.owner'],
  })
  const { memberA } = colleagues
  const acted = await root.post<{ token: string }>(`/v1/identity/admin/users/${memberA.userId}/impersonation`, {
    tenantId: memberA.tenantId,
    reason: 'A test acts as a member',
  })
  const { token: actedToken } = acted.body
  const callers: Who[] = [
    { name: 'anonymous', client: kernel, userId: undefined, workspace: undefined, roles: [] },
    owner('ownerA', ada),
    owner('ownerB', bob),
    ...Object.entries(colleagues).map(ofColleague),
    {
      name: 'operator',
      client: root,
      userId: root.userId,
      workspace: operator,
      roles: ['tenant.owner'],
      credential: root,
    },
    // An operator who acts as a member has the rights of this member, and none of their own.
    {
      name: 'actsAsMember',
      client: kernel.as(actedToken, memberA.tenantId),
      credential: { token: actedToken, tenantId: memberA.tenantId },
      userId: memberA.userId,
      workspace: memberA.tenantId,
      roles: ['tenant.member'],
    },
    // The same person in the workspace of their own.
    {
      name: 'editorAtHome',
      client: kernel.as(operatorEditor.token, own),
      userId: operatorEditor.userId,
      credential: { token: operatorEditor.token, tenantId: own },
      workspace: own,
      roles: ['tenant.owner'],
    },
    {
      name: 'keyA',
      client: kernel.as(secret),
      userId: ada.userId,
      workspace: ada.tenantId,
      credential: { token: secret, tenantId: ada.tenantId, isKey: true as const },
      roles: ['tenant.owner'],
      covers: keyed,
    },
    // A person whose request names no workspace.
    {
      name: 'account',
      client: kernel.with({ cookie: ada.cookie }),
      userId: ada.userId,
      workspace: undefined,
      credential: { token: ada.token, tenantId: undefined },
      roles: [],
    },
  ]
  const world = { kernel, operator, collections, callers, ...(await fill(kernel, collections, callers, random)) }
  return { ...world, rights: rightsIn(world) }
}
async function fill(
  kernel: TestKernel,
  collections: readonly Declared[],
  callers: readonly Who[],
  random: () => number,
): Promise<Pick<World, 'rows' | 'links'>> {
  const { ports } = kernel.kernel
  const store = (name: string, tenantId: string) => portOf(kernel).rows(name, { tenantId })
  const operator = ports.operator.tenantId
  const areas = await store('areas', operator).createMany([{ open: true }, { open: false }] as never)
  const workspaces = [...new Set(callers.flatMap(({ workspace }) => workspace ?? []))]
  const users = [...new Set(callers.flatMap(({ userId }) => userId ?? [])), null]
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const rows: Record<string, Stored[]> = {}
  const links = new Map<string, { id: string; target: Stored }>()
  for (const { name, shared } of collections) {
    rows[name] = []
    for (const workspace of shared ? [operator] : workspaces) {
      const values = Array.from({ length: shared ? 8 : 4 }, () => ({
        title: 'Row',
        note: 'first',
        secret: 'secret',
        level: Math.floor(random() * 4),
        published: random() < 0.5,
        area: pick(areas as unknown as Shown[]),
      }))
      const stored = (await store(name, workspace).createMany(
        values.map(value => ({ ...value, area: value.area.id })) as never,
      )) as unknown as Shown[]
      for (const [at, { id }] of stored.entries()) {
        const { level, published, area } = values[at] as (typeof values)[number]
        const createdBy = pick(users)
        await ports.systemDatabase
          .acrossTenants('a test gives rows an author')
          .query(`update data_${name} set created_by = $1 where id = $2`, [createdBy, id])
        await store(name, workspace).update(id, { note: 'second' } as never)
        rows[name].push({
          id,
          workspace,
          level,
          published,
          createdBy,
          area: { id: area.id, open: area.open === true },
        })
      }
    }
    for (const workspace of workspaces) {
      const reachable = rows[name].filter(row => row.workspace === (shared ? operator : workspace))
      const target = pick(reachable)
      const link = { target: target.id, targets: reachable.map(({ id }) => id) }
      const { id } = (await store(`${name}_links`, workspace).create(link as never)) as unknown as Shown
      links.set(`${name} ${workspace}`, { id, target })
    }
  }
  return { rows, links }
}

/** A kernel with the collections of the model of customers, people of every kind, and rows. */
import { startTestKernel } from '../../../testing/index.ts'
import { expectStatus, peopleOf } from '../../fixtures/people.ts'
import {
  LEVELS,
  type Listed,
  type OpenCollection,
  type Person,
  type Practice,
  type Project,
  REGIONS,
  ROLES,
  type Row,
  recipeOf,
  rightsIn,
  STATUSES,
  type Values,
} from './customers-model.ts'
import type { Shown } from './rights-ways.ts'
import { portOf } from './rights-world.ts'

type Random = () => number
interface Me {
  readonly user: { readonly id: string; readonly email: string }
  readonly memberships: readonly { readonly id: string; readonly tenantId: string; readonly roles: readonly string[] }[]
}

/** The plan of the workspace, which staff have. It has no limits. */
const OF_STAFF = { plan: 'free', entitlements: { level: Number.MAX_SAFE_INTEGER, archive: true } }
const onPlan = (plan: string) => ({ plan, entitlements: { level: LEVELS[plan] as number, archive: plan === 'pro' } })

export async function createPractice(collections: readonly OpenCollection[], random: Random): Promise<Practice> {
  const kernel = await startTestKernel({ recipe: recipeOf(collections) })
  const people = peopleOf(kernel)
  const root = await people.operator()
  const operator = root.tenantId
  const [ada, ben, cleo] = [await people.person(), await people.person(), await people.person()]
  const [carl, dora, emil] = [
    await people.colleague(root, ['tenant.staff']),
    await people.colleague(root, ['tenant.staff']),
    await people.colleague(root, ['tenant.clerk']),
  ]
  const memberOf = async (client: { get: typeof root.get }): Promise<string> => {
    const { memberships } = expectStatus(200, await client.get<Me>('/v1/auth/me'))
    return memberships.find(({ tenantId }) => tenantId === operator)?.id as string
  }
  const members = new Map<object, string>()
  for (const client of [root, ada, ben, cleo, carl, dora, emil]) members.set(client, await memberOf(client))
  const memberId = (client: object) => members.get(client) as string
  // Dora and Emil are staff and no customers; Carl is both.
  for (const [client, roles] of [
    [dora, ['tenant.staff']],
    [emil, ['tenant.clerk']],
    [carl, ['tenant.customer', 'tenant.staff']],
  ] as const)
    expectStatus(200, await root.patch(`/v1/identity/members/${memberId(client)}`, { roles }))
  const reason = 'A test'
  for (const client of [ben])
    expectStatus(
      200,
      await root.put(`/v1/billing/admin/members/${memberId(client)}/subscription`, { planKey: 'pro', reason }),
    )
  for (const [{ userId }, region] of [
    [ada, 'north'],
    [ben, 'south'],
    [carl, 'north'],
  ] as const)
    expectStatus(200, await root.patch(`/v1/identity/admin/users/${userId}`, { profile: { region } }))
  const acted = expectStatus(
    201,
    await root.post<{ token: string }>(`/v1/identity/admin/users/${ben.userId}/impersonation`, {
      tenantId: operator,
      reason: 'A test acts as a customer',
    }),
  )
  const inWorkspace = { workspace: operator }
  const customer = { ...inWorkspace, roles: ['tenant.customer'] }
  const ofBen = { memberId: memberId(ben), userId: ben.userId, ...onPlan('pro'), profile: { region: 'south' } }
  const login = (person: { token: string; userId: string }) => ({
    userId: person.userId,
    memberId: memberId(person),
    credential: { token: person.token, tenantId: operator },
  })
  const callers: Person[] = [
    { name: 'visitor', client: kernel, userId: undefined, workspace: undefined, roles: [] },
    { name: 'ada', client: ada, ...login(ada), ...customer, ...onPlan('free'), profile: { region: 'north' } },
    { name: 'ben', client: ben, ...login(ben), ...customer, ...ofBen },
    { name: 'cleo', client: cleo, ...login(cleo), ...customer, ...onPlan('free') },
    {
      name: 'carl',
      client: carl,
      ...login(carl),
      ...inWorkspace,
      roles: ['tenant.customer', 'tenant.staff'],
      ...OF_STAFF,
      profile: { region: 'north' },
    },
    { name: 'dora', client: dora, ...login(dora), ...inWorkspace, roles: ['tenant.staff'], ...OF_STAFF },
    { name: 'emil', client: emil, ...login(emil), ...inWorkspace, roles: ['tenant.clerk'], ...OF_STAFF },
    { name: 'operator', client: root, ...login(root), ...inWorkspace, roles: ['tenant.owner'], ...OF_STAFF },
    {
      name: 'keyOfBen',
      client: kernel.as(ben.apiKey),
      ...customer,
      ...ofBen,
      credential: { token: ben.apiKey, tenantId: operator, isKey: true },
      // Rules for everybody with an account need the permission, which a rule for the role gives.
      covers: collections.flatMap(({ name, access }) => (access.read['tenant.customer'] ? name : [])),
    },
    // An operator who acts as a customer has the rights of this customer, and none of their own.
    {
      name: 'actsAsMember',
      client: kernel.as(acted.token, operator),
      ...customer,
      ...ofBen,
      credential: { token: acted.token, tenantId: operator },
    },
  ]
  const listed: Listed[] = []
  for (const client of [root, ada, ben, cleo, carl, dora, emil]) {
    const { user, memberships } = expectStatus(200, await client.get<Me>('/v1/auth/me'))
    const { id = '', roles = [] } = memberships.find(({ tenantId }) => tenantId === operator) ?? {}
    listed.push({ id, userId: user.id, email: user.email, roles })
  }
  const files = new Map<string, string>()
  for (const fileName of ['plan.png', 'photo.png']) {
    const file = { fileName, mimeType: 'image/png', size: 100 }
    files.set(
      expectStatus(201, await root.post<{ mediaId: string }>('/v1/media/upload-intent', file)).mediaId,
      fileName,
    )
  }
  const rows: Record<string, Row[]> = {}
  const links = new Map<string, { id: string; target: Row }>()
  const store = (name: string) => portOf(kernel).rows(name, { tenantId: operator })
  const create = async (name: string, values: object) => (await store(name).create(values as never)) as unknown as Shown
  const projects: Project[] = []
  const someone = [memberId(ada), memberId(ben), memberId(carl), null]
  for (const open of [true, false]) {
    const practice = await create('practices', { open })
    for (const member of someone) {
      const client = await create('clients', { member, practice: practice.id })
      const { id } = await create('projects', { client: client.id })
      projects.push({ id, client: { id: client.id, member, practice: { open } } })
    }
  }
  const authors = [ada.userId, ben.userId, carl.userId, dora.userId, null]
  for (const { name } of collections) {
    const made: Row[] = []
    rows[name] = made
    for (let count = 0; count < 10; count++) {
      const values = valuesOf(projects, [memberId(ada), memberId(ben), memberId(carl), memberId(dora)], random)
      const createdBy = pickOf(authors, random)
      const id = await insert({ kernel, operator }, name, values, createdBy)
      made.push({ ...values, id, workspace: operator, createdBy })
    }
    const target = pickOf(made, random)
    const { id } = await create(`${name}_links`, { target: target.id, targets: made.map(row => row.id) })
    links.set(`${name} ${operator}`, { id, target })
  }
  const practice = { kernel, operator, collections, callers, rows, links, projects, members: listed, files }
  return { ...practice, rights: rightsIn(practice) }
}

export const pickOf = <T>(values: readonly T[], random: Random): T => values[Math.floor(random() * values.length)] as T

export function valuesOf(projects: readonly Project[], members: readonly string[], random: Random): Values {
  const maybe = <T>(values: readonly T[]): T | null => (random() < 0.2 ? null : pickOf(values, random))
  return {
    level: maybe([0, 1, 2, 3]),
    published: maybe([true, false]),
    status: maybe(STATUSES),
    audience: maybe(ROLES),
    region: maybe(REGIONS),
    owner: maybe(members),
    project: maybe(projects),
    participants: random() < 0.3 ? [] : [pickOf(projects, random).client],
  }
}
/** Values as the API takes them. */
export const given = ({ project, participants, ...values }: Values) => ({
  title: 'Row',
  note: 'first',
  secret: 'secret',
  ...values,
  project: project?.id ?? null,
  participants: participants.map(({ id }) => id),
})

/** Stores a row in the name of an author, and changes it once. */
export async function insert(
  { kernel, operator }: Pick<Practice, 'kernel' | 'operator'>,
  name: string,
  values: Values,
  createdBy: string | null,
  more: object = {},
): Promise<string> {
  const store = portOf(kernel).rows(name, { tenantId: operator })
  const { id } = (await store.create({ ...given(values), ...more } as never)) as unknown as Shown
  await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test gives rows an author')
    .query(`update data_${name} set created_by = $1 where id = $2`, [createdBy, id])
  await store.update(id, { note: 'second' } as never)
  return id
}

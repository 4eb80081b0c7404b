import test from 'ava'
import type { Client } from '../../../../testing/index.ts'
import type { Listed, ProblemBody } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

interface Row {
  id: string
  [field: string]: unknown
}

/** A new one for each rule, because YAML would name a shared one by an alias. */
const mine = () => ({ 'project.client.firm.createdBy': '$user', not: { status: 'draft' } })
const recipe = {
  modules: { identity: {}, comms: {}, collections: {} },
  collections: {
    firms: { fields: { name: { type: 'text' } }, access: { create: { 'tenant.member': true } } },
    clients: { fields: { firm: { type: 'reference', to: 'firms' } } },
    projects: {
      fields: { client: { type: 'reference', to: 'clients' } },
      access: { read: { 'tenant.member': true } },
    },
    tasks: {
      fields: {
        title: { type: 'text' },
        status: { type: 'enum', values: ['draft', 'open', 'solved'] },
        project: { type: 'reference', to: 'projects' },
      },
      access: {
        read: { 'tenant.member': { or: [{ createdBy: '$user' }, mine()] } },
        create: { 'tenant.member': { or: [{ project: { exists: false } }, mine()] } },
        update: { 'tenant.member': { or: [{ createdBy: '$user' }, mine()] } },
      },
      history: 5,
    },
  },
}
const { people, owner } = withPeople(test, { recipe }, { owner: 'owner' })

async function create(client: Client, collection: string, body: unknown): Promise<Row> {
  const made = await client.post<Row>(`/v1/data/${collection}`, body)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body
}
const titles = async (client: Client) =>
  (await client.get<Listed<Row>>('/v1/data/tasks?sort=title')).body.data.map(({ title }) => title)

/** A project of a firm that the client created. */
async function projectOf(client: Client): Promise<string> {
  const firm = await create(client, 'firms', { name: 'Firm' })
  const made = await create(owner, 'clients', { firm: firm.id })
  return (await create(owner, 'projects', { client: made.id })).id
}

test('a rule opens the rows of each of its alternatives, over three references', async t => {
  const [ada, bob] = [
    await people.colleague(owner, ['tenant.member']),
    await people.colleague(owner, ['tenant.member']),
  ]
  const [project, other] = [await projectOf(ada), await projectOf(bob)]
  await create(owner, 'tasks', { title: 'draft', status: 'draft', project })
  await create(owner, 'tasks', { title: 'open', status: 'open', project })
  await create(owner, 'tasks', { title: 'without status', project })
  await create(owner, 'tasks', { title: 'other', status: 'open', project: other })
  await create(ada, 'tasks', { title: 'own', status: 'draft' })
  t.deepEqual(await titles(ada), ['open', 'own', 'without status'])
  t.deepEqual(await titles(bob), ['other'])
})

test('a written row must match one of the alternatives', async t => {
  const [ada, bob] = [
    await people.colleague(owner, ['tenant.member']),
    await people.colleague(owner, ['tenant.member']),
  ]
  const [project, other] = [await projectOf(ada), await projectOf(bob)]
  await create(ada, 'tasks', { title: 'a', status: 'open', project })
  for (const body of [
    { title: 'b', status: 'draft', project },
    { title: 'b', status: 'open', project: other },
  ])
    t.like(await ada.post<ProblemBody>('/v1/data/tasks', body), { status: 403 })
  const task = await create(owner, 'tasks', { title: 'c', status: 'open', project })
  t.is((await ada.patch(`/v1/data/tasks/${task.id}`, { status: 'solved' })).status, 200)
  t.is((await ada.patch(`/v1/data/tasks/${task.id}`, { project: other })).status, 403)
  t.is((await ada.patch(`/v1/data/tasks/${task.id}`, { status: 'draft' })).status, 403)
  t.is((await bob.patch(`/v1/data/tasks/${task.id}`, { title: 'd' })).status, 404)
})

test('the history shows no version that only the current row opens', async t => {
  const ada = await people.colleague(owner, ['tenant.member'])
  const project = await projectOf(ada)
  const task = await create(owner, 'tasks', { title: 'secret', status: 'draft', project })
  await owner.patch(`/v1/data/tasks/${task.id}`, { title: 'shown', status: 'open' })
  await owner.patch(`/v1/data/tasks/${task.id}`, { title: 'later' })
  const { data } = (await ada.get<Listed<{ row: Row }>>(`/v1/data/tasks/${task.id}/history`)).body
  t.deepEqual(
    data.map(({ row }) => row.title),
    ['shown'],
  )
})

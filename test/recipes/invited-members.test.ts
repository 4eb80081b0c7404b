/** A person who accepts an invitation of a shipped recipe can use every entry of the menu. */
import test from 'ava'
import type { Client, Person, TestKernel } from '../../testing/index.ts'
import { shareKernel } from '../fixtures/shared-kernel.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { startOf } from './shipped-kernels.ts'

async function invite(
  kernel: TestKernel,
  inviter: Client,
  owner: Person,
  email: string,
): Promise<Person & { roles: string[] }> {
  const body = { email, sendEmail: false }
  const invited = await inviter.post<{ link: string; roles: string[] }>('/v1/identity/members/invite', body)
  const person = await kernel.register(email)
  const token = new URL(invited.body.link).searchParams.get('token')
  const accepted = await person.post('/v1/identity/invitations/accept', { token })
  if (accepted.status !== 200) throw new Error(`accepting returned ${accepted.status}`)
  return { ...person, ...kernel.as(person.token, owner.tenantId), roles: invited.body.roles }
}

const kernels = { full: {} as TestKernel, saas: {} as TestKernel }
for (const name of ['full', 'saas'] as const)
  shareKernel(test, startOf(name), own => {
    kernels[name] = own
  })

for (const name of ['full', 'saas'] as const)
  test(`recipes/${name}.yaml lets invited members use files, messages and the plan`, async t => {
    const kernel = kernels[name]
    const owner = await kernel.register(newEmail('owner'))
    const ben = await invite(kernel, owner, owner, newEmail('ben'))
    t.deepEqual(ben.roles, ['tenant.user'])

    const cookie = `${ben.cookie}; platform_tenant=${owner.tenantId}`
    const open = (path: string) => kernel.get<string>(path, { headers: { accept: 'text/html', cookie } })
    const home = await open('/')
    const links = [...home.body.matchAll(/href="(\/(?:billing|files|messages))"/g)].map(([, path]) => path)
    t.deepEqual([...new Set(links)].sort(), ['/billing', '/files', '/messages'])
    for (const path of ['/billing', '/files', '/messages', '/messages/new']) t.is((await open(path)).status, 200, path)

    const file = { fileName: 'a.pdf', mimeType: 'application/pdf', size: 10 }
    t.is((await ben.post('/v1/media/upload-intent', file)).status, 201)
    const conversation = { participantIds: [owner.userId], subject: 'Hello' }
    t.is((await ben.post('/v1/messaging/conversations', conversation)).status, 201)
    t.is((await ben.get('/v1/billing/subscription')).status, 200)
    t.is((await ben.post('/v1/identity/members/invite', { email: 'x@example.test' })).status, 403)
    t.is((await ben.get('/v1/identity/audit')).status, 403)
  })

test('a manager of recipes/saas.yaml can invite with the default role', async t => {
  const kernel = kernels.saas
  const owner = await kernel.register(newEmail('owner'))
  const mara = await invite(kernel, owner, owner, newEmail('mara'))
  const { body } = await owner.get('/v1/identity/members')
  const member = body.data.find(({ email }) => email === mara.email)
  t.is((await owner.patch(`/v1/identity/members/${member?.id}`, { roles: ['tenant.manager'] })).status, 200)
  const ben = await invite(kernel, mara, owner, newEmail('ben'))
  t.deepEqual(ben.roles, ['tenant.user'])
})

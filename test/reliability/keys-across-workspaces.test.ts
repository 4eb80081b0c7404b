/** `Idempotency-Key` on requests whose effect is in another workspace than that of the request. */
import test from 'ava'
import type { Client, TestKernel } from '../../testing/index.ts'
import { startTestKernel } from '../../testing/index.ts'
import { expectStatus, type People, peopleOf } from '../fixtures/people.ts'

const recipe = {
  modules: {
    identity: {},
    comms: {},
    billing: { provider: 'dev', defaultPlan: 'free' },
    forms: {},
    sessions: {},
    messaging: {},
  },
  entitlements: { calls: { kind: 'credit' } },
  plans: { free: { name: 'Free', price: 0, currency: 'EUR' } },
}
const REASON = { reason: 'For the sake of a test' }

let kernel: TestKernel
let people: People
test.before(async () => {
  kernel = await startTestKernel({ recipe })
  people = peopleOf(kernel)
})
test.after.always(() => kernel?.stop())

interface Foreign {
  readonly by: Client
  readonly path: string
  readonly body?: object
}
/** What a person or an operator sends to a workspace that isn't theirs. */
const REQUESTS: Readonly<Record<string, () => Promise<Foreign>>> = {
  async 'a submission of a form'() {
    const schema = { type: 'object', properties: { text: { type: 'string' } } }
    const by = await stranger()
    const form = { name: 'Contact', access: 'public', schema }
    const { id } = expectStatus(201, await (await people.person()).post<{ id: string }>('/v1/forms', form))
    return { by, path: `/v1/forms/${id}/submit`, body: { data: { text: 'Hello' } } }
  },
  async 'an answer of support'() {
    const question = { kind: 'support', subject: 'Help', participantIds: [] }
    const asked = await (await people.person()).post<{ id: string }>('/v1/messaging/conversations', question)
    const { id } = expectStatus(201, asked)
    return { by: await people.operator(), path: `/v1/messaging/inbox/${id}/messages`, body: { body: 'Hello' } }
  },
  async 'joining a session'() {
    const session = { mode: 'screenshare', purpose: 'support' }
    const made = await (await people.person()).post<{ join_token: string }>('/v1/sessions', session)
    const { join_token } = expectStatus(201, made)
    return { by: await stranger(), path: '/v1/join', body: { join_token } }
  },
  'a password link for a user': async () => ofUser('password-reset'),
  'the suspension of a workspace': async () => ofWorkspace('suspend'),
  'the deletion of a workspace': async () => ofWorkspace('delete'),
  async 'credits for a workspace'() {
    const { tenantId } = await people.person()
    const body = { key: 'calls', amount: 5, ...REASON }
    return { by: await people.operator(), path: `/v1/billing/admin/tenants/${tenantId}/credits`, body }
  },
}

/** A person whose requests name their own workspace. */
async function stranger(): Promise<Client> {
  const { token, tenantId } = await people.person()
  return kernel.as(token, tenantId)
}
async function ofUser(action: string): Promise<Foreign> {
  const { userId } = await people.person()
  return { by: await people.operator(), path: `/v1/identity/admin/users/${userId}/${action}` }
}
async function ofWorkspace(action: string): Promise<Foreign> {
  const { tenantId } = await people.person()
  return { by: await people.operator(), path: `/v1/identity/admin/tenants/${tenantId}/${action}`, body: REASON }
}

for (const [what, make] of Object.entries(REQUESTS))
  test(`${what} takes effect once for a key, also if it is repeated twice at the same time`, async t => {
    const { by, path, body } = await make()
    const send = () => by.post(path, body, { headers: { 'idempotency-key': `key of ${path}` } })
    const first = await send()
    t.true(first.status < 300, JSON.stringify(first.body))
    for (const again of await Promise.all([send(), send()])) {
      t.deepEqual([again.status, again.headers.get('idempotent-replayed')], [first.status, 'true'])
      t.deepEqual(again.body, first.body)
    }
  })

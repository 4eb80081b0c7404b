import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { Person } from '../../../testing/index.ts'
import { codeOf, type Listed, problem } from '../../fixtures/people.ts'
import { race } from '../../fixtures/race.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { BILLING, billingRecipe, buy, consume, type Standing } from './fixtures.ts'

const { kernel, people } = withPeople(test, {
  recipe: billingRecipe(
    {},
    { modules: { probe: { use: fileURLToPath(new URL('./probe/module.js', import.meta.url)) } } },
  ),
  clock: true,
  alone: true,
})

const invite = (person: Person, email: string) =>
  person.post<{ link: string }>('/v1/identity/members/invite', { email, roles: ['tenant.member'], sendEmail: false })
const tokenOf = (link: string) => new URL(link).searchParams.get('token')
const standing = async (person: Person, key: string) =>
  (await person.get<Listed<Standing>>(`${BILLING}/entitlements`)).body.data.find(one => one.key === key)
/** Uses an entitlement from another module. */
const use = (person: Person, key: string, more: object = {}) => person.post(`/v1/probe/${key}`, more)

test('lists the limits and usage of the plan', async t => {
  const ada = await people.person()
  const { body } = await ada.get<Listed<Standing>>(`${BILLING}/entitlements`)
  t.deepEqual(
    body.data.map(({ key, kind, limit, used }) => [key, kind, limit, used]),
    [
      ['identity.seat', 'gauge', 3, 1],
      ['media.storage_gb', 'gauge', 1, 0],
      ['api.calls', 'meter', 2, 0],
      ['api.white_label', 'flag', 0, 0],
      ['ai.credits', 'credit', 0, 0],
    ],
  )
  await buy(ada, 'team')
  t.like(await standing(ada, 'identity.seat'), { limit: -1, used: 1 })
  t.like(await standing(ada, 'ai.credits'), { limit: 100 })
})

test('shows operators the plan and usage of any workspace', async t => {
  const [ada, operator] = await Promise.all([people.person(), people.operator()])
  await buy(ada, 'pro')
  const path = (id: string) => `${BILLING}/admin/tenants/${id}`
  const { status, body } = await operator.get<{ entitlements: Standing[] }>(path(ada.tenantId))
  t.is(status, 200)
  t.like(body, { planName: 'Pro', subscription: { state: 'trialing', planKey: 'pro' } })
  t.like(body.entitlements[0], { key: 'identity.seat', limit: 25, used: 1 })
  t.is(codeOf(await operator.get(path('ten_0000000000000000000000000x'))), '404 not_found')
  t.is(codeOf(await operator.get(path('a.b'))), '404 not_found')
  t.is(codeOf(await operator.get(path('%00'))), '422 validation_failed')
  t.is(codeOf(await ada.get(path(ada.tenantId))), '403 forbidden')
  t.is(codeOf(await (await people.person()).get(path(ada.tenantId))), '403 forbidden')
  t.is((await fetch(new URL(`/v1/billing/admin/tenants/${ada.tenantId}`, kernel.url))).status, 401)
})

test('checks whether an amount fits, and names plans that would allow it', async t => {
  const ada = await people.person()
  const check = (key: string, body?: object) => ada.post<Standing>(`${BILLING}/entitlements/${key}/check`, body)
  t.deepEqual((await check('identity.seat')).body, {
    key: 'identity.seat',
    limit: 3,
    used: 1,
    requested: 1,
    allowed: true,
    upgrade: [],
  } as never)
  t.like((await check('identity.seat', { amount: 3 })).body, { allowed: false, upgrade: ['pro', 'team'] })
  t.like((await check('identity.seat', { amount: 30 })).body, { allowed: false, upgrade: ['team'] })
  t.like((await check('media.storage_gb', { amount: 0.5 })).body, { allowed: true })
  t.like((await check('media.storage_gb', { amount: 1.5 })).body, { allowed: false, upgrade: ['pro', 'team'] })
  t.like((await check('api.white_label')).body, { allowed: false, upgrade: ['pro'] })
  t.like((await check('ai.credits', { amount: 500 })).body, { allowed: false, upgrade: ['pro'] })
  t.is(codeOf(await check('nobody')), '404 unknown_entitlement')
  for (const body of [{ amount: -1 }, { amount: '1' }, { amount: null }, { key: 'x' }])
    t.is(codeOf(await check('identity.seat', body)), '422 validation_failed', JSON.stringify(body))
})

test('counts a pending invitation as one seat', async t => {
  const ada = await people.person()
  t.is((await invite(ada, 'one@example.test')).status, 201)
  const { body } = await invite(ada, 'two@example.test')
  const refused = await invite(ada, 'three@example.test')
  t.is(refused.status, 403)
  t.like(problem(refused), { code: 'entitlement_exceeded', key: 'identity.seat', limit: 3, used: 3, requested: 1 })
  t.deepEqual(problem(refused).upgrade, ['pro', 'team'])
  t.is((await invite(ada, 'two@example.test')).status, 200, 'a repeated invitation uses the same seat')
  t.is((await ada.delete(`/v1/identity/invitations/${(body as unknown as { id: string }).id}`)).status, 204)
  t.is((await invite(ada, 'three@example.test')).status, 201)
  await buy(ada, 'pro')
  t.is((await invite(ada, 'four@example.test')).status, 201)
})

test('gives the last seat to one of ten concurrent invitations', async t => {
  const ada = await people.person()
  await invite(ada, 'first@example.test')
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => invite(ada, `rush-${i}@example.test`)))
  t.is(answers.filter(({ status }) => status === 201).length, 1)
  t.is(answers.filter(answer => problem(answer).code === 'entitlement_exceeded').length, 9)
})

test('keeps members after a downgrade, and admits no new ones above the limit', async t => {
  const [ada, bob] = [await people.person(), await people.person()]
  await buy(ada, 'pro')
  for (let i = 0; i < 4; i++) await invite(ada, `guest-${i}@example.test`)
  const { body } = await invite(ada, bob.email)
  await ada.post(`${BILLING}/subscription/cancel`, { when: 'now' })
  t.like(await standing(ada, 'identity.seat'), { limit: 3, used: 6 })
  t.is(codeOf(await invite(ada, 'more@example.test')), '403 entitlement_exceeded')
  const accept = () => bob.post('/v1/identity/invitations/accept', { token: tokenOf(body.link) })
  t.is(codeOf(await accept()), '403 entitlement_exceeded')
  t.like(await standing(ada, 'identity.seat'), { used: 6 }, 'the invitation is still open')
  await buy(ada, 'pro')
  t.is((await accept()).status, 200)
})

test('counts the usage of a meter, and resets it with its period', async t => {
  const ada = await people.person()
  for (const _ of [1, 2]) t.is((await use(ada, 'api.calls')).status, 204)
  t.like(problem(await use(ada, 'api.calls')), {
    code: 'entitlement_exceeded',
    key: 'api.calls',
    limit: 2,
    used: 2,
    requested: 1,
    upgrade: ['pro'],
  })
  t.like(await standing(ada, 'api.calls'), { used: 2 })
  await kernel.kernel.ports.database
    .tenant(ada.tenantId)
    .query("update billing_meters set period_start = period_start - interval '1 month'")
  t.like(await standing(ada, 'api.calls'), { used: 0 })
  t.is((await use(ada, 'api.calls')).status, 204)
})

test('allows exactly two of twenty concurrent uses of a meter with two left', async t => {
  const ada = await people.person()
  const answers = await Promise.all(Array.from({ length: 20 }, () => use(ada, 'api.calls')))
  t.is(answers.filter(({ status }) => status === 204).length, 2)
  t.like(await standing(ada, 'api.calls'), { used: 2 })
})

test('the last use of a meter goes to one of two requests at once', async t => {
  const ada = await people.person()
  t.is((await use(ada, 'api.calls')).status, 204)
  const answers = await race(kernel.databaseUrl, 'lock table billing_meters in share mode', [
    () => use(ada, 'api.calls'),
    () => use(ada, 'api.calls'),
  ])
  t.deepEqual(answers.map(codeOf).sort(), ['204', '403 entitlement_exceeded'])
})

test('counts no usage of a transaction that rolled back', async t => {
  const ada = await people.person()
  t.is(codeOf(await use(ada, 'api.calls', { amount: 2, fails: true })), '409 conflict')
  t.like(await standing(ada, 'api.calls'), { used: 0 })
})

test('does not limit undeclared keys, treats flags as on or off, and credits as a balance', async t => {
  const ada = await people.person()
  t.is((await use(ada, 'somebody.else', { amount: 1e9 })).status, 204)
  t.like((await ada.get('/v1/probe/standing/somebody.else')).body, { allowed: true, limit: -1 })
  t.is(codeOf(await use(ada, 'api.white_label')), '403 entitlement_exceeded')
  t.is(codeOf(await use(ada, 'ai.credits')), '403 entitlement_exceeded')
  await buy(ada, 'pro')
  t.is((await use(ada, 'api.white_label')).status, 204)
  t.is((await use(ada, 'ai.credits', { amount: 1000 })).status, 204)
  t.is(codeOf(await use(ada, 'ai.credits', { amount: 1001 })), '403 entitlement_exceeded')
  await consume(ada, 400)
  t.like(await standing(ada, 'ai.credits'), { limit: 600 })
})

test('applies a changed plan at once, also across tenants', async t => {
  const ada = await people.person()
  const plan = async () => (await ada.get<{ planKey: string }>('/v1/probe/plan')).body
  t.deepEqual(await plan(), {
    planKey: 'free',
    entitlements: { 'identity.seat': 3, 'media.storage_gb': 1, 'api.calls': 2 },
  } as never)
  await buy(ada, 'team')
  t.is((await plan()).planKey, 'team')
  await ada.post(`${BILLING}/subscription/cancel`, { when: 'now' })
  t.is((await plan()).planKey, 'free')
  t.is((await use(ada, 'identity.seat', { across: true, amount: 2 })).status, 204)
  t.is(codeOf(await use(ada, 'identity.seat', { across: true, amount: 3 })), '403 entitlement_exceeded')
})

test('returns the plan in every representation of a workspace', async t => {
  type Shown = { planKey: string | null }
  const [ada, ben] = [await people.person(), await people.person()]
  const account = { email: 'new-here@example.test', password: 'correct horse battery' }
  const { body } = await kernel.post<{ workspace: Shown }>('/v1/auth/register', account)
  t.is(body.workspace.planKey, 'free')
  await buy(ada, 'team')
  const me = await ada.get<{ memberships: { tenant: Shown }[] }>('/v1/auth/me')
  t.deepEqual(
    me.body.memberships.map(({ tenant }) => tenant.planKey),
    ['team'],
  )
  const order = { email: ben.email, roles: ['tenant.member'], sendEmail: false }
  const { link } = (await ada.post<{ link: string }>('/v1/identity/members/invite', order)).body
  const token = new URL(link).searchParams.get('token')
  const accepted = await ben.post<{ tenant: Shown }>('/v1/identity/invitations/accept', { token })
  t.is(accepted.body.tenant.planKey, 'team')
})

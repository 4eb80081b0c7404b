import anyTest, { type TestFn } from 'ava'
import type { PageOf } from '../../../../kernel/index.ts'
import { shareKernel } from '../../../fixtures/shared-kernel.ts'
import { colleague, inviteLink, role } from '../../identity/fixtures.ts'
import { type PlatformFixture, startFixture } from '../fixtures.ts'

const test = anyTest as TestFn<PlatformFixture>
interface ListedModule {
  key: string
  state: string
  resources: string[]
  permissions: { key: string }[]
  roles: { key: string; scope: string; permissions: string[] }[]
}
interface Problem {
  code: string
  requiredPermission?: string
}

shareKernel(test, startFixture, async (fixture, t) => {
  t.context = fixture
  await t.context.fail(t.context.ada)
})

test('returns information about the installation to an owner', async t => {
  const { status, body } = await t.context.ada.get('/v1/platform')
  t.is(status, 200)
  t.is(body.name, 'larder')
  t.deepEqual(body.product, { key: 'test', name: 'Test' })
  t.true((body.modules as string[]).includes('platform'))
})

test('lists every module with its registrations', async t => {
  const { body: list } = await t.context.ada.get('/v1/platform/modules')
  t.deepEqual(list.data.map(({ key }) => key).sort(), ['comms', 'flaky', 'identity', 'platform'])
  t.true(list.data.every(({ state }) => state === 'running'))
  const identity = list.data.find(({ key }) => key === 'identity')
  t.true(identity?.resources.includes('identity.people'))
  t.true(identity?.permissions.some(({ key }) => key === 'identity.member.read'))
  t.false(list.data.some(module => 'options' in module))
  const { body } = await t.context.ada.get<Record<string, unknown[]>>('/v1/platform/modules/flaky')
  t.is(body.routes?.length, 2)
  t.is(body.listeners?.length, 1)
  t.is(body.jobs?.length, 1)
  t.is((await t.context.ada.get<Problem>('/v1/platform/modules/nothing')).body.code, 'not_found')
})

test('lists the built-in roles with the module that declares them', async t => {
  const { body } = await t.context.ada.get<ListedModule>('/v1/platform/modules/identity')
  t.like(
    body.roles.map(({ key, scope, permissions }) => ({ key, scope, permissions })),
    [
      { key: 'tenant.owner', scope: 'tenant', permissions: ['*'] },
      { key: 'tenant.member', scope: 'tenant', permissions: ['content.page.read'] },
      { key: 'platform.admin', scope: 'platform', permissions: ['*'] },
    ],
  )
})

test('describes roles in the language of the reader', async t => {
  const { body } = await t.context.ada.get<{ roles: readonly object[] }>('/v1/platform/modules/identity', {
    headers: { 'accept-language': 'de' },
  })
  t.like(body.roles[1], { name: 'Mitglied', description: 'Liest Seiten' })
})

test('returns options to the operator only, with masked secrets', async t => {
  const { body } = await t.context.ada.get<object>('/v1/platform/modules/flaky')
  t.false('options' in body)
  const whole = await t.context.admin.get<{ options: { password: string } }>('/v1/platform/modules/flaky')
  t.is(whole.body.options.password, '***')
  const recipe = await t.context.admin.get('/v1/platform/recipe')
  t.is(recipe.status, 200)
  t.notRegex(JSON.stringify(recipe.body), /hunter2/)
  const refused = await t.context.ada.get<Problem>('/v1/platform/recipe')
  t.is(refused.status, 403)
  t.is(refused.body.requiredPermission, 'platform.recipe.read')
})

test('returns the queue of all tenants to the operator only', async t => {
  t.is((await t.context.ada.get('/v1/platform/queue')).status, 403)
  const { body } = await t.context.admin.get('/v1/platform/queue')
  t.true(body.dead >= 1)
})

test('a tenant reads its own audit log, and the operator those of all tenants', async t => {
  const { ada, bob, admin } = t.context
  const own = (await ada.get('/v1/platform/audit?filter[action]=tenant.created')).body.data
  t.deepEqual(
    own.map(({ tenantId }) => tenantId),
    [ada.tenantId],
  )
  const kept = await ada.get(`/v1/platform/audit?filter[tenantId]=${bob.tenantId}`)
  t.true(kept.body.data.every(({ tenantId }) => tenantId === ada.tenantId))
  const all = (await admin.get('/v1/platform/audit?limit=200')).body.data
  t.true([ada, bob, admin].every(person => all.some(({ tenantId }) => tenantId === person.tenantId)))
  const theirs = (await admin.get(`/v1/platform/audit?filter[tenantId]=${bob.tenantId}`)).body.data
  t.deepEqual([...new Set(theirs.map(({ tenantId }) => tenantId))], [bob.tenantId])
  for (const list of ['audit', 'events', 'dead-letters'])
    t.is((await admin.get(`/v1/platform/${list}?filter[tenantId]=nobody`)).status, 422)
})

test('says who did what in the audit log, with the rest as facts, in the language of the reader', async t => {
  const { ada, admin } = t.context
  const email = 'grace@example.com'
  await inviteLink(ada, email, ['tenant.member'])
  type Log = PageOf<{ summary: string; facts: Record<string, string> }>
  const path = `/v1/platform/audit?filter[tenantId]=${ada.tenantId}&filter[action]=invitation.created`
  const inEnglish = (await admin.get<Log>(path)).body.data[0]
  t.like(inEnglish, {
    summary: `${ada.email} invited ${email}`,
    facts: { Roles: 'Member' },
  })
  const inGerman = (await admin.with({ 'accept-language': 'de' }).get<Log>(path)).body.data[0]
  t.like(inGerman, { summary: `${ada.email} hat ${email} eingeladen`, facts: { Rollen: 'Mitglied' } })
})

test('names the members of a workspace in its audit log to those who may read them', async t => {
  const { ada, kernel } = t.context
  const email = 'hedy@example.com'
  await role(ada, 'team.auditor', ['platform.audit.read'])
  const { person: auditor } = await colleague(kernel, ada, ['team.auditor'])
  await inviteLink(ada, email, ['tenant.member'])
  type Log = PageOf<{ summary: string }>
  const summaryFor = async (reader: Pick<typeof ada, 'get'>) =>
    (await reader.get<Log>('/v1/platform/audit?filter[action]=invitation.created')).body.data[0]?.summary
  t.is(await summaryFor(ada), `${ada.email} invited ${email}`)
  t.is(await summaryFor(auditor.with({ 'x-tenant-id': ada.tenantId })), `A user invited ${email}`)
})

test("lists only the tenant's own events", async t => {
  const { ada, bob, admin } = t.context
  const type = '?filter[type]=flaky.thing.made'
  const { body } = await ada.get(`/v1/platform/events${type}`)
  t.true(body.data.length >= 1)
  t.true(body.data.every(({ tenantId }) => tenantId === ada.tenantId))
  const id = body.data[0]?.id
  t.is((await ada.get(`/v1/platform/events/${id}`)).status, 200)
  t.is((await bob.get<Problem>(`/v1/platform/events/${id}`)).body.code, 'not_found')
  const filtered = `/v1/platform/events${type}&filter[tenantId]=${ada.tenantId}`
  for (const path of [`/v1/platform/events${type}`, filtered]) {
    const seen = await bob.get<PageOf<{ tenantId: string }>>(path)
    t.true(seen.body.data.every(({ tenantId }) => tenantId === bob.tenantId))
  }
  t.true((await admin.get<PageOf<unknown>>(filtered)).body.data.length >= 1)
  t.is((await admin.get(`/v1/platform/events/${id}`)).status, 200)
})

test('hides dead letters from other tenants', async t => {
  const { ada, bob, admin } = t.context
  const { body } = await ada.get('/v1/platform/dead-letters')
  t.deepEqual([...new Set(body.data.map(({ kind }) => kind))].sort(), ['delivery', 'job'])
  const foreign = await bob.get('/v1/platform/dead-letters')
  t.true(foreign.body.data.every(({ tenantId }) => tenantId === bob.tenantId))
  for (const { id } of body.data)
    t.is((await bob.post<Problem>(`/v1/platform/dead-letters/${id}/retry`)).body.code, 'not_dead')
  const all = await admin.get('/v1/platform/dead-letters')
  t.true(all.body.data.some(({ tenantId }) => tenantId === ada.tenantId))
  const job = await ada.get('/v1/platform/dead-letters?filter[kind]=job')
  t.deepEqual(
    job.body.data.map(({ name }) => name),
    ['flaky.work'],
  )
})

test('names the missing permission in a 403', async t => {
  const { ada, kernel } = t.context
  const key = await ada.post<{ key: string }>('/v1/identity/api-keys', { name: 'small', permissions: [] })
  const small = kernel.as(key.body.key)
  for (const path of [
    '',
    '/modules',
    '/modules/flaky',
    '/recipe',
    '/queue',
    '/events',
    '/dead-letters',
    '/audit',
    '/jobs',
    '/job-types',
  ])
    t.is((await small.get<Problem>(`/v1/platform${path}`)).status, 403, path)
  t.is((await small.post('/v1/platform/dead-letters/dlv_1/retry')).status, 403)
  t.is((await small.post('/v1/platform/dead-letters/retry', { ids: ['dlv_1'] })).status, 403)
  t.is((await small.post('/v1/platform/events/evt_1/replay')).status, 403)
})

test('rejects a retry from a caller who can only read all tenants', async t => {
  const { ada, admin, kernel } = t.context
  const reader = await colleague(kernel, admin, ['flaky.auditor'])
  const { body } = await reader.get('/v1/platform/dead-letters')
  const foreign = body.data.filter(({ tenantId }) => tenantId === ada.tenantId)
  t.true(foreign.length > 0)
  for (const { id } of foreign) {
    const refused = await reader.post<Problem>(`/v1/platform/dead-letters/${id}/retry`)
    t.is(refused.body.code, 'forbidden')
  }
  t.is((await ada.get('/v1/platform/dead-letters')).body.data.length, foreign.length)
})

test('rejects invalid cursors, filters and limits', async t => {
  for (const path of ['/events', '/dead-letters', '/audit']) {
    t.is((await t.context.ada.get<Problem>(`/v1/platform${path}?cursor=forged`)).body.code, 'invalid_cursor')
    t.true([400, 422].includes((await t.context.ada.get(`/v1/platform${path}?limit=900`)).status))
    t.true([400, 422].includes((await t.context.ada.get(`/v1/platform${path}?filter[colour]=red`)).status))
  }
})

test.serial('retries dead letters once and completes them after the cause is fixed', async t => {
  const { bob, kernel, fail } = t.context
  await fail(bob)
  const dead = async () => (await bob.get('/v1/platform/dead-letters')).body.data
  const letters = await dead()
  t.is(letters.length, 2)
  t.is((await kernel.post('/v1/flaky/mended')).status, 204)
  for (const { id } of letters) {
    t.is((await bob.post(`/v1/platform/dead-letters/${id}/retry`)).status, 202)
    t.is((await bob.post<Problem>(`/v1/platform/dead-letters/${id}/retry`)).body.code, 'not_dead')
  }
  await kernel.settled()
  t.deepEqual(await dead(), [])
  const { body } = await bob.get('/v1/platform/events')
  t.true(body.data.every(({ deliveries }) => deliveries.every(({ state }) => state === 'done')))

  const id = body.data[0]?.id
  t.deepEqual((await bob.post(`/v1/platform/events/${id}/replay`)).body.deliveries, 0)
  t.is((await bob.post(`/v1/platform/events/${id}/replay?force=true`)).body.deliveries, 1)
  t.is((await bob.post(`/v1/platform/events/evt_unknown/replay`)).status, 404)
})

test("lists a tenant's own jobs, and those of all tenants to the operator", async t => {
  const { ada, bob, admin } = t.context
  const own = await ada.get('/v1/platform/jobs?filter[name]=flaky.work&filter[state]=dead')
  t.true(own.body.data.length >= 1)
  t.true(
    own.body.data.every(
      ({ name, state, tenantId }) => `${name} ${state} ${tenantId}` === `flaky.work dead ${ada.tenantId}`,
    ),
  )
  const foreign = await bob.get(`/v1/platform/jobs?filter[tenantId]=${ada.tenantId}`)
  t.true(foreign.body.data.every(({ tenantId }) => tenantId === bob.tenantId))
  const all = await admin.get(`/v1/platform/jobs?filter[tenantId]=${ada.tenantId}`)
  t.true(all.body.data.some(({ name }) => name === 'flaky.work'))
  t.is((await admin.get('/v1/platform/jobs?filter[state]=lost')).status, 422)
})

test('filters jobs by name and state, page by page', async t => {
  const { admin } = t.context
  type Jobs = PageOf<{ id: string; name: string; state: string; recurring: boolean }>
  const list = async (query: string) => (await admin.get(`/v1/platform/jobs?${query}`)).body
  const { data: all } = await list('limit=200')
  const counted = (test: (job: Jobs['data'][number]) => boolean) => all.filter(test).length
  t.true(counted(({ state }) => state === 'dead') > 0 && counted(({ state }) => state !== 'dead') > 0)
  t.true((await list('limit=200&filter[state]=dead')).data.every(({ state }) => state === 'dead'))
  const { data: work } = await list('filter[name]=flaky.work')
  t.deepEqual([...new Set(work.map(({ name, recurring }) => `${name} ${recurring}`))], ['flaky.work false'])
  const first = await list('limit=1')
  const second = await list(`limit=1&cursor=${encodeURIComponent(first.nextCursor ?? '')}`)
  t.true((second.data[0]?.id ?? '') < (first.data[0]?.id ?? ''))
})

test('lists the jobs of modules with their schedule to the operator only', async t => {
  const { ada, admin } = t.context
  t.is((await ada.get('/v1/platform/job-types')).status, 403)
  const { body } = await admin.get('/v1/platform/job-types')
  const flaky = body.data.find(({ name }) => name === 'flaky.work')
  t.like(flaky, { module: 'flaky', every: null })
  t.true((flaky?.dead ?? 0) >= 1)
  t.not(body.data.find(({ name }) => name === 'identity.sweep')?.every, null)
  t.deepEqual(
    body.data.filter(({ every, nextRunAt }) => every !== null && nextRunAt === null),
    [],
  )
})

test('lists recurring jobs before those without a schedule', async t => {
  const { body } = await t.context.admin.get('/v1/platform/job-types')
  const isRecurring = body.data.map(({ every }) => every !== null)
  t.deepEqual(
    isRecurring,
    isRecurring.toSorted((a, b) => Number(b) - Number(a)),
  )
  t.true(isRecurring.includes(true) && isRecurring.includes(false))
})

test('retries several dead letters, except those of other tenants', async t => {
  const { ada, bob, kernel } = t.context
  const path = '/v1/platform/dead-letters'
  const { systemDatabase } = kernel.kernel.ports
  const unit = systemDatabase.acrossTenants('a test inserts dead deliveries')
  for (const { tenantId } of [ada, bob])
    await unit.query(
      `insert into larder_deliveries (id, event_id, handler, tenant_id, state, attempts, last_error)
       select 'dlv_' || tenant_id, id, 'test.bulk', tenant_id, 'dead', 10, 'the handler failed' from larder_events
       where tenant_id = $1 limit 1`,
      [tenantId],
    )
  const ids = [`dlv_${bob.tenantId}`, `dlv_${ada.tenantId}`, 'dlv_none']
  const { status, body } = await bob.post(`${path}/retry`, { ids })
  t.is(status, 202)
  t.deepEqual(
    body.data.map(({ id }) => id),
    ids.slice(0, 1),
  )
  t.deepEqual(body.missing, ids.slice(1))
  for (const wrong of [[], 'dlv_1', Array.from({ length: 101 }, (_, n) => `dlv_${n}`)])
    t.is((await bob.post(`${path}/retry`, { ids: wrong })).status, 422)
})

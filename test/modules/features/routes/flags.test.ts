import test from 'ava'
import type { Client, Person } from '../../../../testing/index.ts'
import type { FlagRevision as Revision } from '../../../fixtures/api-types.ts'
import { codeOf, type ProblemBody } from '../../../fixtures/people.ts'
import { race } from '../../../fixtures/race.ts'
import { add, evaluate, FEATURES, type Feature, type Fixtures, pointersOf, startFixtures } from '../fixtures.ts'

let s: Fixtures
let ada: Person
test.before(async () => {
  s = await startFixtures({
    features: {
      'new-editor': { name: 'New editor', default: false, rules: [{ when: { plan: 'pro' }, value: true }] },
      reports: { default: false, entitlement: 'reports', rules: [{ value: true }] },
      fixed: { default: false, overridable: false },
      banner: { default: 'none', editable: true },
      'banner-closes': { default: false, requires: [{ key: 'banner', value: 'sale' }], rules: [{ value: true }] },
    },
  })
  ada = await s.person()
})
test.after.always(() => s?.stop())

test('creates, reads, changes and deletes a feature', async t => {
  const rules = [{ when: { roles: 'tenant.owner', age: { gte: 18 } }, rollout: 12.5, value: 'dark', variant: 'night' }]
  const made = await ada.post(FEATURES, { key: 'theme', name: 'Theme', default: 'light', rules })
  t.is(made.status, 201)
  t.is(made.headers.get('location'), `${FEATURES}/theme`)
  t.regex(made.body.id, /^ftr_/)
  t.like(made.body, { key: 'theme', type: 'string', enabled: true, default: 'light', override: null, managedBy: null })
  t.deepEqual(made.body.rules, rules)
  const read = await ada.get<Feature>(`${FEATURES}/theme`)
  t.deepEqual(read.body, made.body)
  const tag = read.headers.get('etag') ?? ''
  t.is((await ada.get(`${FEATURES}/theme`, { headers: { 'if-none-match': tag } })).status, 304)
  const changed = await ada.patch<Feature>(`${FEATURES}/theme`, { enabled: false }, { headers: { 'if-match': tag } })
  t.like(changed.body, { enabled: false, default: 'light', name: 'Theme' })
  t.not(changed.headers.get('etag'), tag)
  t.is(
    codeOf(await ada.patch(`${FEATURES}/theme`, { enabled: true }, { headers: { 'if-match': tag } })),
    '412 precondition_failed',
  )
  t.is(codeOf(await ada.delete(`${FEATURES}/theme`, { headers: { 'if-match': tag } })), '412 precondition_failed')
  const same = await ada.patch<Feature>(`${FEATURES}/theme`, { enabled: false })
  t.is(same.headers.get('etag'), changed.headers.get('etag'), 'nothing changed')
  t.like((await ada.patch<Feature>(`${FEATURES}/theme`, { name: null, default: 1, rules: [] })).body, {
    name: null,
    type: 'number',
  })
  t.is((await ada.delete(`${FEATURES}/theme`)).status, 204)
  for (const answer of [
    await ada.get(`${FEATURES}/theme`),
    await ada.delete(`${FEATURES}/theme`),
    await ada.patch(`${FEATURES}/theme`, {}),
  ])
    t.is(codeOf(answer), '404 not_found')
})

test('stores values of every type unchanged', async t => {
  for (const [key, value] of Object.entries({ b: true, s: '', n: -0.5, o: { z: [1, { a: null }], a: {} } })) {
    t.deepEqual((await add(ada, `type-${key}`, { default: value })).default, value)
    t.deepEqual((await evaluate(ada, `type-${key}`)).body.value, value)
  }
})

test('rejects an invalid feature with pointers', async t => {
  const rule = (more: object) => ({ default: false, rules: [{ value: true, ...more }] })
  for (const [body, ...pointers] of [
    [{}, '/default'],
    [{ default: null }, '/default'],
    [{ default: [1] }, '/default'],
    [{ default: 'x'.repeat(10_001) }, '/default'],
    [{ default: false, enabled: 'yes' }, '/enabled'],
    [{ default: false, colour: 'red' }, '/colour'],
    [{ default: false, managedBy: 'recipe' }, '/managedBy'],
    [{ default: false, overridable: false }, '/overridable'],
    [{ default: false, bucketBy: '' }, '/bucketBy'],
    [rule({ rollout: 101 }), '/rules/0/rollout'],
    [rule({ rollout: -1 }), '/rules/0/rollout'],
    [rule({ rollout: '20' }), '/rules/0/rollout'],
    [{ default: false, rules: [{}] }, '/rules/0/value'],
    [{ default: false, rules: [{ value: 'x' }, { value: 1 }] }, '/rules/0/value', '/rules/1/value'],
    [rule({ if: {} }), '/rules/0/if'],
    [rule({ when: { country: null } }), '/rules/0/when/country'],
    [rule({ when: { country: ['DE'] } }), '/rules/0/when/country'],
    [rule({ when: { country: {} } }), '/rules/0/when/country'],
    [rule({ when: { country: { matches: '.*' } } }), '/rules/0/when/country/matches'],
    [rule({ when: { country: { in: [] } } }), '/rules/0/when/country/in'],
    [rule({ when: { version: { semverGt: 'latest' } } }), '/rules/0/when/version/semverGt'],
    [{ default: false, requires: ['nobody'] }, '/requires/0'],
    [{ default: false, requires: ['bad'] }, '/requires/0'],
    [{ default: false, requires: ['banner'] }, '/requires/0'],
    [{ default: false, requires: [{ value: true }] }, '/requires/0/key'],
    [{ default: true, entitlement: 'x' }, '/default'],
  ] as const) {
    const answer = await ada.post(FEATURES, { key: 'bad', ...body })
    t.is(codeOf(answer), '422 validation_failed', JSON.stringify(body))
    t.deepEqual(pointersOf(answer), pointers, JSON.stringify(body))
  }
  for (const key of ['', 'no spaces', '-x', 'a/b', 'ä', 'x'.repeat(101), 7])
    t.is(pointersOf(await ada.post(FEATURES, { key, default: false }))[0], '/key', String(key))
  t.is(codeOf(await ada.post(FEATURES, '{"key":')), '400 malformed')
  t.is(codeOf(await ada.post(FEATURES, { key: 'big', default: { text: 'x'.repeat(200_000) } })), '413 body_too_large')
  t.is(codeOf(await ada.get(`${FEATURES}?cursor=x`)), '400 invalid_cursor')
  t.is(codeOf(await ada.get(`${FEATURES}?sort=key`)), '400 malformed')
  t.is((await ada.get(`${FEATURES}?limit=0`)).status, 422)
})

test('limits the total size of a tenant’s flags and of its overrides', async t => {
  const max = await s.person()
  const large = { text: 'x'.repeat(100_000) }
  const made = await Promise.all(
    Array.from({ length: 11 }, (_, n) => max.post(FEATURES, { key: `large-${n}`, default: large })),
  )
  t.is(made.filter(({ status }) => status === 201).length, 10)
  t.is(codeOf(made.find(({ status }) => status !== 201) ?? (made[0] as never)), '409 features_too_large')
  await add(max, 'small')
  t.is(codeOf(await max.patch(`${FEATURES}/small`, { default: large })), '409 features_too_large')
  t.is((await max.get<Feature>(`${FEATURES}/small`)).body.default, false)
  t.is((await max.put(`${FEATURES}/small/override`, { value: true })).status, 200)
  t.is(
    codeOf(await max.put(`${FEATURES}/small/override`, { value: large, x: 'x'.repeat(50_000) })),
    '413 body_too_large',
  )
})

test('rejects cycles of prerequisites, also by concurrent changes', async t => {
  const bob = await s.person()
  await add(bob, 'a')
  await add(bob, 'b', { requires: ['a'] })
  await add(bob, 'c', { requires: [{ key: 'b', value: true }, 'new-editor'] })
  const cycle = await bob.patch<{ errors: { detail: string }[] }>(`${FEATURES}/a`, { requires: ['c'] })
  t.is(codeOf(cycle), '422 validation_failed')
  t.is(cycle.body.errors[0]?.detail, 'creates a cycle: a → c → b → a')
  t.is(codeOf(await bob.patch(`${FEATURES}/a`, { requires: ['a'] })), '422 validation_failed')
  await add(bob, 'x')
  await add(bob, 'y')
  const both = await race(s.kernel.databaseUrl, 'lock table features_flags in share mode', [
    () => bob.patch(`${FEATURES}/x`, { requires: ['y'] }),
    () => bob.patch(`${FEATURES}/y`, { requires: ['x'] }),
  ])
  t.deepEqual(both.map(({ status }) => status).sort(), [200, 422])
  t.is(codeOf(await bob.delete(`${FEATURES}/a`)), '409 feature_in_use')
  t.is(codeOf(await bob.patch(`${FEATURES}/a`, { default: 'text' })), '409 feature_in_use')
  await bob.patch(`${FEATURES}/b`, { requires: [] })
  t.is((await bob.delete(`${FEATURES}/a`)).status, 204)
})

test('a key is unique, also for concurrent requests and beside the recipe', async t => {
  const both = await Promise.all([1, 2].map(() => ada.post(FEATURES, { key: 'once', default: false })))
  t.deepEqual(both.map(codeOf).sort(), ['201', '409 feature_exists'])
  t.is(codeOf(await ada.post(FEATURES, { key: 'new-editor', default: true })), '409 feature_exists')
  const headers = { 'idempotency-key': 'make-it-once' }
  const [first, again] = [
    await ada.post(FEATURES, { key: 'replayed', default: false }, { headers }),
    await ada.post(FEATURES, { key: 'replayed', default: false }, { headers }),
  ]
  t.is(again.headers.get('idempotent-replayed'), 'true')
  t.is(again.body.id, first.body.id)
})

test('lists flags of the recipe and the tenant by key, page by page', async t => {
  const cleo = await s.person()
  for (const key of ['aa', 'c', 'zz', 'Z']) await add(cleo, key)
  const seen = await s.kernel.all<Feature>(cleo, `${FEATURES}?limit=3`)
  t.deepEqual(
    seen.map(({ key }) => key),
    ['Z', 'aa', 'banner', 'banner-closes', 'c', 'fixed', 'new-editor', 'reports', 'zz'],
  )
})

test('a tenant cannot change a flag of the recipe, but can override it', async t => {
  const [dan, eve] = [await s.person(), await s.person()]
  t.is(codeOf(await dan.patch(`${FEATURES}/new-editor`, { default: true })), '409 managed_by_recipe')
  t.is(codeOf(await dan.delete(`${FEATURES}/new-editor`)), '409 managed_by_recipe')
  const before = await dan.get<Feature>(`${FEATURES}/new-editor`)
  const put = await dan.put(`${FEATURES}/new-editor/override`, { value: true })
  t.deepEqual(put.body as object, { key: 'new-editor', value: true, tenantId: dan.tenantId })
  const after = await dan.get<Feature>(`${FEATURES}/new-editor`)
  t.is(after.body.override, true)
  t.not(after.headers.get('etag'), before.headers.get('etag'))
  t.like((await evaluate(dan, 'new-editor')).body, {
    value: true,
    reason: 'TARGETING_MATCH',
    metadata: { source: 'override' },
  })
  t.like((await evaluate(eve, 'new-editor')).body, { value: false })
  t.is((await eve.get<Feature>(`${FEATURES}/new-editor`)).body.override, null)
  t.is((await dan.put(`${FEATURES}/new-editor/override`, { value: false })).status, 200)
  t.like((await evaluate(dan, 'new-editor')).body, { value: false, metadata: { source: 'override' } })
  t.is((await dan.delete(`${FEATURES}/new-editor/override`)).status, 204)
  t.is(codeOf(await dan.delete(`${FEATURES}/new-editor/override`)), '404 not_found')
  t.like((await evaluate(dan, 'new-editor')).body, { metadata: { source: 'default' } })
})

test('an override has the type of an existing flag, and is deleted with it', async t => {
  const fay = await s.person()
  for (const [body, pointer] of [
    [{}, '/value'],
    [{ value: 'yes' }, '/value'],
    [{ value: null }, '/value'],
    [{ value: true, until: 'tomorrow' }, '/until'],
    [{ value: true, tenantId: 'elsewhere' }, '/tenantId'],
  ] as const)
    t.deepEqual(pointersOf(await fay.put(`${FEATURES}/new-editor/override`, body)), [pointer], JSON.stringify(body))
  t.is(codeOf(await fay.put(`${FEATURES}/nothing/override`, { value: true })), '404 not_found')
  t.is(codeOf(await fay.delete(`${FEATURES}/nothing/override`)), '404 not_found')
  t.is((await fay.delete(`${FEATURES}/nothing/override?tenantId=x`)).status, 422)
  await add(fay, 'mine')
  await fay.put(`${FEATURES}/mine/override`, { value: true })
  t.like((await evaluate(fay, 'mine')).body, { value: true })
  await fay.patch(`${FEATURES}/mine`, { default: 'text' })
  t.is((await fay.get<Feature>(`${FEATURES}/mine`)).body.override, null)
  await fay.put(`${FEATURES}/mine/override`, { value: 'other' })
  await fay.delete(`${FEATURES}/mine`)
  await add(fay, 'mine', { default: 'text' })
  t.like((await evaluate(fay, 'mine')).body, { value: 'text' })
})

test('only the operator overrides flags with an entitlement and flags that are not overridable', async t => {
  const [gil, operator] = [await s.person(), await s.operator()]
  for (const key of ['reports', 'fixed']) {
    const answer = await gil.put<{ requiredPermission: string }>(`${FEATURES}/${key}/override`, { value: true })
    t.is(codeOf(answer), '403 forbidden')
    t.is(answer.body.requiredPermission, 'features.override.grant')
    t.is(codeOf(await gil.delete(`${FEATURES}/${key}/override`)), '403 forbidden')
    const given = await operator.put(`${FEATURES}/${key}/override`, { value: true, tenantId: gil.tenantId })
    t.is(given.status, 200, JSON.stringify(given.body))
    t.like((await evaluate(gil, key)).body, { value: true, metadata: { source: 'override' } })
    t.is((await operator.delete(`${FEATURES}/${key}/override?tenantId=${gil.tenantId}`)).status, 204)
    t.like((await evaluate(gil, key)).body, { value: false })
  }
  const foreign = { value: true, tenantId: ada.tenantId }
  t.is(codeOf(await gil.put(`${FEATURES}/new-editor/override`, foreign)), '403 forbidden')
  t.is(codeOf(await gil.delete(`${FEATURES}/new-editor/override?tenantId=${ada.tenantId}`)), '403 forbidden')
  const unknownTenantId = ada.tenantId.replace(/.{6}$/, '000000')
  t.is(
    codeOf(await operator.put(`${FEATURES}/new-editor/override`, { value: true, tenantId: unknownTenantId })),
    '404 not_found',
  )
})

test('the operator changes an editable flag of the recipe for every tenant', async t => {
  const [hal, operator] = [await s.person(), await s.operator()]
  t.like((await evaluate(hal, 'banner')).body, { value: 'none' })
  const changed = await operator.patch<Feature>(`${FEATURES}/banner`, { default: 'sale' })
  t.like(changed.body, { default: 'sale', managedBy: 'recipe' })
  t.like((await evaluate(hal, 'banner')).body, { value: 'sale' })
  t.like((await evaluate(hal, 'banner-closes')).body, { value: true })
  t.is(codeOf(await operator.patch(`${FEATURES}/banner`, { default: true })), '409 feature_in_use')
  t.deepEqual(pointersOf(await operator.patch(`${FEATURES}/banner`, { requires: [{ key: 'banner-closes' }] })), [
    '/requires/0',
  ])
  for (const refused of [
    await operator.patch(`${FEATURES}/new-editor`, { default: true }),
    await operator.delete(`${FEATURES}/banner`),
    await hal.patch(`${FEATURES}/banner`, { default: 'x' }),
  ])
    t.is(codeOf(refused), '409 managed_by_recipe')
})

test('a refused change of a flag names the line of the recipe that allows it', async t => {
  const operator = await s.operator()
  const { body } = await operator.patch<ProblemBody>(`${FEATURES}/new-editor`, { default: true })
  t.is(body.detail, 'This comes from the recipe. To edit it here, set features.new-editor.editable: true there.')
})

test('isolates tenants and requires a permission for each route', async t => {
  const bob = await s.person()
  await add(ada, 'secret')
  for (const [method, path, body] of [
    ['GET', ''],
    ['GET', '/history'],
    ['PATCH', '', { enabled: false }],
    ['DELETE', ''],
    ['PUT', '/override', { value: true }],
    ['DELETE', '/override'],
  ] as const)
    t.is(codeOf(await bob.call(method, `${FEATURES}/secret${path}`, body)), '404 not_found')
  t.is(codeOf(await evaluate(bob, 'secret')), '404 feature_not_found')
  const plainMember = await s.colleague(ada, ['tenant.member'])
  const may = async (client: Client, method: string, path: string, body?: object) =>
    (await client.call<{ requiredPermission: string }>(method, path, body)).body?.requiredPermission
  for (const [method, path, permission, body] of [
    ['GET', FEATURES, 'read'],
    ['GET', `${FEATURES}/secret`, 'read'],
    ['GET', `${FEATURES}/secret/history`, 'read'],
    ['POST', FEATURES, 'create', {}],
    ['PATCH', `${FEATURES}/secret`, 'update', {}],
    ['DELETE', `${FEATURES}/secret`, 'delete'],
    ['PUT', `${FEATURES}/secret/override`, 'update', {}],
    ['DELETE', `${FEATURES}/secret/override`, 'update'],
    ['POST', `${FEATURES}/secret/evaluate`, 'evaluate', {}],
    ['GET', `${FEATURES}/secret/evaluate`, 'evaluate'],
    ['POST', `${FEATURES}/evaluate`, 'evaluate', {}],
  ] as const)
    t.is(await may(plainMember, method, path, body), `features.feature.${permission}`, `${method} ${path}`)
  const evaluator = await s.colleague(ada, ['tenant.evaluator'])
  t.is((await evaluate(evaluator, 'secret')).status, 200)
  t.is(await may(evaluator, 'PATCH', `${FEATURES}/secret`, {}), 'features.feature.update')
  const releaser = await s.colleague(ada, ['tenant.releaser'])
  t.is((await releaser.patch(`${FEATURES}/secret`, { enabled: false })).status, 200)
})

const history = async (client: Client, key: string, query = '') =>
  (await client.get<{ data: Revision[]; nextCursor: string | null }>(`${FEATURES}/${key}/history${query}`)).body

test('keeps what a flag contained after each change, and by whom it was changed', async t => {
  const kim = await s.person()
  const releaser = await s.colleague(kim, ['tenant.releaser'])
  await kim.post(FEATURES, { key: 'menu', name: 'Menu', default: 'left' })
  await releaser.patch(`${FEATURES}/menu`, { default: 'right' })
  await kim.patch(`${FEATURES}/menu`, { default: 'right' })
  await kim.patch(`${FEATURES}/menu`, { enabled: false })
  const { data, nextCursor } = await history(kim, 'menu')
  t.deepEqual(
    data.map(({ revision, changedBy, name, enabled, default: value }) => [revision, changedBy, name, enabled, value]),
    [
      [3, kim.userId, 'Menu', false, 'right'],
      [2, releaser.userId, 'Menu', true, 'right'],
      [1, kim.userId, 'Menu', true, 'left'],
    ],
  )
  t.is(nextCursor, null)
  const page = await history(kim, 'menu', '?limit=2')
  t.deepEqual(
    (await history(kim, 'menu', `?limit=2&cursor=${page.nextCursor}`)).data.map(({ revision }) => revision),
    [1],
  )
  await kim.delete(`${FEATURES}/menu`)
  await kim.post(FEATURES, { key: 'menu', default: 'top' })
  t.is((await history(kim, 'menu')).data.length, 1, 'a flag has no history of an earlier one')
})

test("shows the history of a flag of the recipe in the operator's workspace only", async t => {
  const [lea, operator] = [await s.person(), await s.operator()]
  await operator.patch(`${FEATURES}/banner`, { name: 'Banner' })
  const { data } = await history(operator, 'banner')
  t.is(data[0]?.name, 'Banner')
  t.is(typeof data[0]?.changedBy, 'string')
  t.is(data.at(-1)?.changedBy, null)
  t.deepEqual((await history(lea, 'banner')).data, [])
})

test('deletes the oldest revisions when the history of a tenant exceeds 2 MiB', async t => {
  const max = await s.person()
  await add(max, 'other')
  await max.post(FEATURES, { key: 'large', default: '' })
  const text = (start: string) => start.padEnd(10_000, 'x')
  const rules = (start: string) => Array.from({ length: 9 }, () => ({ value: text(start) }))
  for (let n = 0; n < 26; n++) await max.patch(`${FEATURES}/large`, { rules: rules(String(n)) })
  const revisions = (await history(max, 'large', '?limit=100')).data.map(({ revision }) => revision)
  t.is(revisions[0], 27)
  t.is(revisions.length, 23, '2 MiB hold 23 revisions of 90 KB')
  t.deepEqual((await history(max, 'other')).data, [])
})

test('publishes an event for every change', async t => {
  const ivy = await s.person()
  await add(ivy, 'observed')
  await ivy.patch(`${FEATURES}/observed`, { enabled: false })
  await ivy.put(`${FEATURES}/observed/override`, { value: true })
  await ivy.delete(`${FEATURES}/observed/override`)
  await ivy.delete(`${FEATURES}/observed`)
  const { rows } = await s.kernel.kernel.ports.database
    .tenant(ivy.tenantId)
    .query<{ type: string; payload: object }>(
      `select type, payload from larder_events where type like 'features.%' order by id`,
    )
  t.deepEqual(
    rows.map(({ type }) => type),
    ['feature.created', 'feature.updated', 'override.set', 'override.removed', 'feature.deleted'].map(
      type => `features.${type}`,
    ),
  )
  t.like(rows[1]?.payload, { key: 'observed', enabled: false })
})

test('deletes flags and overrides with their tenant', async t => {
  const jon = await s.person()
  await add(jon, 'left')
  await jon.put(`${FEATURES}/new-editor/override`, { value: true })
  t.is((await jon.delete(`/v1/identity/tenants/${jon.tenantId}`)).status, 204)
  await s.kernel.settled()
  const unit = s.kernel.kernel.ports.database.tenant(jon.tenantId)
  for (const table of ['features_flags', 'features_overrides', 'features_revisions'])
    t.is((await unit.query(`select 1 from ${table}`)).rowCount, 0, table)
})

test('a name is one visible line', async t => {
  const make = (name: string) => ada.post(FEATURES, { key: 'named', name, default: 1 })
  for (const nothing of ['', ' ', '\u200b', '\u3164', '\u2800']) t.is((await make(nothing)).status, 422)
  const { status, body } = await make(' Spring\r\n\u202esurvey\t👩‍👩‍👧 ')
  t.is(status, 201)
  t.is(body.name, 'Spring survey 👩‍👩‍👧')
})

// Serial: other tests list all flags.
test.serial('a flag with scope product applies to every workspace, and only operators manage it', async t => {
  const gil = await s.person()
  const operator = await s.operator()
  const flag = { key: 'for-pro', scope: 'product', default: false, bucketBy: 'tenant' }
  t.is(codeOf(await gil.post(FEATURES, flag)), '403 forbidden')
  const created = await operator.post(FEATURES, { ...flag, rules: [{ when: { plan: 'pro' }, value: true }] })
  t.is(created.status, 201, JSON.stringify(created.body))
  t.is(created.body.managedBy, 'operator')
  t.like((await evaluate(gil, 'for-pro')).body, { value: false })
  await s.sell(gil.tenantId, 'pro')
  t.like((await evaluate(gil, 'for-pro')).body, { value: true })
  t.is(codeOf(await gil.patch(`${FEATURES}/for-pro`, { enabled: false })), '409 managed_by_recipe')
  t.is(codeOf(await operator.post(FEATURES, flag)), '409 feature_exists')

  t.is((await gil.put(`${FEATURES}/for-pro/override`, { value: false })).status, 200)
  t.like((await evaluate(gil, 'for-pro')).body, { value: false })
  t.is((await operator.patch(`${FEATURES}/for-pro`, { name: 'For Pro' })).status, 200)
  const next = await s.another()
  t.teardown(() => next.stop())
  t.is((await operator.get(`${FEATURES}/for-pro`)).status, 200, 'a start of the recipe keeps it')
  t.is((await operator.delete(`${FEATURES}/for-pro`)).status, 204)
  await add(gil, 'for-pro')
  t.like((await evaluate(gil, 'for-pro')).body, { value: false, reason: 'STATIC' })
})

import test from 'ava'
import { withPeople } from '../../../fixtures/with-people.ts'
import { codeOf, colleague, fieldErrors, identityRecipe, newEmail, operator } from '../fixtures.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

test('the creator of a workspace owns it and reaches it by id and slug', async t => {
  const ada = await kernel.register(newEmail())
  const made = await ada.post('/v1/identity/tenants', { name: 'Second Home' })
  t.is(made.status, 201)
  t.is(made.headers.get('location'), `/v1/identity/tenants/${made.body.id}`)
  t.like(made.body, { name: 'Second Home', slug: 'second-home', planKey: null })
  for (const name of [made.body.id, made.body.slug]) {
    const { status, body } = await ada.with({ 'x-tenant-id': name }).get(`/v1/identity/tenants/${made.body.id}`)
    t.is(status, 200)
    t.is(body.id, made.body.id)
  }
  const { body } = await ada.get('/v1/identity/tenants')
  t.deepEqual(
    body.data.map(({ id }) => id),
    [ada.tenantId, made.body.id],
  )
})

test('creates one workspace per Idempotency-Key, regardless of the tenant header', async t => {
  const ada = await kernel.register(newEmail())
  const options = { headers: { 'idempotency-key': 'once', 'x-tenant-id': ada.tenantId } }
  const make = () => ada.post('/v1/identity/tenants', { name: 'Only One' }, options)
  const [first, second] = [await make(), await make()]
  t.is(first.status, 201)
  t.is(second.body.id, first.body.id)
  t.is((await ada.get('/v1/identity/tenants')).body.data.length, 2)
})

test('assigns a slug to one tenant only, also under concurrency', async t => {
  const ada = await kernel.register(newEmail())
  const ask = () => ada.post('/v1/identity/tenants', { name: 'Any', slug: 'wanted' })
  t.deepEqual((await Promise.all([ask(), ask(), ask()])).map(codeOf).sort(), [
    '201',
    '409 slug_taken',
    '409 slug_taken',
  ])
  const eve = await kernel.register(newEmail())
  t.is(codeOf(await eve.patch(`/v1/identity/tenants/${eve.tenantId}`, { slug: 'wanted' })), '409 slug_taken')
})

test('renames a workspace and finds it by its new slug', async t => {
  const ada = await kernel.register(newEmail())
  const slug = `renamed-${process.pid}`
  const renamed = await ada.patch(`/v1/identity/tenants/${ada.tenantId}`, { name: 'Renamed', slug })
  t.like(renamed.body, { id: ada.tenantId, name: 'Renamed', slug })
  t.is((await ada.with({ 'x-tenant-id': slug }).get('/v1/identity/members')).status, 200)
  const wrong = await ada.patch(`/v1/identity/tenants/${ada.tenantId}`, { id: 'ten_1', slug: 'A B', planKey: 'pro' })
  t.deepEqual(fieldErrors(wrong), ['/id unknown_field', '/planKey unknown_field', '/slug wrong_format'])
})

test("answers 404 for another tenant's id", async t => {
  const [ada, eve] = [await kernel.register(newEmail()), await kernel.register(newEmail())]
  for (const id of [eve.tenantId, 'ten_00000000000000000000000000', 'x'])
    for (const method of ['GET', 'DELETE'])
      t.is(codeOf(await ada.call(method, `/v1/identity/tenants/${id}`)), '404 not_found')
  t.is(codeOf(await ada.patch(`/v1/identity/tenants/${eve.tenantId}`, { name: 'Mine' })), '404 not_found')
  t.is(
    codeOf(await ada.with({ 'x-tenant-id': eve.tenantId }).get(`/v1/identity/tenants/${eve.tenantId}`)),
    '403 not_a_member',
  )
})

test('needs the tenant header with a cookie and rejects API keys', async t => {
  const ada = await kernel.register(newEmail())
  const path = `/v1/identity/tenants/${ada.tenantId}`
  const cookie = kernel.with({ cookie: ada.cookie })
  t.is(codeOf(await cookie.get(path)), '400 tenant_required')
  t.is((await cookie.with({ cookie: ada.cookie, 'x-tenant-id': ada.tenantId }).get(path)).status, 200)
  t.is((await kernel.as(ada.apiKey).get(path)).status, 403)
  t.is((await kernel.as(ada.apiKey).post('/v1/identity/tenants', { name: 'No' })).status, 403)
})

test('a deleted workspace is inaccessible from the next request', async t => {
  const owner = await kernel.register(newEmail())
  const member = await colleague(kernel, owner, ['tenant.member'])
  t.is(codeOf(await member.delete(`/v1/identity/tenants/${owner.tenantId}`)), '403 forbidden')
  t.is((await owner.delete(`/v1/identity/tenants/${owner.tenantId}`)).status, 204)
  t.is(codeOf(await member.get('/v1/identity/members')), '403 not_a_member')
  t.is(codeOf(await owner.with({ 'x-tenant-id': owner.tenantId }).get('/v1/identity/members')), '403 not_a_member')
  t.is((await kernel.as(owner.apiKey).get('/v1/me')).status, 401)
  t.is((await owner.get('/v1/auth/me')).status, 200, 'the person is still there')
})

test("rejects deletion of the operator's workspace", async t => {
  const admin = await operator(kernel)
  const there = admin.with({ 'x-tenant-id': admin.operatorId })
  t.is(codeOf(await there.delete(`/v1/identity/tenants/${admin.operatorId}`)), '409 operator_tenant')
})

import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OpenFeature } from '@openfeature/server-sdk'
import test from 'ava'
import type { Client, Person } from '../../../../testing/index.ts'
import { codeOf } from '../../../fixtures/people.ts'
import {
  add,
  type Evaluated,
  evaluate,
  FEATURES,
  type Fixtures,
  OFREP,
  pointersOf,
  startFixtures,
} from '../fixtures.ts'

let s: Fixtures
let ada: Person
test.before(async () => {
  s = await startFixtures({
    features: {
      'new-editor': { default: false, rules: [{ when: { plan: 'enterprise' }, value: true }] },
      reports: { default: false, entitlement: 'reports.advanced', rules: [{ value: true }] },
      rollout: { default: false, bucketBy: 'targetingKey', rules: [{ rollout: 50, value: true }] },
      theme: {
        default: 'light',
        rules: [{ when: { country: { in: ['DE', 'AT'] } }, value: 'dark', variant: 'night' }],
      },
      limit: { default: 10, rules: [{ when: { 'device.ram': { gte: 8 } }, value: 99.5 }] },
      layout: {
        default: { columns: 1 },
        rules: [{ when: { userId: { exists: true } }, value: { columns: 2, wide: [true] } }],
      },
    },
  })
  ada = await s.person()
})
test.after.always(() => s?.stop())

interface Bulk {
  flags: Evaluated[]
}
const bulk = (client: Client, body: object = {}, headers: Record<string, string> = {}) =>
  client.post<Bulk>(`${FEATURES}/evaluate`, body, { headers })
const valuesOf = ({ flags }: Bulk) =>
  Object.fromEntries(flags.map(({ key, value, errorCode }) => [key, errorCode ?? value]))

test('evaluates a feature with a context from the body or the query', async t => {
  t.deepEqual((await evaluate(ada, 'theme')).body, {
    key: 'theme',
    value: 'light',
    reason: 'DEFAULT',
    variant: 'default',
    metadata: { source: 'default' },
  })
  t.like((await evaluate(ada, 'theme', { country: 'AT' })).body, {
    value: 'dark',
    variant: 'night',
    reason: 'TARGETING_MATCH',
  })
  t.like((await ada.get(`${FEATURES}/theme/evaluate?country=DE`)).body, { value: 'dark' })
  t.like((await ada.get(`${FEATURES}/theme/evaluate?country=FR&country=DE`)).body, { value: 'dark' })
  t.like((await ada.get(`${FEATURES}/limit/evaluate?device.ram=16`)).body, { value: 99.5 })
  t.like((await evaluate(ada, 'limit', { device: { ram: 4 } })).body, { value: 10 })
  t.like((await evaluate(ada, 'layout')).body, { value: { columns: 2, wide: [true] } })
  t.is((await ada.post(`${FEATURES}/theme/evaluate`)).status, 200)
})

test('OFREP sends whole values of a flag with decimals as decimals', async t => {
  const textOf = async (path: string) =>
    (
      await fetch(s.kernel.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
        body: '{}',
      })
    ).text()
  t.true((await textOf(`${OFREP}/limit`)).includes('"value":10.0,'))
  t.true((await textOf(OFREP)).includes('{"key":"limit","value":10.0,'))
  t.like((await ada.post(`${OFREP}/limit`, { context: { 'device.ram': 16 } })).body, { value: 99.5 })
})

test('ignores tenant, plan, roles and userId from the client', async t => {
  const said = { plan: 'enterprise', tenant: 'ten_x', roles: ['platform.admin'], userId: 'usr_x' }
  const eve = await s.person()
  await add(eve, 'who', {
    default: 'nobody',
    rules: Object.entries(said).map(([name, value]) => ({
      when: { [name]: Array.isArray(value) ? { in: value } : value },
      value: name,
    })),
  })
  t.like((await evaluate(eve, 'new-editor', said)).body, { value: false })
  t.like((await evaluate(eve, 'who', said)).body, { value: 'nobody' })
  t.like((await eve.get(`${FEATURES}/new-editor/evaluate?plan=enterprise`)).body, { value: false })
  t.is(valuesOf((await bulk(eve, { context: said })).body)['new-editor'], false)
  t.is(valuesOf((await eve.post<Bulk>(OFREP, { context: said })).body)['new-editor'], false)
  await s.sell(eve.tenantId, 'enterprise')
  t.like((await evaluate(eve, 'new-editor', { plan: 'free' })).body, { value: true })
})

test('rules match roles, user and tenant from the server', async t => {
  const fay = await s.person()
  await add(fay, 'owners', { rules: [{ when: { roles: 'tenant.owner' }, value: true }] })
  await add(fay, 'me', { rules: [{ when: { userId: fay.userId, tenant: fay.tenantId }, value: true }] })
  t.like((await evaluate(fay, 'owners')).body, { value: true })
  t.like((await evaluate(fay, 'me')).body, { value: true })
  const colleague = await s.colleague(fay, ['tenant.evaluator'])
  t.deepEqual(valuesOf((await bulk(colleague, { keys: ['owners', 'me'] })).body), { owners: false, me: false })
  t.like((await evaluate(s.kernel.as(fay.apiKey), 'owners')).body, { value: true })
})

test('a flag with an entitlement follows the plan at once', async t => {
  const gil = await s.person()
  t.like((await evaluate(gil, 'reports')).body, {
    value: false,
    metadata: { source: 'entitlement', entitlement: 'reports.advanced' },
  })
  t.is(valuesOf((await bulk(gil)).body).reports, false)
  for (const amount of [1, -1]) {
    await s.sell(gil.tenantId, 'pro', { 'reports.advanced': amount })
    t.like((await evaluate(gil, 'reports')).body, { value: true })
    t.is(valuesOf((await bulk(gil)).body).reports, true)
  }
  await s.sell(gil.tenantId, 'free', { 'reports.advanced': 0 })
  t.is(valuesOf((await bulk(gil)).body).reports, false)
})

test('evaluates all flags or some', async t => {
  const hal = await s.person()
  const all = await bulk(hal, { context: { targetingKey: 'u1', country: 'DE' } })
  t.deepEqual(
    all.body.flags.map(({ key }) => key),
    ['layout', 'limit', 'new-editor', 'reports', 'rollout', 'theme'],
  )
  for (const flag of all.body.flags)
    t.deepEqual(flag, (await evaluate(hal, flag.key, { targetingKey: 'u1', country: 'DE' })).body)
  t.deepEqual(valuesOf((await bulk(hal, { keys: ['theme', 'nothing', 'rollout', 'theme'] })).body), {
    theme: 'light',
    nothing: 'FLAG_NOT_FOUND',
    rollout: 'TARGETING_KEY_MISSING',
  })
})

test('answers If-None-Match with 304 until a flag changes', async t => {
  const ivy = await s.person()
  const first = await bulk(ivy, { context: { country: 'DE' } })
  const tag = first.headers.get('etag') ?? ''
  t.is((await bulk(ivy, { context: { country: 'DE' } }, { 'if-none-match': tag })).status, 304)
  t.is(
    (await ivy.post(OFREP, { context: { country: 'AT', other: 1 } }, { headers: { 'if-none-match': tag } })).status,
    304,
  )
  t.is((await bulk(ivy, { context: { country: 'FR' } }, { 'if-none-match': tag })).status, 200)
  await add(ivy, 'extra')
  const second = await bulk(ivy, { context: { country: 'DE' } }, { 'if-none-match': tag })
  t.is(second.status, 200)
  t.is(second.body.flags.length, first.body.flags.length + 1)
  await ivy.delete(`${FEATURES}/extra`)
  t.is((await bulk(ivy, { context: { country: 'DE' } }, { 'if-none-match': tag })).status, 304)
  t.is((await bulk(ivy, { context: { country: 'DE' } }, { 'if-none-match': `W/"x", W/${tag}` })).status, 304)
})

test('rejects an invalid request with pointers', async t => {
  for (const [path, body, pointer] of [
    ['theme/evaluate', { context: 'x' }, '/context'],
    ['theme/evaluate', { context: { targetingKey: 7 } }, '/context/targetingKey'],
    ['theme/evaluate', { country: 'DE' }, '/country'],
    ['evaluate', { context: [] }, '/context'],
    ['evaluate', { keys: 'theme' }, '/keys'],
    ['evaluate', { keys: [] }, '/keys'],
    ['evaluate', { keys: ['a b'] }, '/keys/0'],
    ['evaluate', { flags: [] }, '/flags'],
  ] as const) {
    const answer = await ada.post(`${FEATURES}/${path}`, body)
    t.is(codeOf(answer), '422 validation_failed', JSON.stringify(body))
    t.deepEqual(pointersOf(answer), [pointer])
  }
  t.is(codeOf(await ada.post(`${FEATURES}/evaluate`, '[')), '400 malformed')
  t.is(codeOf(await ada.post(`${FEATURES}/evaluate`, { context: { a: 'x'.repeat(70_000) } })), '413 body_too_large')
  const missing = await ada.post<Evaluated & { code: string }>(`${FEATURES}/nothing/evaluate`, {})
  t.is(missing.status, 404)
  t.like(missing.body, { code: 'feature_not_found', key: 'nothing', errorCode: 'FLAG_NOT_FOUND' })
  t.like((await evaluate(ada, 'rollout')).body, { code: 'evaluation_failed', errorCode: 'TARGETING_KEY_MISSING' })
  t.is((await ada.get(`${FEATURES}/rollout/evaluate?targetingKey=u1`)).status, 200)
})

test('OFREP replies and errors follow the protocol', async t => {
  t.deepEqual((await ada.post(`${OFREP}/theme`, { context: { country: 'DE' }, later: true })).body as object, {
    key: 'theme',
    value: 'dark',
    reason: 'TARGETING_MATCH',
    variant: 'night',
    metadata: { source: 'rule', rule: 0 },
  })
  for (const [key, body, status, errorCode] of [
    ['nothing', {}, 404, 'FLAG_NOT_FOUND'],
    ['rollout', {}, 400, 'TARGETING_KEY_MISSING'],
    ['theme', { context: 'x' }, 400, 'INVALID_CONTEXT'],
    ['theme', { context: { targetingKey: 1 } }, 400, 'INVALID_CONTEXT'],
    ['theme', '{', 400, 'PARSE_ERROR'],
    ['theme', [], 400, 'PARSE_ERROR'],
    ['theme', { context: { a: 'x'.repeat(70_000) } }, 400, 'PARSE_ERROR'],
  ] as const) {
    const answer = await ada.post<Evaluated>(`${OFREP}/${key}`, body)
    t.is(answer.status, status, JSON.stringify(answer.body))
    t.deepEqual(Object.keys(answer.body), ['key', 'errorCode', 'errorDetails'])
    t.like(answer.body, { key, errorCode })
    t.regex(answer.headers.get('content-type') ?? '', /^application\/json/)
  }
  const text = await ada.post<Evaluated>(`${OFREP}/theme`, 'x', { headers: { 'content-type': 'text/plain' } })
  t.like(text.body, { key: 'theme', errorCode: 'PARSE_ERROR' })
  for (const body of ['{', { context: 7 }]) {
    const answer = await ada.post<Evaluated>(OFREP, body)
    t.is(answer.status, 400)
    t.deepEqual(Object.keys(answer.body), ['errorCode', 'errorDetails'])
  }
  const { flags } = (await ada.post<Bulk>(OFREP, {})).body
  t.like(
    flags.find(({ key }) => key === 'rollout'),
    { errorCode: 'TARGETING_KEY_MISSING' },
  )
  t.like(
    flags.find(({ key }) => key === 'theme'),
    { value: 'light' },
  )
  t.is((await s.kernel.post(OFREP, {})).status, 401)
})

test.serial('the OpenFeature server SDK reads every type, reason and error through the OFREP provider', async t => {
  const kim = await s.person()
  const headers = { authorization: `Bearer ${kim.apiKey}` }
  await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: `${s.kernel.url}/v1/features`, headers }))
  t.teardown(() => OpenFeature.close())
  const client = OpenFeature.getClient()
  t.is(await client.getStringValue('theme', '?', { country: 'DE' }), 'dark')
  t.is(await client.getNumberValue('limit', 0, { device: { ram: 32 } }), 99.5)
  t.deepEqual(await client.getObjectValue('layout', {}), { columns: 2, wide: [true] })
  t.is(await client.getBooleanValue('new-editor', true, { plan: 'enterprise' }), false)
  t.like(await client.getStringDetails('theme', '?', { country: 'DE' }), {
    value: 'dark',
    variant: 'night',
    reason: 'TARGETING_MATCH',
    flagMetadata: { source: 'rule', rule: 0 },
  })
  t.like(await client.getBooleanDetails('rollout', false, { targetingKey: 'u1' }), {
    flagKey: 'rollout',
    errorCode: undefined,
  })
  t.like(await client.getBooleanDetails('rollout', true), { value: true, errorCode: 'TARGETING_KEY_MISSING' })
  t.like(await client.getBooleanDetails('nothing', true), { value: true, errorCode: 'FLAG_NOT_FOUND' })
  t.like(await client.getBooleanDetails('theme', true), { value: true, errorCode: 'TYPE_MISMATCH' })
})

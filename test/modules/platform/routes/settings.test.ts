import anyTest, { type TestFn } from 'ava'
import { optionSettings } from '../../../../modules/platform/domain/option-settings.ts'
import { type PlatformFixture, startFixture } from '../fixtures.ts'

const test = anyTest as TestFn<PlatformFixture>
const PATH = '/v1/platform/settings'

test.before(async t => {
  t.context = await startFixture({ TRUST_PROXY: '1', METRICS_TOKEN: 'token-of-the-metrics' })
})
test.after.always(t => t.context.stop?.())

test('lists variables and options with value and source to the operator', async t => {
  const { status, body } = await t.context.admin.get(PATH)
  t.is(status, 200)
  const byId = new Map(body.data.map(setting => [setting.id, setting]))
  t.is(byId.size, body.data.length)
  t.like(byId.get('TRUST_PROXY'), { kind: 'variable', owner: 'http', value: '1', source: 'environment', secret: false })
  t.like(byId.get('HOST'), { owner: 'http', value: '127.0.0.1', source: 'default' })
  t.like(byId.get('BUS'), { owner: 'bus', value: 'postgres', source: 'default' })
  t.like(byId.get('LOG_LEVEL'), { owner: 'kernel', value: 'silent', source: 'environment' })
  t.like(byId.get('SMTP_URL'), { owner: 'comms', value: null, source: 'default', secret: true })
  t.like(byId.get('METRICS_TOKEN'), { value: '***', source: 'environment', secret: true })
  t.like(byId.get('comms.transport'), { kind: 'option', owner: 'comms', value: 'mailbox', source: 'recipe' })
  t.like(byId.get('identity.sessions.ttl'), { value: '7d', source: 'default', description: 'Idle lifetime of a login' })
  t.like(byId.get('flaky.password'), { value: '***', source: 'recipe', secret: true })
})

test('lists those of one module only', async t => {
  const { body } = await t.context.admin.get(`${PATH}?owner=comms`)
  t.deepEqual([...new Set(body.data.map(({ owner }) => owner))], ['comms'])
  const ids = body.data.map(({ id }) => id)
  t.true(ids.includes('SMTP_URL') && ids.includes('comms.transport'))
})

test('contains no secret', async t => {
  const { body } = await t.context.admin.get(PATH)
  const text = JSON.stringify(body)
  for (const secret of ['hunter2', 'token-of-the-metrics', 'a secret that only tests may know of', 'postgres://'])
    t.false(text.includes(secret), secret)
})

test('requires the permission of the operator, and rejects unknown parameters', async t => {
  const { ada, admin, kernel } = t.context
  t.is((await kernel.get(PATH)).status, 401)
  const refused = await ada.get<{ requiredPermission?: string }>(PATH)
  t.is(refused.status, 403)
  t.is(refused.body.requiredPermission, 'platform.module.configure')
  t.true([400, 422].includes((await admin.get(`${PATH}?colour=red`)).status))
})

test('lists nested options, their defaults, and values that equal them', t => {
  const schema = {
    properties: {
      limit: { default: 5 },
      nested: { properties: { list: { default: [1] }, key: { writeOnly: true } } },
      free: { description: 'Anything' },
    },
  }
  t.deepEqual(
    optionSettings(schema, { limit: 5, nested: { list: [1, 2], key: '***' } }).map(
      ({ name, value, source, secret }) => [name, value, source, secret],
    ),
    [
      ['limit', 5, 'default', false],
      ['nested.list', [1, 2], 'recipe', false],
      ['nested.key', '***', 'recipe', true],
      ['free', null, 'default', false],
    ],
  )
  t.deepEqual(optionSettings({}, undefined), [])
})

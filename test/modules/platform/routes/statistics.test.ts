import anyTest, { type TestFn } from 'ava'
import { DAY, HOUR, type PageOf } from '../../../../kernel/index.ts'
import { createResponseTimes } from '../../../../services/http/monitoring/response-times.ts'
import { colleague, role } from '../../identity/fixtures.ts'
import { type PlatformFixture, startFixture } from '../fixtures.ts'

const test = anyTest as TestFn<PlatformFixture>
interface Listed {
  id: string
  title: string
  unit: string
  step: string
  perProcess: boolean
  points: { at: string; value: number | null }[]
}
const PATH = '/v1/platform/statistics'

test.before(async t => {
  t.context = await startFixture()
  await t.context.fail(t.context.ada)
  await t.context.kernel.post('/v1/flaky/mended')
})
test.after.always(t => t.context.stop?.())

// The module flaky registers a series that can't be read, which is omitted.
test('lists the numbers of the workspace to its owner', async t => {
  const { ada, bob } = t.context
  const { status, body } = await ada.get(PATH)
  t.is(status, 200)
  t.deepEqual(body.data.map(({ id }) => id).sort(), [
    'comms.emails',
    'comms.failed-emails',
    'identity.new-members',
    'outbox.active-logins',
    'outbox.failures',
  ])
  const last = (list: PageOf<Listed>, id: string) => list.data.find(each => each.id === id)?.points.at(-1)?.value
  t.is(last(body, 'identity.new-members'), 1)
  t.is(last(body, 'outbox.failures'), 2)
  t.is(last(body, 'outbox.active-logins'), 1)
  t.is(last((await bob.get(PATH)).body, 'outbox.failures'), 0)
  for (const { points, step } of body.data) {
    t.is(step, 'day')
    t.is(points.length, 14)
    t.true(
      points.every(({ at }, index) => index === 0 || Date.parse(at) - Date.parse(points[index - 1]?.at ?? '') === DAY),
    )
    t.true(points.slice(0, -1).every(({ value }) => value === 0))
  }
})

test('lists the numbers of the installation to the operator, and those of a workspace', async t => {
  const { admin, ada } = t.context
  const { body } = await admin.get(PATH)
  const byId = new Map(body.data.map(each => [each.id, each]))
  t.is(byId.get('identity.sign-ups')?.points.at(-1)?.value, 3)
  t.false(byId.has('identity.new-members'))
  const times = byId.get('http.response-time')
  t.like(times, { unit: 'milliseconds', step: 'hour', perProcess: true })
  t.is(times?.points.length, 24)
  t.true((times?.points.at(-1)?.value ?? 0) > 0)
  t.is(times?.points[0]?.value, null)
  const one = await admin.get(`${PATH}?filter[tenantId]=${ada.tenantId}`)
  t.true(one.body.data.some(({ id }) => id === 'identity.new-members'))
  t.false(one.body.data.some(({ id }) => id === 'identity.sign-ups'))
})

test('ignores the filter for other workspaces without the permission of the operator', async t => {
  const { ada, bob } = t.context
  const { body } = await bob.get(`${PATH}?filter[tenantId]=${ada.tenantId}`)
  t.is(body.data.find(({ id }) => id === 'outbox.failures')?.points.at(-1)?.value, 0)
})

test('requires a permission, and rejects unknown parameters and invalid tenants', async t => {
  const { ada, kernel, admin } = t.context
  t.is((await kernel.get(PATH)).status, 401)
  await role(ada, 'team.reader', ['identity.member.read'])
  const reader = await colleague(kernel, ada, ['team.reader'])
  const refused = await reader.get(PATH)
  t.is(refused.status, 403)
  t.true([400, 422].includes((await ada.get(`${PATH}?filter[colour]=red`)).status))
  t.is((await admin.get(`${PATH}?filter[tenantId]=nobody`)).status, 422)
  t.true([400, 422].includes((await admin.get(`${PATH}?filter[tenantId]=1&filter[tenantId]=2`)).status))
})

test('titles are in the language of the request', async t => {
  const { body } = await t.context.ada.get(PATH, { headers: { 'accept-language': 'de' } })
  t.true(body.data.some(({ title }) => title === 'Neue Mitglieder'))
})

test('answers concurrent and repeated requests alike', async t => {
  const { ada } = t.context
  const answers = await Promise.all(Array.from({ length: 5 }, () => ada.get(PATH)))
  for (const { body } of answers) t.deepEqual(body, answers[0]?.body)
})

test('response times cover the last 24 hours', t => {
  let now = 1000 * DAY
  const times = createResponseTimes(() => now)
  t.deepEqual(times.percentiles(), [])
  for (let n = 0; n < 100; n++) times.add(n < 90 ? 10 : 200)
  now += HOUR
  times.add(0)
  times.add(1e9)
  const [first, second] = times.percentiles()
  t.is(first?.at.getTime(), 1000 * DAY)
  t.true((first?.value ?? 0) >= 200 && (first?.value ?? 0) < 240)
  t.true((second?.value ?? 0) > 80_000)
  now += 23 * HOUR
  t.is(times.percentiles().length, 1)
  now += HOUR
  t.deepEqual(times.percentiles(), [])
})

import anyTest, { type TestFn } from 'ava'
import { pino } from 'pino'
import { SECOND } from '../../../../kernel/index.ts'
import { type PlatformFixture, startFixture } from '../fixtures.ts'

const test = anyTest as TestFn<PlatformFixture>
const PATH = '/v1/platform/logs'

test.before(async t => {
  t.context = await startFixture({}, '', pino({ level: 'info' }, { write: () => undefined }))
})
test.after.always(t => t.context.stop?.())

test('returns the lines of the process to the operator, with the events of a request', async t => {
  const { admin, ada } = t.context
  const made = await ada.post('/v1/flaky')
  const requestId = made.headers.get('x-request-id') ?? ''
  const { status, body } = await admin.get(`${PATH}?filter[requestId]=${requestId}`)
  t.is(status, 200)
  t.is(body.process.role, 'all')
  t.true(body.process.id.endsWith(`:${process.pid}`))
  t.is(body.data.length, 1)
  const [line] = body.data
  t.like(line, { level: 'info', message: 'request', requestId, fields: { path: '/v1/flaky', status: 204 } })
  const since = new Date(Date.parse(line?.at ?? '') - 10 * SECOND).toISOString()
  const events = (query: string) => admin.get(`/v1/platform/events?${query}`)
  const found = await events(`filter[correlationId]=${requestId}&filter[since]=${since}`)
  t.deepEqual(
    found.body.data.map(({ type }) => type),
    ['flaky.thing.made'],
  )
  t.is((await events(`filter[correlationId]=${requestId}&filter[since]=2100-01-01T00:00:00Z`)).body.data.length, 0)
  t.is((await events('filter[correlationId]=nothing')).body.data.length, 0)
  t.is((await events('filter[since]=yesterday')).status, 422)
})

test('filters by level, text and time, and leaves its own requests out', async t => {
  const { admin, ada } = t.context
  await ada.get('/v1/platform/events?cursor=secret-in-the-query')
  const all = await admin.get(PATH)
  t.false(all.body.data.some(({ fields }) => fields.path === PATH && fields.status === 200))
  t.notRegex(JSON.stringify(all.body), /secret-in-the-query/)
  const text = await admin.get(`${PATH}?q=/v1/PLATFORM/EVENTS&limit=1`)
  t.is(text.body.data[0]?.fields.path, '/v1/platform/events')
  t.deepEqual((await admin.get(`${PATH}?filter[level]=fatal`)).body.data, [])
  t.deepEqual((await admin.get(`${PATH}?filter[since]=2100-01-01T00:00:00Z`)).body.data, [])
  t.deepEqual((await admin.get(`${PATH}?filter[until]=2000-01-01T00:00:00Z`)).body.data, [])
  const [one, two] = await Promise.all([admin.get(`${PATH}?limit=1`), admin.get(`${PATH}?limit=1`)])
  t.is(one.status + two.status, 400)
  await ada.get('/v1/me')
  for (let n = 0; n < 3; n++) await admin.get(PATH)
  const newest = (await admin.get(`${PATH}?limit=1`)).body.data
  t.is(newest.length, 1, 'they leave room for others')
})

test('requires the permission of the operator and valid parameters', async t => {
  const { admin, ada, kernel } = t.context
  t.is((await kernel.get(PATH)).status, 401)
  const refused = await ada.get<{ requiredPermission?: string }>(PATH)
  t.is(refused.status, 403)
  t.is(refused.body.requiredPermission, 'platform.log.read')
  for (const query of [
    'limit=0',
    'limit=1001',
    'limit=many',
    'filter[level]=loud',
    'filter[since]=now',
    'q=',
    'colour=red',
  ])
    t.true([400, 422].includes((await admin.get(`${PATH}?${query}`)).status), query)
})

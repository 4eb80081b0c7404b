/** Two processes with different versions of a recipe on one database. */
import test from 'ava'
import { startTestKernel, type TestKernel } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { recipeWith } from '../fixtures.ts'

type Fields = Readonly<Record<string, object>>
interface Course {
  readonly id: string
  readonly title?: string
  readonly name?: string
}

const access = { read: { 'tenant.owner': true }, create: { 'tenant.owner': true }, update: { 'tenant.owner': true } }
const recipe = (fields: Fields) => recipeWith({ courses: { fields, access, history: 5 } })
const EARLIER = recipe({ title: { type: 'text', unique: true, required: true } })
const LATER = recipe({
  name: { type: 'text', unique: true, required: true, was: 'title' },
  level: { type: 'enum', values: ['low', 'high'], required: true, default: 'low' },
})
const CONTRACTED = recipe({
  name: { type: 'text', unique: true, required: true },
  level: { type: 'enum', values: ['low', 'high'], required: true, default: 'low' },
})

let later: TestKernel
let adaLater: ReturnType<TestKernel['as']>
const { kernel: earlier, ada } = withPeople(test, { recipe: EARLIER, role: 'web' }, { ada: 'owner' }, async () => {
  later = await startTestKernel({ recipe: LATER, role: 'web', database: earlier.databaseUrl })
  adaLater = later.as(ada.token, ada.tenantId)
})
test.after.always(() => later?.stop())

const readiness = (kernel: TestKernel) => fetch(`${kernel.url}/v1/health/readiness`)

test.serial('processes of both recipes create, change and read rows of a renamed field', async t => {
  const first = await ada.post<Course>('/v1/data/courses', { title: 'Sums' })
  t.is(first.status, 201)
  const second = await adaLater.post<Course>('/v1/data/courses', { name: 'Tea' })
  t.is(second.status, 201)
  t.is((await adaLater.get<Course>(`/v1/data/courses/${first.body.id}`)).body.name, 'Sums')
  t.is((await adaLater.patch(`/v1/data/courses/${first.body.id}`, { name: 'More sums' })).status, 200)
  t.is((await ada.patch(`/v1/data/courses/${second.body.id}`, { title: 'Coffee' })).status, 200)
  const { body } = await ada.get<{ data: Course[] }>('/v1/data/courses?sort=title')
  t.deepEqual(
    body.data.map(({ title }) => title),
    ['Coffee', 'More sums'],
  )
  const versions = await ada.get<{ data: { row: Course }[] }>(`/v1/data/courses/${first.body.id}/history`)
  t.deepEqual(
    versions.body.data.map(({ row }) => row.title),
    ['Sums'],
  )
})

test.serial('a value that is taken is a conflict that names the field of the recipe', async t => {
  type Taken = { code: string; errors: { pointer: string }[] }
  const inEarlier = await ada.post<Taken>('/v1/data/courses', { title: 'Coffee' })
  const inLater = await adaLater.post<Taken>('/v1/data/courses', { name: 'Coffee' })
  t.like(inEarlier, { status: 409, body: { code: 'value_taken', errors: [{ pointer: '/title' }] } })
  t.like(inLater, { status: 409, body: { code: 'value_taken', errors: [{ pointer: '/name' }] } })
})

test.serial('both are ready, until a recipe without was is applied', async t => {
  t.is((await readiness(earlier)).status, 200)
  t.is((await readiness(later)).status, 200)
  const last = await startTestKernel({ recipe: CONTRACTED, role: 'web', database: earlier.databaseUrl })
  t.teardown(() => last.stop())
  t.is((await readiness(last)).status, 200)
  t.is((await readiness(later)).status, 200)
  const answer = await readiness(earlier)
  t.is(answer.status, 503)
  t.like(await answer.json(), { status: 'not_ready', checks: { 'collections.schema': 'failed' } })
  t.is((await adaLater.post('/v1/data/courses', { name: 'Cake' })).status, 201)
})

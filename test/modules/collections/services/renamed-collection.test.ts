/** A collection that the recipe gives another name. */
import test from 'ava'
import { startTestKernel } from '../../../../testing/index.ts'
import { recipeWith } from '../fixtures.ts'

interface Row {
  readonly id: string
  readonly title: string
  readonly course?: string
}

const accessOf = () => ({
  read: { 'tenant.owner': true },
  create: { 'tenant.owner': true },
  update: { 'tenant.owner': true },
  delete: { 'tenant.owner': true },
})
const courses = () => ({ fields: { title: { type: 'text', unique: true, required: true } }, access: accessOf() })
const tasksOf = (to: string) => ({
  fields: { title: { type: 'text' }, course: { type: 'reference', to } },
  access: accessOf(),
})

test('a renamed collection keeps its rows, their ids and what refers to them, and earlier processes are not ready', async t => {
  const earlier = await startTestKernel({
    recipe: recipeWith({ courses: courses(), tasks: tasksOf('courses') }),
    role: 'web',
  })
  t.teardown(() => earlier.stop())
  const ada = await earlier.register('ada@example.test')
  const { body: course } = await ada.post<Row>('/v1/data/courses', { title: 'Sums' })
  const { body: task } = await ada.post<Row>('/v1/data/tasks', { title: 'Add', course: course.id })

  const later = await startTestKernel({
    recipe: recipeWith({ lessons: { was: 'courses', ...courses() }, tasks: tasksOf('lessons') }),
    role: 'web',
    database: earlier.databaseUrl,
  })
  t.teardown(() => later.stop())
  const client = later.as(ada.token, ada.tenantId)
  t.like(await client.get<Row>(`/v1/data/lessons/${course.id}`), { status: 200, body: { title: 'Sums' } })
  t.is((await client.patch(`/v1/data/lessons/${course.id}`, { title: 'More sums' })).status, 200)
  t.is((await client.get<Row>(`/v1/data/tasks/${task.id}`)).body.course, course.id)
  t.is((await client.post('/v1/data/tasks', { title: 'Again', course: course.id })).status, 201)
  t.like((await client.get<{ data: Row[] }>('/v1/data/lessons')).body, { data: [{ title: 'More sums' }] })
  t.is((await client.get('/v1/data/courses')).status, 404)
  t.is((await fetch(`${earlier.url}/v1/health/readiness`)).status, 503)
})

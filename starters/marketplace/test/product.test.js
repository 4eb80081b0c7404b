// `npm test` runs this file. It starts the recipe on a new database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startTestKernel } from '@larder-dev/larder/kernel/testing'

/** @type {import('@larder-dev/larder/kernel/testing').TestKernel} */
let kernel

before(async () => {
  kernel = await startTestKernel({ recipe: fileURLToPath(new URL('../recipe.yaml', import.meta.url)) })
})
after(() => kernel?.stop())

test('visitors read published courses', async () => {
  const { body } = await kernel.get('/v1/data/courses?sort=startsAt')
  assert.deepEqual(
    body.data.map(({ slug }) => slug),
    ['chess-for-beginners', 'jazz-piano'],
  )
  const page = await kernel.get('/?q=chess', { headers: { accept: 'text/html' } })
  assert.match(page.body, /Chess for beginners/)
  assert.match(page.body, /1 course</)
  assert.doesNotMatch(page.body, /Jazz piano/)
})

test('a student enrolls', async () => {
  const sam = await kernel.register('sam@example.test')
  const { body: account } = await sam.get('/v1/auth/me')
  const { body: courses } = await kernel.get('/v1/data/courses')
  const enrollment = { course: courses.data[0].id, student: account.memberships[0].id }
  const { status } = await sam.post('/v1/data/enrollments', enrollment)
  assert.equal(status, 201)
})

/** The course marketplace, a product of people: pages that show courses, and enrollment that the plan of a student limits. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'

interface Course {
  readonly id: string
  readonly slug: string
  readonly category: { readonly name: string }
}
interface List<T> {
  readonly data: readonly T[]
  readonly total?: number
}

let kernel: TestKernel
test.before(async () => {
  kernel = await startTestKernel({ recipe: fileURLToPath(new URL('starters/marketplace/recipe.yaml', packageRoot)) })
})
test.after.always(() => kernel?.stop())

const show = async (path: string, language = 'en') => {
  const response = await fetch(`${kernel.url}${path}`, {
    headers: { accept: 'text/html', 'accept-language': language },
  })
  return { status: response.status, text: await response.text() }
}
const courses = async () => (await kernel.get<List<Course>>('/v1/data/courses?expand=category&sort=startsAt')).body.data

test('visitors read published courses, and pages that show them', async t => {
  t.deepEqual(
    (await courses()).map(({ slug, category }) => [slug, category.name]),
    [
      ['chess-for-beginners', 'Games'],
      ['jazz-piano', 'Music'],
    ],
  )
  const list = await show('/')
  t.is(list.status, 200)
  t.regex(list.text, /<a href="\/courses\/chess-for-beginners">Chess for beginners<\/a>[\s\S]+Jazz piano/)
  const course = await show('/courses/jazz-piano', 'de')
  t.regex(course.text, /<title>Jazz piano · Course Market<\/title>/)
  t.regex(course.text, /<dt>Kategorie<\/dt><dd>Music<\/dd>/)
  t.is((await show('/courses/no-such-course')).status, 404)
})

test('a student enrolls in as many courses as the plan allows, and no other student reads the enrollments', async t => {
  const [sam, eve] = [await kernel.register('sam@example.test'), await kernel.register('eve@example.test')]
  const { body: account } = await sam.get('/v1/auth/me')
  const student = account.memberships[0]?.id
  const enroll = (course: string) => sam.post<{ code?: string }>('/v1/data/enrollments', { course, student })
  const [chess, jazz] = await courses()
  t.is((await enroll(chess?.id ?? '')).status, 201)
  t.like(await enroll(chess?.id ?? ''), { status: 409, body: { code: 'value_taken' } })
  t.is((await enroll(jazz?.id ?? '')).status, 201)
  t.like(await enroll(jazz?.id ?? ''), { status: 403, body: { code: 'entitlement_exceeded' } })
  t.is((await sam.get<List<unknown>>('/v1/data/enrollments?include=total')).body.total, 2)
  t.is((await eve.get<List<unknown>>('/v1/data/enrollments?include=total')).body.total, 0)
  t.is((await sam.post('/v1/data/courses', { title: 'My course' })).status, 403)
})

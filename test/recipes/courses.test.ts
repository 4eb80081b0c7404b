/** The course marketplace, a product of people: pages that show courses, and enrollment that the plan of a student limits. */
import { readFile } from 'node:fs/promises'
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

const RECIPE = fileURLToPath(new URL('starters/marketplace/recipe.yaml', packageRoot))

let kernel: TestKernel
test.before(async () => {
  kernel = await startTestKernel({ recipe: RECIPE })
})
test.after.always(() => kernel?.stop())

const show = async (path: string, language = 'en') => {
  const response = await fetch(`${kernel.url}${path}`, {
    headers: { accept: 'text/html', 'accept-language': language },
  })
  return { status: response.status, text: await response.text() }
}
const courses = async () => (await kernel.get<List<Course>>('/v1/data/courses?expand=category&sort=startsAt')).body.data

test.serial('visitors read published courses, and pages that show them', async t => {
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

test.serial(
  'a student enrolls in as many courses as the plan allows, and no other student reads the enrollments',
  async t => {
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
  },
)

test.serial('the marketplace takes fewer than 110 lines of YAML', async t => {
  t.true((await readFile(RECIPE, 'utf8')).trimEnd().split('\n').length < 110)
})

test.serial('links filter the courses, and a value that is not offered filters nothing', async t => {
  const all = await show('/')
  t.regex(all.text, /<strong>2 courses<\/strong>/)
  const id = /href="\/\?category&#x3D;(\w+)#[^"]*">Music</.exec(all.text)?.[1] ?? ''
  const link = `category=${id}`
  const music = await show(`/?${link}`)
  t.regex(music.text, /<strong>1 course<\/strong>/)
  t.regex(music.text, /Jazz piano/)
  t.notRegex(music.text, /Chess for beginners/)
  t.regex(music.text, /aria-current="true">Music</)
  t.regex((await show(`/?${link}&level=beginner&q=jazz`)).text, /Nothing matches\./)
  t.regex((await show('/?category=nonsense&level=%00')).text, /<strong>2 courses<\/strong>/)
  t.regex((await show('/', 'de')).text, /<strong>2 Kurse<\/strong>[\s\S]+Fortgeschritten/)
})

test.serial('a full course says so instead of offering its form, and refuses the API', async t => {
  const [first, second] = [await kernel.register('one@example.test'), await kernel.register('two@example.test')]
  const jazz = (await courses())[1]?.id
  await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test fills a course')
    .query(
      'update data_courses set seats = (select count(*) + 1 from data_enrollments where course = $1) where id = $1',
      [jazz],
    )
  t.notRegex((await show('/courses/jazz-piano')).text, /All places are taken/)
  t.is((await first.post('/v1/data/enrollments', { course: jazz })).status, 201)
  const page = await show('/courses/jazz-piano')
  t.regex(page.text, /All places are taken\./)
  t.notRegex(page.text, /href="\/sign-up\?next/)
  t.like(await second.post('/v1/data/enrollments', { course: jazz }), {
    status: 409,
    body: { code: 'capacity_reached' },
  })
})

test.serial('a refusal of the plan speaks of enrollments', async t => {
  const kim = await kernel.register('limit@example.test')
  const [chess, jazz] = await courses()
  await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test gives a course any number of seats')
    .query('update data_courses set seats = null')
  for (const course of [chess?.id, jazz?.id]) t.is((await kim.post('/v1/data/enrollments', { course })).status, 201)
  const refused = await kim.post('/v1/data/enrollments', { course: 'cou_01aaaaaaaaaaaaaaaaaaaaaaaa' })
  t.like(refused, {
    status: 403,
    body: { code: 'entitlement_exceeded', detail: 'You have used 2 of 2 enrollments this month.', limit: 2, used: 2 },
  })
})

import { type BenchEnvironment, type Checkout, type LarderServer, register } from '../fixtures.ts'
import { mapConcurrently, send, WRITE_CONCURRENCY } from '../measure.ts'
import { CATEGORIES, type Course, courses, LISTED_LEVEL, newCourse, PAGE_SIZE } from './courses.ts'
import { CLASSES, MEMOS, PLACES, PROJECTS, READABLE, type School, TASKS } from './school.ts'
import type { Side } from './side.ts'

export const startLarder = async (environment: BenchEnvironment, checkout: Checkout): Promise<Side> =>
  (await startWithCourses(environment, checkout, 'collections/larder.yaml')).side

/** Other checkouts may not know the options of its recipe. */
export async function startSchool(environment: BenchEnvironment): Promise<Side> {
  const [checkout] = environment.checkouts
  if (!checkout) throw new Error('expected a checkout')
  const { side, server, categories } = await startWithCourses(environment, checkout, 'collections/school.yaml')
  const { memberId, ...school } = await createSchool(server.ready.url, side.headers, categories)
  return { ...side, school: { ...school, memos: await createMemos(environment, server, school.headers, memberId) } }
}

async function startWithCourses(environment: BenchEnvironment, checkout: Checkout, recipe: string) {
  const server = await environment.start(checkout, 'web', recipe)
  const headers = await register(server.ready.url)
  const data = `${server.ready.url}/v1/data`
  const create = async (collection: string, row: object) =>
    (await send<{ id: string }>('POST', `${data}/${collection}`, row, headers)).id
  const categories = await mapConcurrently(CATEGORIES.length, index =>
    create('categories', { name: CATEGORIES[index] }),
  )
  const rowOf = ({ category, ...rest }: Course) => ({ ...rest, category: categories[category] })
  const ids = await mapConcurrently(
    courses.length,
    index => create('courses', rowOf(courses[index] as Course)),
    WRITE_CONCURRENCY,
  )
  const side: Side = {
    name: checkout.name,
    pid: server.pid,
    url: `${data}/courses`,
    id: ids[500],
    list: `filter[level][eq]=${LISTED_LEVEL}&sort=-startsAt&limit=${PAGE_SIZE}&expand=category`,
    headers,
    row: rowOf(newCourse),
    stop: server.stop,
  }
  return { side, server, categories }
}

/** As a member, because owners read all rows. */
async function createSchool(
  url: string,
  owner: Readonly<Record<string, string>>,
  categories: readonly string[],
): Promise<School & { readonly memberId: string }> {
  const data = `${url}/v1/data`
  const email = 'member@example.test'
  const member = await register(url, email)
  const invitation = { email, roles: ['tenant.member'], sendEmail: false }
  const { link } = await send<{ link: string }>('POST', `${url}/v1/identity/members/invite`, invitation, owner)
  const token = new URL(link).searchParams.get('token')
  const { tenant, membership } = await send<{ tenant: { id: string }; membership: { id: string } }>(
    'POST',
    `${url}/v1/identity/invitations/accept`,
    { token },
    member,
  )
  const headers = { ...member, 'x-tenant-id': tenant.id }
  const create = async (collection: string, row: object) =>
    (await send<{ id: string }>('POST', `${data}/${collection}`, row, headers)).id
  const client = await create('clients', { title: 'Client' })
  const projects = await mapConcurrently(PROJECTS, index => create('projects', { title: `Project ${index}`, client }))
  const tasks = await mapConcurrently(
    TASKS,
    index => create('tasks', { title: `Task ${index}`, project: projects[index % PROJECTS] }),
    WRITE_CONCURRENCY,
  )
  const classes = await mapConcurrently(
    CLASSES,
    index => create('classes', { title: `Class ${index}`, places: PLACES }),
    WRITE_CONCURRENCY,
  )
  const alternatives = `filter[or][0][level]=${LISTED_LEVEL}&filter[or][1][category]=${categories[0]}`
  const full = await create('classes', { title: 'Full', places: 1 })
  return {
    task: `${data}/tasks/${tasks[500]}`,
    either: `${data}/courses?${alternatives}&sort=-startsAt&limit=${PAGE_SIZE}`,
    seats: {
      url: `${data}/seats`,
      rows: classes.map(each => ({ class: each, name: 'Ada' })),
      last: { class: full, name: 'Ada' },
    },
    headers,
    memberId: membership.id,
  }
}

async function createMemos(
  { query }: BenchEnvironment,
  { ready, databaseUrl }: LarderServer,
  headers: Readonly<Record<string, string>>,
  memberId: string,
): Promise<School['memos']> {
  const share = MEMOS / READABLE
  for (const [table, authored, assigned] of [
    ['data_memos', [1], []],
    ['data_shared_memos', [1], [2]],
  ] as const) {
    // With two conditions, each matches half of the rows.
    const every = share * Math.max(1, authored.length + assigned.length)
    await query(
      databaseUrl,
      `insert into ${table} (tenant_id, id, title, author, assignee)
       select $1, 'memo_' || lpad(i::text, 8, '0'), 'Memo ' || i,
         case when i % ${every} = any ($3) then $2 else 'mem_' || i % 97 end,
         case when i % ${every} = any ($4) then $2 else 'mem_' || i % 89 end
       from generate_series(1, ${MEMOS}) i`,
      [headers['x-tenant-id'], memberId, authored, assigned],
    )
    await query(databaseUrl, `analyze ${table}`)
  }
  const list = (name: string) => `${ready.url}/v1/data/${name}?limit=${PAGE_SIZE}`
  return { one: list('memos'), either: list('shared_memos') }
}

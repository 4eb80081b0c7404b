import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mapConcurrently, send, WRITE_CONCURRENCY } from '../measure.ts'
import { freePort } from '../start.ts'
import { CATEGORIES, type Course, courses, LEVELS, LISTED_LEVEL, newCourse, PAGE_SIZE } from './courses.ts'
import { CLASSES, PLACES, PROJECTS, type School, TASKS } from './school.ts'
import type { Side, SideOptions } from './side.ts'
import { runProgram, startProgram } from './spawned.ts'

const ADMIN = { identity: 'admin@example.test', password: 'correct horse battery staple' }
const ACCOUNT = { email: 'bench@example.test', password: 'correct horse battery staple', tenant: 'ten_1' }
/** Rows belong to a tenant, as in Larder. */
const OF_TENANT = '@request.auth.id != "" && tenant = @request.auth.tenant'
const TENANT_MATCHES = '@request.auth.id != "" && @request.body.tenant = @request.auth.tenant'
const RULES = { listRule: OF_TENANT, viewRule: OF_TENANT, createRule: TENANT_MATCHES }
const TENANT = { name: 'tenant', type: 'text', required: true }

/** PocketBase stores its data in SQLite, in its own process. */
export async function startPocketBase({ environment, folder }: SideOptions): Promise<Side> {
  // One folder for each run: PocketBase creates its database in it.
  const cwd = await mkdtemp(join(environment.folder, 'pocketbase-'))
  const hooks = join(cwd, 'hooks')
  await mkdir(hooks)
  await writeFile(join(hooks, 'seats.pb.js'), SEATS_HOOK)
  const command = join(folder, 'bin/pocketbase')
  await runProgram({
    command,
    args: ['superuser', 'create', ADMIN.identity, ADMIN.password, '--dir', cwd],
    cwd,
    env: {},
  })
  const port = await freePort()
  const base = `http://127.0.0.1:${port}/api`
  const args = ['serve', `--http=127.0.0.1:${port}`, '--dir', cwd, `--hooksDir=${hooks}`]
  const server = await startProgram({ command, args, cwd, env: {} }, `${base}/health`)
  const admin = await send<{ token: string }>('POST', `${base}/collections/_superusers/auth-with-password`, ADMIN)
  const asAdmin = { authorization: admin.token }
  const createCollection = (body: object) => send<{ id: string }>('POST', `${base}/collections`, body, asAdmin)
  await send('PATCH', `${base}/collections/users`, { fields: await usersWithTenant(base, asAdmin) }, asAdmin)
  await send('POST', `${base}/collections/users/records`, { ...ACCOUNT, passwordConfirm: ACCOUNT.password }, asAdmin)
  const names = [TENANT, { name: 'name', type: 'text' }]
  const categoriesId = (await createCollection({ name: 'categories', type: 'base', fields: names, ...RULES })).id
  await createCollection({
    name: 'courses',
    type: 'base',
    fields: [
      TENANT,
      { name: 'title', type: 'text', required: true, max: 200 },
      { name: 'summary', type: 'text' },
      { name: 'level', type: 'select', values: LEVELS, maxSelect: 1 },
      { name: 'price', type: 'number', min: 0 },
      { name: 'startsAt', type: 'date' },
      { name: 'published', type: 'bool' },
      { name: 'category', type: 'relation', collectionId: categoriesId, maxSelect: 1 },
    ],
    indexes: ['create index courses_starts on courses (tenant, startsAt, id)'],
    ...RULES,
  })
  const signIn = { identity: ACCOUNT.email, password: ACCOUNT.password }
  const { token } = await send<{ token: string }>('POST', `${base}/collections/users/auth-with-password`, signIn)
  const headers = { authorization: token }
  const create = async (collection: string, row: object) => {
    const url = `${base}/collections/${collection}/records`
    return (await send<{ id: string }>('POST', url, { ...row, tenant: ACCOUNT.tenant }, headers)).id
  }
  const categories = await mapConcurrently(CATEGORIES.length, index =>
    create('categories', { name: CATEGORIES[index] }),
  )
  const rowOf = ({ category, ...rest }: Course) => ({ ...rest, category: categories[category] })
  const ids = await mapConcurrently(
    courses.length,
    index => create('courses', rowOf(courses[index] as Course)),
    WRITE_CONCURRENCY,
  )
  const filter = encodeURIComponent(`level = "${LISTED_LEVEL}"`)
  return {
    name: 'PocketBase',
    pid: server.pid,
    url: `${base}/collections/courses/records`,
    id: ids[500],
    list: `filter=${filter}&sort=-startsAt&perPage=${PAGE_SIZE}&expand=category&skipTotal=1`,
    headers,
    row: { ...rowOf(newCourse), tenant: ACCOUNT.tenant },
    school: await createSchool({ base, createCollection, create, headers, categories }),
    stop: server.stop,
  }
}

/** The fields of PocketBase's collection of users, with the tenant. */
async function usersWithTenant(base: string, headers: Readonly<Record<string, string>>): Promise<object[]> {
  const response = await fetch(`${base}/collections/users`, { headers })
  const { fields } = (await response.json()) as { fields: object[] }
  return [...fields, TENANT]
}

/** PocketBase has no rule that counts rows. A hook in its language does it in a transaction. */
const SEATS_HOOK = `onRecordCreateRequest(e => {
  e.app.runInTransaction(txApp => {
    const found = txApp.findRecordById('classes', e.record.getString('class'))
    const taken = txApp.countRecords('seats', $dbx.hashExp({ class: found.id }))
    if (taken >= found.getInt('places')) throw new BadRequestError('full')
    e.app = txApp
    e.next()
  })
}, 'seats')
`

interface SchoolOptions {
  readonly base: string
  createCollection(body: object): Promise<{ readonly id: string }>
  create(collection: string, row: object): Promise<string>
  readonly headers: Readonly<Record<string, string>>
  readonly categories: readonly string[]
}

async function createSchool({ base, createCollection, create, headers, categories }: SchoolOptions): Promise<School> {
  const make = async (name: string, fields: readonly object[], more: object = {}) =>
    (await createCollection({ name, type: 'base', fields: [TENANT, ...fields], ...RULES, ...more })).id
  const title = { name: 'title', type: 'text' }
  const relation = (name: string, collectionId: string) => ({ name, type: 'relation', collectionId, maxSelect: 1 })
  const clientsId = await make('clients', [title, relation('agent', '_pb_users_auth_')])
  const projectsId = await make('projects', [title, relation('client', clientsId)])
  await make('tasks', [title, relation('project', projectsId)], {
    viewRule: `${OF_TENANT} && project.client.agent = @request.auth.id`,
    indexes: ['create index tasks_project on tasks (project)'],
  })
  const classesId = await make('classes', [title, { name: 'places', type: 'number' }])
  await make('seats', [{ name: 'name', type: 'text' }, relation('class', classesId)], {
    indexes: ['create index seats_class on seats (class)'],
  })
  const found = await fetch(`${base}/collections/users/records`, { headers: { ...headers } })
  const { items } = (await found.json()) as { items: readonly { id: string }[] }
  const client = await create('clients', { title: 'Client', agent: items[0]?.id })
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
  const filter = encodeURIComponent(`level = "${LISTED_LEVEL}" || category = "${categories[0]}"`)
  const full = await create('classes', { title: 'Full', places: 1 })
  return {
    task: `${base}/collections/tasks/records/${tasks[500]}`,
    either: `${base}/collections/courses/records?filter=${filter}&sort=-startsAt&perPage=${PAGE_SIZE}&skipTotal=1`,
    seats: {
      url: `${base}/collections/seats/records`,
      rows: classes.map(each => ({ class: each, name: 'Ada', tenant: ACCOUNT.tenant })),
      last: { class: full, name: 'Ada', tenant: ACCOUNT.tenant },
    },
    headers,
  }
}

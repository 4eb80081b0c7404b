import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mapConcurrently, send } from '../measure.ts'
import { freePort } from '../start.ts'
import { CATEGORIES, type Course, courses, LISTED_LEVEL, newCourse, PAGE_SIZE } from './courses.ts'
import { CLASSES, PLACES, PROJECTS, type School, TASKS } from './school.ts'
import type { Side, SideOptions } from './side.ts'
import { databaseSettings, runProgram, startProgram } from './spawned.ts'

const ADMIN_TOKEN = 'an-admin-token-of-the-benchmark'
const USER_TOKEN = 'a-user-token-of-the-benchmark'
const ID = { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } }
const FIELDS = [
  ID,
  { field: 'title', type: 'string', schema: { is_nullable: false } },
  { field: 'summary', type: 'text' },
  { field: 'level', type: 'string' },
  { field: 'price', type: 'integer' },
  { field: 'startsAt', type: 'timestamp' },
  { field: 'published', type: 'boolean' },
  { field: 'category', type: 'uuid' },
]

export async function startDirectus({ environment, databaseUrl, folder }: SideOptions): Promise<Side> {
  const cwd = await mkdtemp(join(environment.folder, 'directus-'))
  const port = await freePort()
  // Without it, Directus loads no extensions.
  await writeFile(join(cwd, 'package.json'), '{ "private": true }')
  const extensions = join(cwd, 'extensions')
  await writeHook(join(extensions, 'seats'))
  const env = { ...settingsOf(databaseUrl, port), EXTENSIONS_PATH: extensions }
  const cli = join(folder, 'node_modules/directus/cli.js')
  await runProgram({ command: process.execPath, args: [cli, 'bootstrap'], cwd, env })
  const base = `http://127.0.0.1:${port}`
  const server = await startProgram(
    { command: process.execPath, args: [cli, 'start'], cwd, env },
    `${base}/server/ping`,
  )
  await createModel(base)
  const headers = { authorization: `Bearer ${USER_TOKEN}` }
  const create = async (collection: string, row: object) =>
    (await send<{ data: { id: string } }>('POST', `${base}/items/${collection}`, row, headers)).data.id
  const categories = await mapConcurrently(CATEGORIES.length, index =>
    create('categories', { name: CATEGORIES[index] }),
  )
  const rowOf = ({ category, ...rest }: Course) => ({ ...rest, category: categories[category] })
  const ids = await mapConcurrently(courses.length, index => create('courses', rowOf(courses[index] as Course)), 8)
  const school = await createSchool(base, create, headers, categories)
  await environment.query(
    databaseUrl,
    `create index on courses ("startsAt", id); create index on seats (class);
    create index on tasks (project); analyze`,
  )
  const list = `filter[level][_eq]=${LISTED_LEVEL}&sort=-startsAt&limit=${PAGE_SIZE}&fields=*,category.*`
  const url = `${base}/items/courses`
  return {
    name: 'Directus',
    pid: server.pid,
    url,
    id: ids[500],
    list,
    headers,
    row: rowOf(newCourse),
    school,
    stop: server.stop,
  }
}

function settingsOf(databaseUrl: string, port: number): Record<string, string> {
  const { host, port: databasePort, user, password, database } = databaseSettings(databaseUrl)
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SECRET: 'a secret of the benchmark',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'correct horse battery staple',
    ADMIN_TOKEN,
    DB_CLIENT: 'pg',
    DB_HOST: host,
    DB_PORT: databasePort,
    DB_USER: user,
    DB_PASSWORD: password,
    DB_DATABASE: database,
    LOG_LEVEL: 'error',
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
    WEBSOCKETS_ENABLED: 'false',
    TELEMETRY: 'false',
  }
}

/** Two collections with a relation, and a user with a policy that allows to read and create. */
async function createModel(base: string): Promise<void> {
  const post = <T>(path: string, body: object) =>
    send<T>('POST', base + path, body, { authorization: `Bearer ${ADMIN_TOKEN}` })
  const name = { field: 'name', type: 'string' }
  // By default, each change stores a row of activity and a revision.
  const meta = { accountability: null }
  await post('/collections', { collection: 'categories', schema: {}, meta, fields: [ID, name] })
  await post('/collections', { collection: 'courses', schema: {}, meta, fields: FIELDS })
  await post('/relations', { collection: 'courses', field: 'category', related_collection: 'categories' })
  const title = { field: 'title', type: 'string' }
  for (const [collection, fields] of Object.entries({
    clients: [title, { field: 'agent', type: 'uuid' }],
    projects: [title, { field: 'client', type: 'uuid' }],
    tasks: [title, { field: 'project', type: 'uuid' }],
    classes: [title, { field: 'places', type: 'integer' }],
    seats: [
      { field: 'name', type: 'string' },
      { field: 'class', type: 'uuid' },
    ],
  }))
    await post('/collections', { collection, schema: {}, meta, fields: [ID, ...fields] })
  for (const [collection, field, related] of [
    ['clients', 'agent', 'directus_users'],
    ['projects', 'client', 'clients'],
    ['tasks', 'project', 'projects'],
    ['seats', 'class', 'classes'],
  ])
    await post('/relations', { collection, field, related_collection: related })
  const policy = await post<{ data: { id: string } }>('/policies', { name: 'Bench', app_access: false })
  for (const collection of ['categories', 'courses'])
    for (const action of ['read', 'create'])
      await post('/permissions', { policy: policy.data.id, collection, action, fields: ['*'], permissions: {} })
  const ofAgent = { project: { client: { agent: { _eq: '$CURRENT_USER' } } } }
  for (const collection of ['clients', 'projects', 'tasks', 'classes', 'seats'])
    for (const action of ['read', 'create']) {
      const permissions = collection === 'tasks' && action === 'read' ? ofAgent : {}
      await post('/permissions', { policy: policy.data.id, collection, action, fields: ['*'], permissions })
    }
  const role = await post<{ data: { id: string } }>('/roles', { name: 'Bench', policies: [{ policy: policy.data.id }] })
  const user = {
    email: 'bench@example.com',
    password: 'correct horse battery staple',
    token: USER_TOKEN,
    role: role.data.id,
  }
  await post('/users', user)
}

/** Directus has no rule that counts rows. A hook does it in the transaction of the request. */
const SEATS_HOOK = `export default ({ filter }) => {
  filter('seats.items.create', async (payload, _meta, { database }) => {
    const [found] = await database('classes').where({ id: payload.class }).forUpdate()
    const [{ count }] = await database('seats').where({ class: payload.class }).count({ count: '*' })
    if (!found || Number(count) >= found.places) throw new Error('full')
    return payload
  })
}
`

async function writeHook(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const manifest = {
    name: 'directus-extension-seats',
    version: '1.0.0',
    type: 'module',
    'directus:extension': { type: 'hook', path: 'index.js', source: 'index.js', host: '*' },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'index.js'), SEATS_HOOK)
}

async function createSchool(
  base: string,
  create: (collection: string, row: object) => Promise<string>,
  headers: Readonly<Record<string, string>>,
  categories: readonly string[],
): Promise<School> {
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` }
  const users = await fetch(`${base}/users?filter[email][_eq]=bench@example.com`, { headers: admin })
  const { data } = (await users.json()) as { data: readonly { id: string }[] }
  const client = await create('clients', { title: 'Client', agent: data[0]?.id })
  const projects = await mapConcurrently(
    PROJECTS,
    index => create('projects', { title: `Project ${index}`, client }),
    8,
  )
  const tasks = await mapConcurrently(
    TASKS,
    index => create('tasks', { title: `Task ${index}`, project: projects[index % PROJECTS] }),
    8,
  )
  const classes = await mapConcurrently(
    CLASSES,
    index => create('classes', { title: `Class ${index}`, places: PLACES }),
    8,
  )
  const alternatives = `filter[_or][0][level][_eq]=${LISTED_LEVEL}&filter[_or][1][category][_eq]=${categories[0]}`
  const full = await create('classes', { title: 'Full', places: 1 })
  return {
    task: `${base}/items/tasks/${tasks[500]}`,
    either: `${base}/items/courses?${alternatives}&sort=-startsAt&limit=${PAGE_SIZE}`,
    seats: {
      url: `${base}/items/seats`,
      rows: classes.map(each => ({ class: each, name: 'Ada' })),
      last: { class: full, name: 'Ada' },
    },
    headers,
  }
}

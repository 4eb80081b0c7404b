import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { mapConcurrently, send } from '../measure.ts'
import { freePort } from '../start.ts'
import { CATEGORIES, type Course, courses, LISTED_LEVEL, newCourse, PAGE_SIZE } from './courses.ts'
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
  const env = settingsOf(databaseUrl, port)
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
  await environment.query(databaseUrl, 'create index on courses ("startsAt", id); analyze')
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
  const policy = await post<{ data: { id: string } }>('/policies', { name: 'Bench', app_access: false })
  for (const collection of ['categories', 'courses'])
    for (const action of ['read', 'create'])
      await post('/permissions', { policy: policy.data.id, collection, action, fields: ['*'], permissions: {} })
  const role = await post<{ data: { id: string } }>('/roles', { name: 'Bench', policies: [{ policy: policy.data.id }] })
  const user = {
    email: 'bench@example.com',
    password: 'correct horse battery staple',
    token: USER_TOKEN,
    role: role.data.id,
  }
  await post('/users', user)
}

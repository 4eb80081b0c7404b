import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { mapConcurrently, send, WRITE_CONCURRENCY } from '../measure.ts'
import { freePort } from '../start.ts'
import { CATEGORIES, type Course, courses, LEVELS, LISTED_LEVEL, newCourse, PAGE_SIZE } from './courses.ts'
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
  const command = join(folder, 'bin/pocketbase')
  await runProgram({
    command,
    args: ['superuser', 'create', ADMIN.identity, ADMIN.password, '--dir', cwd],
    cwd,
    env: {},
  })
  const port = await freePort()
  const base = `http://127.0.0.1:${port}/api`
  const args = ['serve', `--http=127.0.0.1:${port}`, '--dir', cwd]
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
    stop: server.stop,
  }
}

/** The fields of PocketBase's collection of users, with the tenant. */
async function usersWithTenant(base: string, headers: Readonly<Record<string, string>>): Promise<object[]> {
  const response = await fetch(`${base}/collections/users`, { headers })
  const { fields } = (await response.json()) as { fields: object[] }
  return [...fields, TENANT]
}

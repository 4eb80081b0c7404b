import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mapConcurrently, send } from '../measure.ts'
import { freePort } from '../start.ts'
import { CATEGORIES, type Course, courses, LEVELS, LISTED_LEVEL, newCourse, PAGE_SIZE } from './courses.ts'
import type { Side, SideOptions } from './side.ts'
import { databaseSettings, startProgram } from './spawned.ts'

const ACCOUNT = { email: 'bench@example.test', password: 'correct horse battery staple' }
const POLICIES = '{ create: [{ access: restricted, allow: User }], read: [{ access: restricted, allow: User }] }'

const MANIFEST = `name: Bench
entities:
  User:
    authenticable: true
    properties: [name]
    policies: { signup: [{ access: public }] }
  Category:
    properties: [name]
    policies: ${POLICIES}
  Course:
    properties:
      - { name: title, type: string, validation: { isNotEmpty: true } }
      - { name: summary, type: text }
      - { name: level, type: choice, options: { values: [${LEVELS.join(', ')}] } }
      - { name: price, type: number }
      - { name: startsAt, type: timestamp }
      - { name: published, type: boolean }
    belongsTo: [Category]
    policies: ${POLICIES}
`

export async function startManifest({ environment, databaseUrl, folder }: SideOptions): Promise<Side> {
  const cwd = await mkdtemp(join(environment.folder, 'manifest-'))
  await writeFile(join(cwd, 'manifest.yml'), MANIFEST)
  const port = await freePort()
  const { host, port: databasePort, user, password, database } = databaseSettings(databaseUrl)
  const env = {
    NODE_ENV: 'production',
    TOKEN_SECRET_KEY: 'a secret of the benchmark',
    PORT: String(port),
    DB_CONNECTION: 'postgres',
    DB_HOST: host,
    DB_PORT: databasePort,
    DB_USERNAME: user,
    DB_PASSWORD: password,
    DB_DATABASE: database,
  }
  const main = join(folder, 'node_modules/manifest/dist/manifest/src/main.js')
  const base = `http://127.0.0.1:${port}/api`
  const server = await startProgram({ command: process.execPath, args: [main], cwd, env }, `${base}/health`)
  const { token } = await send<{ token: string }>('POST', `${base}/auth/users/signup`, ACCOUNT)
  const headers = { authorization: `Bearer ${token}` }
  const create = async (collection: string, row: object) =>
    (await send<{ id: string }>('POST', `${base}/collections/${collection}`, row, headers)).id
  const categories = await mapConcurrently(CATEGORIES.length, index =>
    create('categories', { name: CATEGORIES[index] }),
  )
  const rowOf = ({ category, ...rest }: Course) => ({ ...rest, categoryId: categories[category] })
  const ids = await mapConcurrently(courses.length, index => create('courses', rowOf(courses[index] as Course)), 8)
  await environment.query(databaseUrl, 'create index on course ("startsAt", id); analyze')
  const url = `${base}/collections/courses`
  const list = `level_eq=${LISTED_LEVEL}&orderBy=startsAt&order=DESC&perPage=${PAGE_SIZE}&relations=category`
  return {
    name: 'Manifest',
    pid: server.pid,
    url,
    id: ids[500],
    list,
    headers,
    row: rowOf(newCourse),
    stop: server.stop,
  }
}

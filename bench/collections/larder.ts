import { fileURLToPath } from 'node:url'
import type { BenchEnvironment } from '../fixtures.ts'
import { child } from '../measure.ts'
import { mapConcurrently } from '../peers.ts'
import { CATEGORIES, type Course, courses, LISTED_LEVEL, newCourse, PAGE_SIZE } from './courses.ts'
import { jsonTargets, type Side, send } from './side.ts'

const RECIPE = fileURLToPath(new URL('./larder.yaml', import.meta.url))

export async function startLarder({ folder, env }: BenchEnvironment, databaseUrl: string): Promise<Side> {
  const settings = { ...env, DATABASE_URL: databaseUrl }
  await (await child('./larder-server.js', ['migrate', '/dev/null', RECIPE], settings)).stop()
  const server = await child<{ url: string }>(
    './larder-server.js',
    ['web', `${folder}/collections.log`, RECIPE],
    settings,
  )
  const account = { email: `collections-${Date.now()}@example.test`, password: 'correct horse battery staple' }
  const { token } = await send<{ token: string }>('POST', `${server.ready.url}/v1/auth/register`, account)
  const headers = { authorization: `Bearer ${token}` }
  const data = `${server.ready.url}/v1/data`
  const create = async (collection: string, row: object) =>
    (await send<{ id: string }>('POST', `${data}/${collection}`, row, headers)).id
  const categories = await mapConcurrently(CATEGORIES.length, index =>
    create('categories', { name: CATEGORIES[index] }),
  )
  const rowOf = ({ category, ...rest }: Course) => ({ ...rest, category: categories[category] })
  const ids = await mapConcurrently(courses.length, index => create('courses', rowOf(courses[index] as Course)), 8)
  const list = `filter[level][eq]=${LISTED_LEVEL}&sort=-startsAt&limit=${PAGE_SIZE}&expand=category`
  return {
    name: 'Larder',
    pid: server.process.pid as number,
    targets: jsonTargets({ url: `${data}/courses`, id: ids[500], list, headers, row: rowOf(newCourse) }),
    stop: server.stop,
  }
}

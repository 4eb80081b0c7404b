import { type BenchEnvironment, type Checkout, register } from '../fixtures.ts'
import { mapConcurrently, send, WRITE_CONCURRENCY } from '../measure.ts'
import { CATEGORIES, type Course, courses, LISTED_LEVEL, newCourse, PAGE_SIZE } from './courses.ts'
import type { Side } from './side.ts'

export async function startLarder(environment: BenchEnvironment, checkout: Checkout): Promise<Side> {
  const server = await environment.start(checkout, 'web', 'collections/larder.yaml')
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
  return {
    name: checkout.name,
    pid: server.pid,
    url: `${data}/courses`,
    id: ids[500],
    list: `filter[level][eq]=${LISTED_LEVEL}&sort=-startsAt&limit=${PAGE_SIZE}&expand=category`,
    headers,
    row: rowOf(newCourse),
    stop: server.stop,
  }
}

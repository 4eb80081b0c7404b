import { child, mapConcurrently, send } from '../measure.ts'
import { CATEGORIES, type Course, courses, LISTED_LEVEL, newCourse, PAGE_SIZE } from './courses.ts'
import type { Side, SideOptions } from './side.ts'

const APP = { 'x-parse-application-id': 'bench' }
const ACCOUNT = { username: 'bench', password: 'correct horse battery staple' }
/** Only people who are signed in may use the class. */
const SIGNED_IN = { requiresAuthentication: true }
const classLevelPermissions = {
  find: SIGNED_IN,
  get: SIGNED_IN,
  create: SIGNED_IN,
  update: SIGNED_IN,
  delete: SIGNED_IN,
}
const SCHEMAS = {
  Category: { name: { type: 'String' } },
  Course: {
    title: { type: 'String', required: true },
    summary: { type: 'String' },
    level: { type: 'String' },
    price: { type: 'Number' },
    startsAt: { type: 'Date' },
    published: { type: 'Boolean' },
    category: { type: 'Pointer', targetClass: 'Category' },
  },
}

export async function startParse({ environment, databaseUrl, folder }: SideOptions): Promise<Side> {
  const server = await child<{ port: number }>('./collections/parse-server.js', [folder, databaseUrl], {
    NODE_ENV: 'production',
  })
  const base = `http://127.0.0.1:${server.ready.port}/parse`
  const master = { ...APP, 'x-parse-master-key': 'bench-master' }
  for (const [className, fields] of Object.entries(SCHEMAS))
    await send('POST', `${base}/schemas/${className}`, { className, fields, classLevelPermissions }, master)
  const { sessionToken } = await send<{ sessionToken: string }>('POST', `${base}/users`, ACCOUNT, APP)
  const headers = { ...APP, 'x-parse-session-token': sessionToken }
  const create = async (className: string, row: object) =>
    (await send<{ objectId: string }>('POST', `${base}/classes/${className}`, row, headers)).objectId
  const categories = await mapConcurrently(CATEGORIES.length, index => create('Category', { name: CATEGORIES[index] }))
  const rowOf = ({ category, startsAt, ...rest }: Course) => ({
    ...rest,
    startsAt: { __type: 'Date', iso: startsAt },
    category: { __type: 'Pointer', className: 'Category', objectId: categories[category] },
  })
  const ids = await mapConcurrently(courses.length, index => create('Course', rowOf(courses[index] as Course)), 8)
  await environment.query(databaseUrl, 'create index on "Course" ("startsAt", "objectId"); analyze')
  const where = encodeURIComponent(JSON.stringify({ level: LISTED_LEVEL }))
  const list = `where=${where}&order=-startsAt&limit=${PAGE_SIZE}&include=category`
  const url = `${base}/classes/Course`
  return {
    name: 'Parse Server',
    pid: server.pid,
    url,
    id: ids[500],
    list,
    headers,
    row: rowOf(newCourse),
    stop: server.stop,
  }
}

/** Customers put only files into rows that they have uploaded; what is in a row already, and what hooks set, stays. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { Client, Person } from '../../../../testing/index.ts'
import { codeOf, expectStatus } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ended, errorsOf, send } from '../imports/fixtures.ts'

const recipe = {
  product: { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience: 'people' },
  modules: {
    identity: {},
    collections: {},
    media: { driver: 'local', maxBytes: '1MiB', allow: ['image/png'] },
    clinic: { use: fileURLToPath(new URL('../clinic/module.js', import.meta.url)) },
  },
  roles: { 'tenant.customer': { name: 'Customer', permissions: ['media.item.create'] } },
}
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const { kernel, people, operator } = withPeople(test, { recipe }, { operator: 'operator' }, async () => {
  staffFile = await upload(operator)
  foreign = await upload(await people.person())
})
let staffFile: string
/** Of another customer. */
let foreign: string

interface Upload {
  readonly mediaId: string
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}
async function upload(client: Pick<Client, 'post'>): Promise<string> {
  const file = { fileName: 'scan.png', mimeType: 'image/png', size: PNG.length }
  const { mediaId, url, method, headers } = expectStatus(
    201,
    await client.post<Upload>('/v1/media/upload-intent', file),
  )
  const { pathname, search } = new URL(url)
  const sent = await fetch(`${kernel.url}${pathname}${search}`, { method, headers, body: PNG })
  if (!sent.ok) throw new Error(`the upload answered ${sent.status}`)
  expectStatus(200, await client.post<{ status: string }>('/v1/media/process', { mediaId }))
  return mediaId
}
interface Finding {
  readonly id: string
  readonly code: string
  readonly title: string | null
  readonly scan: string | null
  readonly sheet: string | null
  readonly revision: number
}
const PATH = '/v1/data/findings'
let codes = 0
const create = (client: Person, body: object = {}) => client.post<Finding>(PATH, { code: `F-${++codes}`, ...body })
const patch = (client: Pick<Client, 'patch'>, id: string, body: object) => client.patch<Finding>(`${PATH}/${id}`, body)
/** A row of the customer, with a file of the staff. */
async function rowWithFile(client: Person): Promise<Finding> {
  const { id } = expectStatus(201, await create(client))
  return expectStatus(200, await patch(operator, id, { scan: staffFile }))
}

test('a customer sends a whole row back with the file of the staff in it', async t => {
  const ada = await people.person()
  const { id, code, scan } = await rowWithFile(ada)
  const changed = expectStatus(200, await patch(ada, id, { code, title: 'Read', scan }))
  t.like(changed, { title: 'Read', scan: staffFile })
})

test('an upsert, a batch and an import take a row back as well', async t => {
  const ada = await people.person()
  const { id, code, scan } = await rowWithFile(ada)
  const put = await ada.put<Finding>(`${PATH}?by=code` as never, { code, title: 'Put', scan } as never)
  t.is(expectStatus(200, put).scan, staffFile)
  const operations = [{ action: 'update', id, data: { title: 'Batch', scan } }]
  expectStatus(200, await ada.post(`${PATH}/batch`, { operations }))
  const file = `code,title,scan\n${code},Imported,${scan}\n`
  const sent = await send({ url: kernel.url, token: ada.token }, 'findings/imports?by=code', file)
  t.is(sent.status, 202, JSON.stringify(sent.body))
  const { state, rows } = await ended(ada, 'findings', sent.body.id)
  t.deepEqual([state, rows.failed], ['succeeded', 0], JSON.stringify(await errorsOf(ada, 'findings', sent.body.id)))
  t.like((await ada.get<Finding>(`${PATH}/${id}`)).body, { title: 'Imported', scan: staffFile })
})

test('no customer puts a file of others into a row: created, changed, upserted, in a batch or imported', async t => {
  const ada = await people.person()
  for (const scan of [foreign, staffFile]) {
    t.is(codeOf(await create(ada, { scan })), '422 validation_failed')
    const { id, code } = expectStatus(201, await create(ada))
    t.is(codeOf(await patch(ada, id, { scan })), '422 validation_failed')
    t.is(codeOf(await ada.put(`${PATH}?by=code` as never, { code, scan } as never)), '422 validation_failed')
    for (const operation of [
      { action: 'update', id, data: { scan } },
      { action: 'create', data: { code: `F-${++codes}`, scan } },
    ])
      t.is(codeOf(await ada.post(`${PATH}/batch`, { operations: [operation] })), '422 validation_failed')
    const file = `code,scan\n${code},${scan}\n`
    const sent = await send({ url: kernel.url, token: ada.token }, 'findings/imports?by=code', file)
    const { rows } = await ended(ada, 'findings', sent.body.id)
    t.is(rows.failed, 1)
    t.is((await ada.get<Finding>(`${PATH}/${id}`)).body.scan, null)
  }
  const own = await upload(ada)
  const { id } = expectStatus(201, await create(ada, { scan: own }))
  t.is(codeOf(await patch(ada, id, { scan: foreign })), '422 validation_failed')
  expectStatus(200, await patch(ada, id, { scan: null }))
})

test('a hook puts a file of the staff into the row of a customer, created or changed', async t => {
  const ada = await people.person()
  const created = expectStatus(201, await create(ada, { title: `sheet ${staffFile}` }))
  t.is(created.sheet, staffFile)
  const { id } = expectStatus(201, await create(ada))
  t.is(expectStatus(200, await patch(ada, id, { title: `sheet ${staffFile}` })).sheet, staffFile)
  t.is(codeOf(await patch(ada, id, { title: 'sheet med_00000000000000000000000000' })), '422 validation_failed')
})

test('a former version of a row and a row from the trash have their files again', async t => {
  const ada = await people.person()
  const { id, revision } = await rowWithFile(ada)
  expectStatus(200, await patch(ada, id, { scan: null }))
  const restored = expectStatus(200, await ada.post<Finding>(`${PATH}/${id}/history/${revision}/restore` as never))
  t.is(restored.scan, staffFile)
  t.is((await ada.delete(`${PATH}/${id}`)).status, 204)
  t.is(expectStatus(200, await ada.post<Finding>(`${PATH}/${id}/restore` as never)).scan, staffFile)
})

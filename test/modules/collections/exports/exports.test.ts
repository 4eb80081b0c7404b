import test from 'ava'
import type { NewExport } from '../../../../modules/collections/domain/exports/export-record.ts'
import type { Person } from '../../../../testing/index.ts'
import type { Export } from '../../../fixtures/api-types.ts'
import { type Colleague, codeOf, type Listed } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ended as importEnded, send } from '../imports/fixtures.ts'
import { servicesOf } from '../services-of.ts'

type Exporter = Pick<Person | Colleague, 'get' | 'post'>

const recipe = {
  modules: { identity: {}, collections: {} },
  collections: {
    topics: {
      fields: { name: { type: 'text', required: true, unique: true } },
      access: { read: { 'tenant.member': true } },
    },
    notes: {
      fields: {
        title: { type: 'text', required: true },
        level: { type: 'integer' },
        shown: { type: 'boolean', default: true },
        secret: { type: 'text', private: true },
        topic: { type: 'reference', to: 'topics' },
      },
      access: { read: { 'tenant.member': { shown: true } } },
    },
  },
}
const EXPORTS = '/v1/data/notes/exports'

const { kernel, people, owner, member } = withPeople(
  test,
  { recipe },
  { owner: { name: 'Ada' }, member: ['tenant.member'] },
  async () => {
    const lines = Array.from({ length: 1200 }, (_, n) => `Note ${n},${n},${n % 3 !== 0}`)
    const sent = await send(
      { url: kernel.url, token: owner.token },
      'notes/imports',
      `title,level,shown\n${lines.join('\n')}`,
    )
    await importEnded(owner, 'notes', sent.body.id)
  },
)

async function ended(exporter: Exporter, id: string): Promise<Export> {
  for (const end = performance.now() + 120_000; performance.now() < end; ) {
    const { body } = await exporter.get<Export>(`${EXPORTS}/${id}`)
    if (!['queued', 'running'].includes(body.state)) return body
    await new Promise(resolve => setTimeout(resolve, 30))
  }
  throw new Error(`export ${id} has not ended`)
}

async function run(exporter: Exporter, query = ''): Promise<Export> {
  const { status, body } = await exporter.post<Export>(`${EXPORTS}${query}`)
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`)
  return ended(exporter, body.id)
}

async function download({ token, tenantId }: { token: string; tenantId: string }, id: string) {
  const response = await fetch(new URL(`${EXPORTS}/${id}/file`, kernel.url), {
    headers: { authorization: `Bearer ${token}`, 'x-tenant-id': tenantId },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test.serial('exports all rows to a CSV file in the background', async t => {
  const made = await run(owner, '?sort=level')
  t.like(made, { state: 'succeeded', rows: { total: 1200, exported: 1200 }, failure: null })
  const { headers, text } = await download(owner, made.id)
  t.is(headers.get('content-type'), 'text/csv; charset=utf-8')
  t.is(headers.get('content-disposition'), 'attachment; filename="notes.csv"')
  t.is(Buffer.byteLength(text), made.bytes)
  const lines = text.trim().split('\r\n')
  t.is(lines.length, 1201)
  t.true(lines[0]?.startsWith('id,'))
  t.false(lines[0]?.includes('secret'))
  t.regex(lines[1] ?? '', /Note 0,0/)
  t.regex(lines[1200] ?? '', /Note 1199,1199/)
})

test.serial('exports the rows and fields of a list as NDJSON', async t => {
  const made = await run(owner, '?format=ndjson&filter[level][lt]=20&fields=level&sort=-level')
  t.like(made, { rows: { total: 20, exported: 20 } })
  const { text } = await download(owner, made.id)
  const levels = text
    .trim()
    .split('\n')
    .map(line => (JSON.parse(line) as { level: number }).level)
  t.deepEqual(
    levels,
    Array.from({ length: 20 }, (_, n) => 19 - n),
  )
})

test.serial('contains a line of names if no row matches', async t => {
  const made = await run(owner, '?filter[level]=-1&fields=title')
  t.is((await download(owner, made.id)).text, 'id,title\r\n')
})

test.serial('contains the rows that the caller can read', async t => {
  const made = await run(member)
  t.like(made, { state: 'succeeded', rows: { exported: 800 } })
  t.is(codeOf(await owner.get(`${EXPORTS}/${made.id}`)), '200')
})

test.serial('rejects the parameters that a list rejects', async t => {
  t.is(codeOf(await owner.post(`${EXPORTS}?filter[secret]=x`)), '400 malformed')
  t.is(codeOf(await owner.post(`${EXPORTS}?sort=nothing`)), '400 malformed')
  t.is(codeOf(await owner.post(`${EXPORTS}?format=xlsx`)), '422 validation_failed')
})

test.serial('hides exports of other people', async t => {
  const made = await run(owner, '?filter[level]=1')
  t.is(codeOf(await member.get(`${EXPORTS}/${made.id}`)), '404 not_found')
  t.is(codeOf(await member.delete(`${EXPORTS}/${made.id}`)), '404 not_found')
  t.is((await download(member, made.id)).status, 404)
  const foreign = await people.person()
  t.is(codeOf(await foreign.get(`${EXPORTS}/${made.id}`)), '404 not_found')
  const { body } = await member.get<Listed<Export & { createdBy: string }>>(EXPORTS)
  t.true(body.data.every(({ createdBy }) => createdBy === member.userId))
})

test.serial('does not return a file that was written with rights that the caller lost', async t => {
  const colleague = await people.colleague(owner, ['tenant.member', 'tenant.owner'])
  const made = await run(colleague, '?filter[level]=1')
  t.is((await download(colleague, made.id)).status, 200)
  const { body } = await owner.get('/v1/identity/members')
  const id = body.data.find(({ userId }) => userId === colleague.userId)?.id
  t.is((await owner.patch(`/v1/identity/members/${id}`, { roles: ['tenant.member'] })).status, 200)
  t.is((await download(colleague, made.id)).status, 404)
})

test.serial('deletes an export with its file, and cancels one that is running', async t => {
  const made = await run(owner)
  t.is((await owner.delete(`${EXPORTS}/${made.id}`)).status, 204)
  t.is((await download(owner, made.id)).status, 404)
  const { body } = await owner.post<Export>(EXPORTS)
  t.is((await owner.delete(`${EXPORTS}/${body.id}`)).status, 204)
  t.is(codeOf(await owner.get(`${EXPORTS}/${body.id}`)), '404 not_found')
})

test.serial('ends an export whose API key was deleted', async t => {
  const key = await owner.post('/v1/identity/api-keys', { name: 'Export' })
  const response = await fetch(new URL(EXPORTS, kernel.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key.body.key}` },
  })
  const { id } = (await response.json()) as Export
  await owner.delete(`/v1/identity/api-keys/${key.body.id}`)
  const after = await ended(owner, id)
  // The worker can be faster than the deletion.
  t.true(after.state === 'succeeded' || after.failure?.code === 'rights_changed')
})

test.serial('a workspace can have ten exports', async t => {
  const person = await people.person()
  for (let n = 0; n < 10; n++) t.is((await person.post(EXPORTS)).status, 202)
  t.is(codeOf(await person.post(EXPORTS)), '409 too_many_exports')
  const { body } = await person.get<Listed<Export>>(EXPORTS)
  await person.delete(`${EXPORTS}/${body.data[0]?.id}`)
  t.is((await person.post(EXPORTS)).status, 202)
})

test.serial('deletes exports after a day', async t => {
  const made = await run(owner, '?filter[level]=1')
  const { systemDatabase } = kernel.kernel.ports
  const system = systemDatabase.acrossTenants('a test ages an export')
  await system.query(`update collections_exports set created_at = now() - interval '25 hours' where id = $1`, [made.id])
  await servicesOf(kernel).exports.store.sweep(system)
  t.is(codeOf(await owner.get(`${EXPORTS}/${made.id}`)), '404 not_found')
})

test.serial('continues an interrupted export with the next page', async t => {
  const { database } = kernel.kernel.ports
  const { runner, store } = servicesOf(kernel).exports
  const { tenantId } = owner
  const whole = await run(owner, '?sort=level')
  const given = await store.get(tenantId, whole.id)
  const made = await database
    .tenant(tenantId)
    .transaction(unit => store.create(unit, tenantId, given as NewExport, { limit: 20 }))
  const id = made?.id ?? ''
  let pages = 0
  const interrupted = new AbortController()
  const signal = Object.assign(interrupted.signal, {
    throwIfAborted() {
      if (++pages === 2) throw new Error('interrupted')
    },
  })
  await t.throwsAsync(runner.run(tenantId, id, signal), { message: 'interrupted' })
  t.like(await store.get(tenantId, id), { state: 'running', parts: 1, exportedRows: 500 })
  await runner.run(tenantId, id, new AbortController().signal)
  t.like(await store.get(tenantId, id), { state: 'succeeded', parts: 3, exportedRows: 1200 })
  t.is((await download(owner, id)).text, (await download(owner, whole.id)).text)
})

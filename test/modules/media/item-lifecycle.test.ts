/** Expiry, cleanup and quotas. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { createItemLifecycle } from '../../../modules/media/services/item-lifecycle.ts'
import { createProcessingLeases } from '../../../modules/media/services/processing-lease.ts'
import type { Person } from '../../../testing/index.ts'
import { codeOf, problem } from '../../fixtures/people.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { file, pdf, pngFile } from './files.ts'
import { type MediaFixture, startFixture } from './fixtures.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const KIB = 1024
const MIB = 1024 * KIB

let fixture: MediaFixture
let ada: Person

test.before(async () => {
  const modules = { billing: { provider: 'dev', defaultPlan: 'free' }, reader: { use: './reader.js' } }
  const entitlements = { 'media.storage_gb': { kind: 'gauge', unit: 'GiB' } }
  const free = { name: 'Free', price: 0, currency: 'EUR', entitlements: { 'media.storage_gb': 2 / 1024 } }
  fixture = await startFixture(
    {},
    { modules, entitlements, plans: { free } },
    {},
    fileURLToPath(new URL('.', import.meta.url)),
  )
})
test.after.always(() => fixture?.stop())
test.beforeEach(async () => {
  ada = await fixture.person()
})

const intent = (size: number) =>
  ada.post('/v1/media/upload-intent', { fileName: 'a.pdf', mimeType: 'application/pdf', size })
const statusOf = async (id: string) => (await ada.get(`/v1/media/${id}`)).body.status
/** Storage areas that contain objects of the item. */
async function kept(id: string): Promise<string[]> {
  const folder = join(fixture.kernel.kernel.ports.dataFolder.path, 'media')
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  return names
    .filter(name => name.includes(id))
    .map(name => name.split('/')[0] as string)
    .sort()
}
async function pass(milliseconds: number): Promise<void> {
  fixture.clock.at += milliseconds
  await fixture.kernel.settled()
}

test.serial('expires an unfinished upload and releases its reserved bytes', async t => {
  const { body } = await intent(MIB)
  t.is(await statusOf(body.mediaId), 'pending')
  await pass(31 * MINUTE)
  t.is(await statusOf(body.mediaId), 'expired')
  t.is(await fixture.kernel.kernel.ports.usage.count('media.storage_gb', ada.tenantId), 0)
  t.is(codeOf(await ada.post('/v1/media/process', { mediaId: body.mediaId })), '410 upload_expired')
  t.is(codeOf(await fixture.put(body, Buffer.alloc(MIB))), '403 signed_url_expired')
})

test.serial('expires an unprocessed upload and deletes its bytes', async t => {
  const { mediaId } = await fixture.upload(ada, await pngFile())
  t.deepEqual(await kept(mediaId), ['quarantine'])
  await pass(31 * MINUTE)
  t.is(await statusOf(mediaId), 'expired')
  t.deepEqual(await kept(mediaId), [])
})

test.serial('deletes the quarantined copy of a file once it is checked', async t => {
  const { body } = await fixture.send(ada, await pngFile())
  await fixture.kernel.settled()
  t.deepEqual(await kept(body.id), ['files', 'files', 'files'])
  t.is((await fixture.download(ada, body.id)).status, 200)
})

test.serial('deletes all bytes of a deleted file', async t => {
  const { body } = await fixture.send(ada, await pngFile())
  await ada.delete(`/v1/media/${body.id}`)
  await fixture.kernel.settled()
  t.deepEqual(await kept(body.id), [])
})

test.serial('deletes all files of a deleted tenant', async t => {
  const { body } = await fixture.send(ada, await pngFile())
  const waiting = await fixture.upload(ada, await pngFile())
  t.is((await kept(waiting.mediaId)).length, 1)
  const { status } = await ada.with({ 'x-tenant-id': ada.tenantId }).delete(`/v1/identity/tenants/${ada.tenantId}`)
  t.is(status, 204)
  await fixture.kernel.settled()
  t.deepEqual([...(await kept(body.id)), ...(await kept(waiting.mediaId))], [])
  t.is(await fixture.kernel.kernel.ports.usage.count('media.storage_gb', ada.tenantId), 0)
})

test.serial('rejects expired signed URLs', async t => {
  const { body } = await fixture.send(ada, await pngFile())
  const signed = await ada.get(`/v1/media/${body.id}/download-url`)
  const upload = await intent(pdf().length)
  await pass(5 * MINUTE + 2000)
  t.is((await fetch(fixture.here(signed.body.url))).status, 403)
  t.is((await fixture.put(upload.body, pdf())).status, 200)
  await pass(10 * MINUTE)
  t.is(codeOf(await fixture.put(upload.body, pdf())), '403 signed_url_expired')
  t.is((await ada.post('/v1/media/process', { mediaId: upload.body.mediaId })).body.status, 'ready')
})

test.serial('concurrent upload intents never exceed the storage quota', async t => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => intent(300 * KIB)))
  const taken = answers.filter(({ status }) => status === 201)
  t.is(taken.length, 6)
  const refused = answers.find(({ status }) => status === 403)
  t.like(problem(refused as never), { code: 'entitlement_exceeded', key: 'media.storage_gb' })
  await pass(31 * MINUTE)
  t.is((await intent(1900 * KIB)).status, 201)
})

test.serial('processes an item again after its process died', async t => {
  const { mediaId } = await fixture.upload(ada, await pngFile())
  const { database } = fixture.kernel.kernel.ports
  await database
    .tenant(ada.tenantId)
    .query(`update media_items set status = 'processing', claim = 'x', claimed_until = $2 where id = $1`, [
      mediaId,
      new Date(fixture.clock.now() + 9000),
    ])
  const { jobs } = fixture.kernel.kernel.ports
  await jobs.enqueue('media.sweep', {})
  await fixture.kernel.settled()
  t.is(await statusOf(mediaId), 'processing')
  fixture.clock.at += 10_000
  await jobs.enqueue('media.sweep', {})
  await fixture.kernel.settled()
  t.is(await statusOf(mediaId), 'ready')
})

/** What a process needs whose clock is an hour ahead. */
const processAhead = () => {
  const { database, systemDatabase, jobs, events, log } = fixture.kernel.kernel.ports
  return { database, systemDatabase, jobs, events, log, clock: { now: () => Date.now() + HOUR, isSystem: true } }
}

/** An item that waits to be processed, and that no worker has heard of. */
async function waitingItem(): Promise<string> {
  const { mediaId } = await fixture.upload(ada, await pngFile())
  await fixture.kernel.settled()
  await fixture.kernel.kernel.ports.database
    .tenant(ada.tenantId)
    .query(`update media_items set status = 'uploaded', claim = null, claimed_until = null where id = $1`, [mediaId])
  return mediaId
}

test.serial('a lease begins and ends by the clock of the database, not by that of the process', async t => {
  const mediaId = await waitingItem()
  const ports = processAhead()
  const [first, second] = [createProcessingLeases(ports), createProcessingLeases(ports)]
  const lease = await first.acquire(ada.tenantId, mediaId)
  t.teardown(() => lease?.release())
  const { rows } = await ports.database.tenant(ada.tenantId).query(
    `select claimed_until between statement_timestamp() and statement_timestamp() + interval '10 seconds' as soon
       from media_items where id = $1`,
    [mediaId],
  )
  t.deepEqual(rows, [{ soon: true }])
  await ports.database
    .tenant(ada.tenantId)
    .query(`update media_items set claimed_until = statement_timestamp() + interval '1 minute' where id = $1`, [
      mediaId,
    ])
  t.is(await second.acquire(ada.tenantId, mediaId), undefined)
})

test.serial('a renewed lease ends by the clock of the database', async t => {
  const mediaId = await waitingItem()
  const ports = processAhead()
  const lease = await createProcessingLeases(ports).acquire(ada.tenantId, mediaId)
  t.teardown(() => lease?.release())
  const unit = ports.database.tenant(ada.tenantId)
  // Not null: the worker of the kernel would take the item.
  await unit.query(`update media_items set claimed_until = statement_timestamp() + interval '1 day' where id = $1`, [
    mediaId,
  ])
  await waitFor(async () => {
    const { rows } = await unit.query<{ renewed: boolean }>(
      `select claimed_until < statement_timestamp() + interval '12 hours' as renewed from media_items where id = $1`,
      [mediaId],
    )
    return rows[0]?.renewed
  })
  // By its own clock, the process would add an hour.
  const { rows } = await unit.query(
    `select claimed_until < statement_timestamp() + interval '30 minutes' as soon from media_items where id = $1`,
    [mediaId],
  )
  t.deepEqual(rows, [{ soon: true }])
})

test.serial('a sweep finds expired leases by the clock of the database, and their items are due at once', async t => {
  const [held, lost] = [await fixture.upload(ada, await pngFile()), await fixture.upload(ada, await pngFile())]
  const ports = processAhead()
  await ports.database.tenant(ada.tenantId).query(
    `update media_items set status = 'processing', claim = 'x', claimed_until =
       statement_timestamp() + case when id = $1 then interval '1 minute' else interval '-1 second' end
     where id = any ($2)`,
    [held.mediaId, [held.mediaId, lost.mediaId]],
  )
  const enqueued: unknown[] = []
  const jobs = { ...ports.jobs, enqueue: async (...job: unknown[]) => String(enqueued.push(job)) }
  const scratch = { sweep: async () => {} }
  await createItemLifecycle({ ...ports, jobs, scratch } as never).sweep()
  t.deepEqual(enqueued, [
    ['media.process', { mediaId: lost.mediaId }, { key: lost.mediaId, tenantId: ada.tenantId, at: undefined }],
  ])
})

test.serial('waits for the result of another process that holds the lease', async t => {
  const { mediaId } = await fixture.upload(ada, await pngFile())
  const { database } = fixture.kernel.kernel.ports
  await database
    .tenant(ada.tenantId)
    .query(`update media_items set status = 'processing', claim = 'x', claimed_until = $2 where id = $1`, [
      mediaId,
      new Date(fixture.clock.now() + 60_000),
    ])
  const processing = ada.post('/v1/media/process', { mediaId })
  await database
    .tenant(ada.tenantId)
    .query(`update media_items set status = 'ready', claim = null where id = $1`, [mediaId])
  const { status, body } = await processing
  t.is(status, 200)
  t.is(body.status, 'ready')
})

test.serial('other modules can reference only ready files of the tenant', async t => {
  const one = (await fixture.send(ada, file('one.pdf', 'application/pdf', pdf()))).body.id
  const two = (await fixture.send(ada, file('two.pdf', 'application/pdf', pdf()))).body.id
  const named = await ada.post<{ data: { fileName: string }[] }>('/v1/reader', { ids: [two, one, two] })
  t.deepEqual(
    named.body.data.map(({ fileName }) => fileName),
    ['two.pdf', 'one.pdf', 'two.pdf'],
  )
  const eve = await fixture.person()
  const foreign = (await fixture.send(eve, file('x.pdf', 'application/pdf', pdf()))).body.id
  const pending = (await intent(10)).body.mediaId
  const refused = await ada.post<never>('/v1/reader', { ids: [one, foreign, pending, 'med_x'] })
  t.is(refused.status, 422)
  t.like(problem(refused), { code: 'unknown_media', mediaIds: [foreign, pending, 'med_x'] })
})

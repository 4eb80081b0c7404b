/** A fake clamd with valid and invalid replies. Only files with a clean verdict become ready. */
import test from 'ava'
import { parseReply } from '../../../../modules/media/services/scanner/clamd-reply.ts'
import type { Person } from '../../../../testing/index.ts'
import { codeOf } from '../../../fixtures/people.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { type FakeClamd, fakeClamd } from '../clamd.ts'
import { EICAR, file, pdf, pngFile } from '../files.ts'
import { type Item, type MediaFixture, startFixture } from '../fixtures.ts'

const MINUTE = 60_000

let clamd: FakeClamd
let fixture: MediaFixture
let ada: Person

const scanner = () => ({ url: clamd.url, timeout: '5s', maxBytes: '1MiB' })
test.before(async () => {
  clamd = await fakeClamd()
  fixture = await startFixture({ scanner: scanner() })
  ada = await fixture.person()
})
test.after.always(async () => {
  await fixture?.stop()
  await clamd?.stop()
})
test.beforeEach(() => {
  clamd.mood = 'well'
})

const get = async (id: string, client: Person = ada) => (await client.get(`/v1/media/${id}`)).body
/** Waits for the worker. */
const becomes = (id: string, status: string, client?: Person): Promise<Item> =>
  waitFor(
    () => get(id, client),
    item => item.status === status,
  )

test('accepts only a complete reply of clamd', t => {
  t.deepEqual(parseReply('stream: OK\0'), { verdict: 'clean' })
  t.deepEqual(parseReply('stream: Win.Test.EICAR_HDB-1 FOUND\0'), {
    verdict: 'infected',
    signature: 'Win.Test.EICAR_HDB-1',
  })
  const tooLarge = { verdict: 'not_scanned', reason: 'too_large' } as const
  t.deepEqual(parseReply('INSTREAM size limit exceeded. ERROR\0'), tooLarge)
  t.deepEqual(parseReply('stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND\0'), tooLarge)
  for (const reply of ['', '\0', 'stream: OK', 'stream: O', 'stream: OK FOUNDER\0', 'OK\0', 'UNKNOWN COMMAND\0'])
    t.deepEqual(parseReply(reply), { verdict: 'not_scanned', reason: 'unavailable' }, reply)
})

test.serial('accepts a clean file after the scanner received all of it', async t => {
  const sent = file('a.pdf', 'application/pdf', pdf())
  const { body } = await fixture.send(ada, sent)
  t.is(body.status, 'ready', JSON.stringify(body))
  t.true(clamd.received.equals(sent.bytes))
})

test.serial('rejects an infected file with the name of the virus', async t => {
  const { status, body } = await fixture.send(ada, file('a.pdf', 'application/pdf', `${pdf()}${EICAR}`))
  t.is(status, 200)
  t.like(body, { status: 'rejected', rejection: { check: 'virus', code: 'infected' } })
  t.regex(body.rejection?.detail ?? '', /Eicar-Test-Signature/)
})

test.serial('holds the file when the scanner disconnects or sends an invalid reply', async t => {
  for (const mood of ['cut', 'mad'] as const) {
    clamd.mood = mood
    const { status, body } = await fixture.send(ada, await pngFile())
    t.is(status, 202)
    t.like(body, { status: 'processing', hold: { reason: 'scanner_unavailable' } })
    t.is(codeOf(await ada.get(`/v1/media/${body.id}/download-url`)), '409 not_ready')
  }
})

test.serial('holds the file while the scanner is down and retries in the worker', async t => {
  await clamd.stop()
  const { status, body } = await fixture.send(ada, await pngFile())
  t.is(status, 202)
  t.like(body, { status: 'processing', hold: { reason: 'scanner_unavailable' } })
  await clamd.start()
  t.is((await get(body.id)).status, 'processing')
  fixture.clock.at += MINUTE + 1000
  t.like(await becomes(body.id, 'ready'), { status: 'ready', hold: null })
})

test.serial('retries a held file on request', async t => {
  clamd.mood = 'cut'
  const { body } = await fixture.send(ada, file('a.pdf', 'application/pdf', pdf()))
  clamd.mood = 'well'
  const again = await ada.post('/v1/media/process', { mediaId: body.id })
  t.is(again.status, 200)
  t.like(again.body, { status: 'ready', hold: null })
})

test.serial("holds a file above the scanner's limit as not scanned", async t => {
  const large = file('a.pdf', 'application/pdf', Buffer.concat([pdf(), Buffer.alloc(1024 * 1024)]))
  const { status, body } = await fixture.send(ada, large)
  t.is(status, 202)
  t.deepEqual(body.hold, { reason: 'not_scanned' })
  clamd.mood = 'full'
  const small = await fixture.send(ada, file('a.pdf', 'application/pdf', Buffer.concat([pdf(), Buffer.alloc(1000)])))
  t.deepEqual(small.body.hold, { reason: 'not_scanned' })
})

test.serial('continues a slow scan in the worker', async t => {
  const hurried = await startFixture({ wait: '300ms', scanner: scanner() })
  t.teardown(() => hurried.stop())
  const bob = await hurried.person()
  clamd.mood = 'slow'
  const { status, body } = await hurried.send(bob, await pngFile())
  t.is(status, 202)
  t.like(body, { status: 'processing', hold: null })
  clamd.mood = 'well'
  t.like(await becomes(body.id, 'ready', bob), { status: 'ready' })
})

test.serial('counts a held file against the quota and allows its deletion', async t => {
  const someone = await fixture.person()
  clamd.mood = 'cut'
  const { body } = await fixture.send(someone, await pngFile())
  const { usage } = fixture.kernel.kernel.ports
  t.true((await usage.count('media.storage_gb', someone.tenantId)) > 0)
  t.is((await someone.delete(`/v1/media/${body.id}`)).status, 204)
  t.is(await usage.count('media.storage_gb', someone.tenantId), 0)
})

/** Malicious and invalid uploads. */
import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { codeOf } from '../../../fixtures/people.ts'
import { file, hugePng, pdf, png, zip, zipFile } from '../files.ts'
import { type MediaFixture, startFixture, type TestFile } from '../fixtures.ts'

let fixture: MediaFixture
let ada: Person

test.before(async () => {
  const allow = ['image/png', 'application/pdf', 'application/zip', 'image/svg+xml', 'text/csv', 'application/epub+zip']
  fixture = await startFixture({ allow, images: { maxPixels: 1_000_000 } })
  ada = await fixture.person()
})
test.after.always(() => fixture?.stop())

const cases = async (): Promise<[TestFile, string][]> => {
  const picture = await png()
  const archive = zip([{ name: 'a.txt', content: 'a' }])
  const page = '<!doctype html><script>alert(1)</script>'
  const claim = { content: 'x', claimed: 0xfffffff0 }
  return [
    [file('a.png', 'image/png', archive), 'type type_mismatch'],
    [file('a.png', 'image/png', Buffer.concat([picture, archive])), 'type hidden_archive'],
    [file('a.png', 'image/png', page), 'type type_mismatch'],
    [zipFile(Buffer.from(page)), 'type type_mismatch'],
    [zipFile(Buffer.concat([Buffer.from(page), archive])), 'type type_mismatch'],
    [file('a.csv', 'text/csv', page), 'type type_mismatch'],
    [file('a.pdf', 'application/pdf', picture), 'type type_mismatch'],
    [file('a.svg', 'image/svg+xml', '<svg><script>alert(1)</script></svg>'), 'type active_content'],
    [zipFile(zip([{ name: 'b.zip', content: archive }])), 'archive archive_nested'],
    [zipFile(zip([{ name: '../../etc/passwd', content: 'x' }])), 'archive archive_unsafe_path'],
    [
      zipFile(
        zip([
          { name: 'a', ...claim },
          { name: 'b', ...claim },
          { name: 'c', ...claim },
        ]),
      ),
      'archive archive_too_large',
    ],
    [
      zipFile(
        zip([
          { name: 'a', content: 'aaa' },
          { name: 'b', sharing: 0, content: 'aaa' },
        ]),
      ),
      'archive archive_overlap',
    ],
    [zipFile(archive.subarray(0, 40)), 'archive archive_unreadable'],
    [file('a.png', 'image/png', hugePng(50_000, 50_000)), 'image image_too_large'],
    [file('a.png', 'image/png', picture.subarray(0, picture.length - 20)), 'image image_unreadable'],
    [file('a.png', 'image/png', hugePng(100, 100)), 'image image_unreadable'],
  ]
}

test('rejects each file with its check, code and detail, and without a download URL', async t => {
  for (const [bad, reason] of await cases()) {
    const { status, body } = await fixture.send(ada, bad)
    t.is(status, 200)
    t.is(`${body.rejection?.check} ${body.rejection?.code}`, reason)
    t.is(body.status, 'rejected')
    t.truthy(body.rejection?.detail)
    t.is(codeOf(await ada.get(`/v1/media/${body.id}/download-url`)), '409 not_ready')
  }
})

test('keeps a rejected file rejected and publishes one event', async t => {
  const { body } = await fixture.send(ada, file('a.pdf', 'application/pdf', 'no pdf'))
  const again = await ada.post('/v1/media/process', { mediaId: body.id })
  t.deepEqual(again.body, body)
  const { rows } = await fixture.kernel.kernel.ports.systemDatabase
    .acrossTenants('a test counts')
    .query('select payload from larder_events where subject = $1', [body.id])
  t.is(rows.length, 1)
  t.like(rows[0], { payload: { mediaId: body.id, rejection: { code: 'type_mismatch' } } })
})

test('does not count a rejected file against the quota', async t => {
  const { usage } = fixture.kernel.kernel.ports
  const someone = await fixture.person()
  const { body } = await fixture.send(someone, file('a.pdf', 'application/pdf', 'no pdf'))
  t.is(body.status, 'rejected')
  t.is(await usage.count('media.storage_gb', someone.tenantId), 0)
  await fixture.send(someone, file('a.pdf', 'application/pdf', pdf()))
  t.is(await usage.count('media.storage_gb', someone.tenantId), pdf().length / 2 ** 30)
})

import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { archives, disk, judgeSpace } from '../../../bin/doctor/disk.ts'
import { within } from '../../../bin/doctor/finding.ts'
import { DAY, GIB, MIB } from '../../../kernel/base/index.ts'

const space = { freeBytes: 50 * GIB, bytes: 100 * GIB, freeInodes: 900, inodes: 1000 }
const states = (more: Partial<typeof space>) =>
  judgeSpace('files', { ...space, ...more }, 256 * MIB).map(({ state, what }) => `${state} ${what}`)

test('judges free space and inodes', t => {
  t.deepEqual(states({}), ['ok 50 GiB of 100 GiB are free for files'])
  t.deepEqual(states({ freeBytes: 4 * GIB }), ['warn 4 GiB of 100 GiB are free for files'])
  t.regex(states({ freeBytes: 100 * MIB })[0] ?? '', /^fail 100 MiB .*fewer than MIN_FREE_DISK_MB/)
  t.regex(states({ freeInodes: 10 })[0] ?? '', /^warn 10 of 1000 inodes/)
  t.regex(states({ freeInodes: 0 })[0] ?? '', /^fail 0 of 1000 inodes/)
  t.deepEqual(states({ freeInodes: 0, inodes: 0 }), states({}))
})

test('folders on one disk are one finding', async t => {
  const found = await disk({ data: '/tmp/no/such', files: '/tmp/no/such/media' }, 1)
  t.is(found.length, 1)
  t.regex(found[0]?.what ?? '', /are free for data \(\/tmp\/no\/such\), files \(\/tmp\/no\/such\/media\)$/)
})

test('finds the newest archive', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-archives-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const now = Date.now()
  t.regex((await archives(folder, now, 7))[0]?.what ?? '', /has no archive/)
  for (const [name, days] of [
    ['old.tar.gz', 20],
    ['new.tar.gz', 9],
    ['other.txt', 0],
  ] as const) {
    await writeFile(join(folder, name), 'x')
    await utimes(join(folder, name), (now - days * DAY) / 1000, (now - days * DAY - 1000) / 1000)
  }
  t.like((await archives(folder, now, 7))[0], { state: 'warn', what: 'new.tar.gz is 9 days old, 1 B' })
  t.is((await archives(folder, now, 10))[0]?.state, 'ok')
})

test('a check ends in time, and never rejects', async t => {
  const [late] = await within('mail', new Promise(() => {}), 10)
  t.like(late, { state: 'fail', what: `the check "mail" didn't end within 0.01 s` })
  const [failed] = await within('mail', Promise.reject(new Error('no such folder')))
  t.like(failed, { state: 'fail', what: 'the check "mail" failed: no such folder' })
})

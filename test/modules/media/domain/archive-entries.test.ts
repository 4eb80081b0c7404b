import test from 'ava'
import fc from 'fast-check'
import { createEntryChecker, isArchiveName, isUnsafePath } from '../../../../modules/media/domain/archive-entries.ts'

const MIB = 1024 * 1024
const entry = (more: object) => ({
  name: 'a.txt',
  size: 1,
  link: false,
  special: false,
  range: { from: 0, to: 1 },
  ...more,
})

test('detects unsafe paths of every operating system', t => {
  const unsafe = [
    '../a',
    'a/../../b',
    'a/..',
    '/etc/passwd',
    '\\\\host\\a',
    'C:\\a',
    'c:a',
    'a\\..\\b',
    'a\0b',
    'a\nb',
    '',
    'a/'.repeat(2049),
  ]
  for (const name of unsafe) t.true(isUnsafePath(name), name)
  for (const name of ['a', 'a/b.txt', 'a/', '..a', 'a..b/c', './a', 'a/...']) t.false(isUnsafePath(name), name)
})

test('accepts paths that stay inside the target folder', t => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', '..', '.', ''), { minLength: 1, maxLength: 6 }), steps => {
      const name = steps.join('/')
      if (isUnsafePath(name)) return true
      return new URL(name, 'http://x/in/side/').pathname.startsWith('/in/side/')
    }),
  )
  t.pass()
})

test('detects nested archives by name', t => {
  for (const name of ['a.zip', 'b/A.ZIP', 'x.tar.gz', 'y.7z', 'lib.jar']) t.true(isArchiveName(name), name)
  for (const name of ['a.txt', 'zip', 'zip.txt', 'sheet.xlsx']) t.false(isArchiveName(name), name)
})

test('rejects an archive at the entry that exceeds a limit', t => {
  const many = createEntryChecker()
  for (let n = 0; n < 10_000; n++) t.is(many.add(entry({ name: `${n}`, size: 0 })), undefined)
  t.is(many.add(entry({ size: 0 })), 'archive_too_many_entries')
  const large = createEntryChecker()
  t.is(large.add(entry({ size: 1024 * MIB })), undefined)
  t.is(large.add(entry({ name: 'b.txt' })), 'archive_too_large')
  t.is(createEntryChecker().add(entry({ name: '../a' })), 'archive_unsafe_path')
  t.is(createEntryChecker().add(entry({ link: true })), 'archive_link')
  t.is(createEntryChecker().add(entry({ name: 'a.zip' })), 'archive_nested')
})

test('rejects entries that overlap or exceed the archive', t => {
  const closed = (...ranges: [number, number][]) => {
    const checker = createEntryChecker()
    for (const [at, [from, to]] of ranges.entries()) checker.add(entry({ name: `${at}`, range: { from, to } }))
    return checker.finish(1000)
  }
  t.is(closed([0, 10], [10, 20]), undefined)
  t.is(closed([10, 20], [0, 10]), undefined)
  t.is(closed([0, 11], [10, 20]), 'archive_overlap')
  t.is(closed([0, 100], [10, 20]), 'archive_overlap')
  t.is(closed([0, 10], [0, 10]), 'archive_overlap')
  t.is(closed([0, 1001]), 'archive_overlap')
})

test('allows any compression ratio for small archives', t => {
  const packed = (unpacked: number, bytes: number) => {
    const checker = createEntryChecker()
    checker.add(entry({ size: unpacked }))
    return checker.finish(bytes)
  }
  t.is(packed(4 * MIB, 1000), undefined)
  t.is(packed(5 * MIB, MIB), undefined)
  t.is(packed(101 * MIB, MIB), 'archive_ratio')
  t.is(packed(100 * MIB, MIB), undefined)
})

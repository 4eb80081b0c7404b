import test from 'ava'
import { BLOCK, headerOf, paddingOf, readHeader } from '../../../bin/backup/tar.ts'

const AT = new Date('2026-11-29T03:00:00Z')

for (const [what, entry] of [
  ['a name in the field for it', { name: 'larder-backup.json', size: 12 }],
  [
    'a name that needs the field for a prefix',
    { name: `files/media/image%2Fpng/files/${'t'.repeat(60)}/${'m'.repeat(60)}`, size: 0 },
  ],
  ['a size of more than eleven octal digits', { name: 'a', size: 12 * 1024 ** 3 }],
] as const)
  test(`a header keeps ${what}`, t => {
    const block = headerOf(entry, AT)
    t.is(block.length, BLOCK)
    t.deepEqual(readHeader(block), entry)
  })

test('a header that was changed is refused', t => {
  const block = headerOf({ name: 'a', size: 1 }, AT)
  block[0] = 0x62
  t.throws(() => readHeader(block), { message: /not a header/ })
})

test('a name that a header has no room for is refused', t => {
  t.throws(() => headerOf({ name: 'a'.repeat(300), size: 1 }, AT), { message: /too long/ })
})

test('an entry ends with a whole block', t => {
  t.is(paddingOf(0).length, 0)
  t.is(paddingOf(1).length, BLOCK - 1)
  t.is(paddingOf(BLOCK).length, 0)
})

import test from 'ava'
import type { RejectionCode } from '../../../../../modules/media/domain/rejections.ts'
import { checkSize } from '../../../../../modules/media/services/checks/size.ts'
import { checkType } from '../../../../../modules/media/services/checks/type.ts'
import { pdf, png, zip } from '../../files.ts'
import { sha256 } from '../../fixtures.ts'
import { rejectionOf } from './fixtures.ts'

test('checks size and SHA-256 against the upload intent', async t => {
  const bytes = Buffer.from('hello')
  t.is(await rejectionOf(checkSize, bytes), undefined)
  t.is(await rejectionOf(checkSize, bytes, 'text/plain', { size: 4 }), 'size_mismatch')
  t.is(await rejectionOf(checkSize, bytes, 'text/plain', { sha256: sha256(bytes) }), undefined)
  t.is(await rejectionOf(checkSize, bytes, 'text/plain', { sha256: sha256(Buffer.from('x')) }), 'digest_mismatch')
})

test('checks content against the declared type', async t => {
  const picture = await png()
  const archive = zip([{ name: 'a.txt', content: 'a' }])
  const page = Buffer.from('<!doctype html><script>alert(1)</script>')
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>')
  const cases: [string, Buffer, RejectionCode | undefined][] = [
    ['image/png', picture, undefined],
    ['application/pdf', pdf(), undefined],
    ...['\n', '  \r\n', '\u0000\u0000', 'Content-Type: application/pdf\r\n\r\n', ' '.repeat(1000)].map(
      (before): [string, Buffer, undefined] => [
        'application/pdf',
        Buffer.concat([Buffer.from(before), pdf()]),
        undefined,
      ],
    ),
    ['application/pdf', Buffer.concat([Buffer.alloc(1100, ' '), pdf()]), 'type_mismatch'],
    ['application/pdf', Buffer.concat([page, pdf()]), 'type_mismatch'],
    ['application/pdf', Buffer.concat([Buffer.from('\n'), pdf(), archive]), 'hidden_archive'],
    ['text/plain', Buffer.alloc(0), undefined],
    ['text/plain', Buffer.from('A PDF begins with %PDF-1.7\n'), undefined],
    ['application/zip', archive, undefined],
    ['text/csv', Buffer.from('a,b\n'), undefined],
    ['text/plain', Buffer.from('BEGIN:VCARD\nVERSION:4.0\n'), undefined],
    ['text/html', page, undefined],
    ['image/svg+xml', drawing, undefined],
    ['image/png', archive, 'type_mismatch'],
    ['image/png', pdf(), 'type_mismatch'],
    ['application/pdf', picture, 'type_mismatch'],
    ['application/zip', page, 'type_mismatch'],
    ['application/zip', Buffer.concat([page, archive]), 'type_mismatch'],
    ['image/png', page, 'type_mismatch'],
    ['text/csv', page, 'type_mismatch'],
    ['text/csv', drawing, 'type_mismatch'],
    ['text/csv', picture, 'type_mismatch'],
    ['text/html', Buffer.from('a,b\n'), 'type_mismatch'],
    ['image/svg+xml', page, 'type_mismatch'],
    ['image/svg+xml', Buffer.from('<svg><script>alert(1)</script></svg>'), 'active_content'],
    ['image/svg+xml', Buffer.from('<?xml version="1.0"?><svg onload="alert(1)"/>'), 'active_content'],
    ['image/png', Buffer.concat([picture, archive]), 'hidden_archive'],
    ['application/pdf', Buffer.concat([pdf(), archive]), 'hidden_archive'],
    ['application/pdf', Buffer.from('MZ\x90'), 'type_mismatch'],
    ['application/pdf', Buffer.alloc(0), 'type_mismatch'],
  ]
  for (const [type, bytes, code] of cases)
    t.is(await rejectionOf(checkType, bytes, type), code, `${type} ${bytes.subarray(0, 20)}`)
})

test('accepts text in UTF-8 and in UTF-16 with a byte order mark, and refuses other encodings with the reason', async t => {
  const text = 'name;Größe\r\nJürgen;5 €\r\n'.repeat(5000)
  const utf16le = Buffer.from(`\ufeff${text}`, 'utf16le')
  const utf16be = Buffer.from(utf16le).swap16()
  for (const type of ['text/csv', 'text/plain', 'text/markdown'])
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16le, utf16be])
      t.is(await rejectionOf(checkType, bytes, type), undefined, type)
  const windows = Buffer.from(text.replaceAll('€', '\u0080'), 'latin1')
  const late = Buffer.concat([Buffer.from('a'.repeat(200_000)), windows])
  for (const bytes of [windows, late]) t.is(await rejectionOf(checkType, bytes, 'text/csv'), 'encoding_unsupported')
  t.is(await rejectionOf(checkType, utf16le.subarray(2), 'text/csv'), 'type_mismatch')
  const sound = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(5000, 0xdb)])
  t.is(await rejectionOf(checkType, sound, 'text/csv'), 'encoding_unsupported')
})

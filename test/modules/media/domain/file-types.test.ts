import test from 'ava'
import { fitsExtension, typeOfUpload } from '../../../../modules/media/domain/file-types.ts'

test('takes the type of the name if the given one says little', t => {
  for (const [type, name, expected] of [
    ['application/vnd.ms-excel', 'rows.csv', 'text/csv'],
    ['application/octet-stream', 'rows.CSV', 'text/csv'],
    ['', 'rows.csv', 'text/csv'],
    ['text/comma-separated-values', 'rows.csv', 'text/csv'],
    ['application/octet-stream', 'a.zip', 'application/zip'],
    ['application/zip', 'a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['application/octet-stream; charset=binary', 'a.webp', 'image/webp'],
    ['text/plain', 'notes.md', 'text/markdown'],
    ['image/jpg', 'a.jpg', 'image/jpeg'],
    ['application/x-pdf', 'a.pdf', 'application/pdf'],
    ['acrobat', 'a.pdf', 'application/pdf'],
    ['image/x-png', 'a.png', 'image/png'],
    ['application/svg+xml', 'a.svg', 'image/svg+xml'],
    ['text/xml', 'a.svg', 'image/svg+xml'],
    ['application/msword', 'a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['image/jpeg', 'a.JPE', 'image/jpeg'],
    ['nonsense', 'a.mp3', 'audio/mpeg'],
  ] as const) {
    t.is(typeOfUpload(type, name), expected, `${type} ${name}`)
    t.true(fitsExtension(expected, name))
  }
})

test('keeps a type that says something, and has none for unknown names', t => {
  t.is(typeOfUpload('image/png', 'rows.csv'), 'image/png')
  for (const name of ['a.exe', 'a', 'a.csv.exe'])
    t.is(typeOfUpload('application/octet-stream', name), 'application/octet-stream')
})

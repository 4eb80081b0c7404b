import test from 'ava'
import { endsAsZip, startsAsArchive } from '../../../../modules/media/domain/archive-signatures.ts'
import { sniffText, type TextKind } from '../../../../modules/media/domain/text-sniffing.ts'
import { zip } from '../files.ts'

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

test('classifies text as HTML, SVG, plain text or binary', t => {
  const texts: [string | Buffer, TextKind][] = [
    ['a,b\n1,2\n', 'text'],
    ['{"a": "<html>"}', 'text'],
    ['# Title\n\n<b>bold</b>', 'text'],
    ['a < b', 'text'],
    ['', 'text'],
    ['Stra\xdfe', 'text'],
    ['<!DOCTYPE html><p>', 'html'],
    [' \n<HTML>', 'html'],
    ['\ufeff<script>alert(1)</script>', 'html'],
    ['<!-- a --><!-- b --><body onload=x>', 'html'],
    ['<!-- never closed <script>', 'html'],
    ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', 'html'],
    ['<!doctype strange><script>', 'html'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'svg'],
    ['<?xml version="1.0"?>\n<!-- made by hand -->\n<!DOCTYPE svg PUBLIC "a" "b"><svg>', 'svg'],
    ['<x:svg xmlns:x="http://www.w3.org/2000/svg">', 'svg'],
    [utf16('<html>'), 'html'],
    [utf16('a,b'), 'text'],
    ['a\0b', 'binary'],
    [Buffer.from([0xff, 0xd8, 0xff, 0x00]), 'binary'],
  ]
  for (const [text, wanted] of texts)
    t.is(
      sniffText(Buffer.from(text as string, typeof text === 'string' && text.includes('\xdf') ? 'latin1' : 'utf8')),
      wanted,
      String(text),
    )
})

test('detects archives by their first bytes and ZIP files by their last', t => {
  const archive = zip([{ name: 'a.txt', content: 'a' }])
  t.true(startsAsArchive(archive))
  t.true(startsAsArchive(Buffer.from('1f8b08', 'hex')))
  t.false(startsAsArchive(Buffer.from('plain text')))
  t.true(endsAsZip(Buffer.concat([Buffer.alloc(50), archive])))
  t.true(endsAsZip(Buffer.concat([archive, Buffer.from('trailing')])))
  t.false(endsAsZip(Buffer.from('PK\u0005\u0006', 'latin1')))
  t.false(endsAsZip(Buffer.concat([Buffer.alloc(50), Buffer.from('PK\u0005\u0006', 'latin1'), Buffer.alloc(18)])))
  t.false(endsAsZip(Buffer.alloc(0)))
})

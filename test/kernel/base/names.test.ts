import test from 'ava'
import { cleanName, containsEncodedWord, containsLink, isBlank, unlinked } from '../../../kernel/base/names.ts'

test('removes controls and overrides of the writing direction, and makes one line', t => {
  t.is(cleanName('  Ada\r\nLovelace\t(UK)\u2028x  '), 'Ada Lovelace (UK) x')
  t.is(cleanName('abc\u202etxt.exe\u2066\u0007\ufeff'), 'abctxt.exe')
})

test('keeps joiners of emoji and scripts', t => {
  for (const name of ['👩‍👩‍👧', 'क्‍ष', 'می‌خواهم', 'Ada Lovelace', '李', '👍🏽', '🏴󠁧󠁢󠁥󠁮󠁧󠁿']) t.is(cleanName(name), name)
})

test('what shows nothing is empty', t => {
  for (const name of [
    '',
    ' ',
    '\u200b',
    '\u3164',
    '\u2800',
    '\u200d\u200c',
    '\u00ad\u034f',
    '\u115f \u1160',
    '\ufe0f',
    '\u2060',
    '\u{1d159}',
    '\u{e0001}',
  ]) {
    t.is(cleanName(name), '', JSON.stringify(name))
    t.true(isBlank(name), JSON.stringify(name))
  }
})

test('composes letters with their accents', t => {
  t.is(cleanName('Émile'.normalize('NFD')), 'Émile'.normalize('NFC'))
})

test('a text of several lines with one visible character is not blank', t => {
  for (const text of ['\n.\n', '👍', '\u200bא']) t.false(isBlank(text), JSON.stringify(text))
  t.true(isBlank('\u200b\n\u202e \u2800'))
})

test('recognizes encoded words of mail headers', t => {
  for (const text of ['=?utf-8?B?aHR0cDovL3g=?=', 'Ada =?ISO-8859-1?q?x?=', '=?utf-8*en?B?eA==?= x', '=??Q?x?='])
    t.true(containsEncodedWord(text), text)
  for (const text of ['Why =? Because', 'a=b?c', 'Is 2+2=4?']) t.false(containsEncodedWord(text), text)
})

test('recognizes links, and leaves names with dots alone', t => {
  for (const text of [
    'Win http://evil.example/login',
    'www.evil.example',
    'evil.example/login',
    'x HTTPS://e.x',
    'münchen.example/a',
  ])
    t.true(containsLink(text), text)
  for (const text of ['Booking.com', 'Dr. Ada', 'A/B Testing', 'Smith & Co. KG', '3.5/5', 'Node.js'])
    t.false(containsLink(text), text)
})

test('breaks the links that a mail client would make of a name', t => {
  t.is(unlinked('Booking.com Inc.'), 'Booking.\u2060com Inc.')
  t.notRegex(unlinked('http://evil.example/login'), /http:\/\/|evil\.example/)
})

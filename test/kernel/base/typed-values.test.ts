/** Values that people type or paste: addresses and codes. */
import test from 'ava'
import { cleanCode } from '../../../kernel/base/codes.ts'
import { cleanAddress, emailKey } from '../../../kernel/base/email.ts'
import { createValidator, Nullable, RequiredText, Type } from '../../../kernel/base/index.ts'
import { CodeOf, NameOf } from '../../../kernel/base/schema.ts'

const { body } = createValidator()

test('a code works in every notation of its digits', t => {
  for (const typed of [
    '123456',
    '123 456',
    ' 123-456\n',
    '１２３４５６',
    '12\u00a034\u201356',
    '١٢٣٤٥٦',
    '\u200b123456',
    '१२३.४५६',
  ])
    t.is(cleanCode(typed), '123456', typed)
  t.is(cleanCode('abcd\u2014efgh ｊｋ'), 'ABCDEFGHJK')
})

test('long texts that would take minutes to clean are refused at once', t => {
  const typed = { email: Type.String({ format: 'email', maxLength: 254 }), name: NameOf(120, 'plain') }
  const check = body(Type.Object({ ...typed, code: CodeOf({ maxLength: 40 }) }))
  const right = { email: 'ada@example.test', name: 'Ada', code: '123456' }
  t.notThrows(() => check(right))
  const length = 1_000_000
  const long = ['\u200b', ' ', 'a', '\u0301\u0327', '=?', 'a.', '\u00e4', '\ufdfa'].flatMap(part => {
    const text = part.repeat(length / part.length)
    return [text, `a${text}a`, `a@${text}.test`]
  })
  for (const text of long) for (const field of Object.keys(right)) t.throws(() => check({ ...right, [field]: text }))
  for (const text of long) t.is(typeof emailKey(text), 'string')
})

test('an address is stored and compared without what surrounds it', t => {
  for (const typed of [
    'ada@example.test ',
    '\tada@example.test\r\n',
    '\ufeffada@example.test',
    '\u202aada@example.test\u202c',
  ]) {
    t.is(cleanAddress(typed), 'ada@example.test')
    t.is(emailKey(typed), 'ada@example.test')
  }
  t.is(cleanAddress('jürgen@x.test'.normalize('NFD')), 'jürgen@x.test'.normalize('NFC'))
})

test('every field of the format email of a request is trimmed before it is checked', t => {
  const Email = Type.String({ format: 'email', maxLength: 16 })
  const check = body(
    Type.Object({ to: Email, cc: Type.Array(Email, { uniqueItems: true }), reply: Type.Optional(Nullable(Email)) }),
  )
  const given = { to: ' ada@example.test ', cc: ['bob@example.test\n'], reply: '\u200bcy@example.test' }
  t.deepEqual(check(given), { to: 'ada@example.test', cc: ['bob@example.test'], reply: 'cy@example.test' })
  t.throws(() => check({ to: 'ada @example.test', cc: [] }))
})

test('a required text needs a visible character', t => {
  const check = body(Type.Object({ text: RequiredText(100) }))
  for (const text of ['', ' ', '\u200b', '\u2800\n', '\u3164', '\u202e\u2066']) {
    const error = t.throws(() => check({ text })) as unknown as { extras: { errors: { pointer: string }[] } }
    t.is(error.extras.errors[0]?.pointer, '/text', JSON.stringify(text))
  }
  t.notThrows(() => check({ text: '\u200bHello' }))
})

test('a code is cleaned before its pattern is checked', t => {
  const check = body(Type.Object({ code: CodeOf({ pattern: '^[0-9]{6}$' }) }))
  t.deepEqual(check({ code: '123 456' }), { code: '123456' })
  t.throws(() => check({ code: '123 45' }))
})

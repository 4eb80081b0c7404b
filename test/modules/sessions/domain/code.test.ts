import test from 'ava'
import { CODE_PATTERN, generateCode, parseCode } from '../../../../modules/sessions/domain/code.ts'

test('generates three groups of three unambiguous letters', t => {
  for (let i = 0; i < 500; i++) t.regex(generateCode(), new RegExp(CODE_PATTERN))
  t.notRegex(generateCode(), /[01AEIOUL]/)
})

for (const text of [
  'K7M-2QX-9TB',
  'k7m-2qx-9tb',
  'k7m2qx9tb',
  ' K7M 2QX 9TB ',
  'K7-M2QX9-TB',
  'K7M.2QX.9TB',
  'K7M–2QX—9TB',
  '\u200bK7M\u00a02QX\u20099TB\n',
  'Ｋ７Ｍ－２ＱＸ－９ＴＢ',
  'k٧m 2qx 9tb',
])
  test(`parses the code ${JSON.stringify(text)}`, t => {
    t.is(parseCode(text), 'K7M-2QX-9TB')
  })

test('returns undefined for text that is not a code', t => {
  for (const text of ['', 'K7M-2QX-9T', 'K7M-2QX-9TBB', 'A7M-2QX-9TB', '07M-2QX-9TB', 'K7M-2QX-9T%'])
    t.is(parseCode(text), undefined)
})

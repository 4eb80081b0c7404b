import test from 'ava'
import { CODE_PATTERN, newCode, readCode } from '../../../../modules/sessions/domain/code.ts'

test('a code is three groups of three letters that cannot be mistaken for each other', t => {
  for (let i = 0; i < 500; i++) t.regex(newCode(), new RegExp(CODE_PATTERN))
  t.notRegex(newCode(), /[01AEIOUL]/)
})

test('every letter is drawn equally often: bytes past the last whole round are thrown away', t => {
  const bytes = [252, 253, 254, 255, ...Array.from({ length: 18 }, (_, at) => at)]
  const random = (size: number) => Uint8Array.from(bytes.splice(0, size))
  t.is(newCode(random), '234-567-89B')
})

test('a code is read back in any case, with or without hyphens and blanks', t => {
  for (const text of ['K7M-2QX-9TB', 'k7m-2qx-9tb', 'k7m2qx9tb', ' K7M 2QX 9TB ', 'K7-M2QX9-TB'])
    t.is(readCode(text), 'K7M-2QX-9TB')
})

test('what can be no code is none', t => {
  for (const text of ['', 'K7M-2QX-9T', 'K7M-2QX-9TBB', 'A7M-2QX-9TB', '07M-2QX-9TB', 'K7M-2QX-9T%'])
    t.is(readCode(text), undefined)
})

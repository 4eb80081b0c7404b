import test from 'ava'
import fc from 'fast-check'
import { Problem } from '../../../../kernel/index.ts'
import { bareAddress, namedAddress } from '../../../../modules/comms/domain/address.ts'

const HOSTILE = [
  '',
  '@',
  'ada',
  'ada@',
  '@example.test',
  'ada@example.test, eve@evil.test',
  'ada@example.test;eve@evil.test',
  'ada@example.test eve@evil.test',
  'Ada <ada@example.test>',
  '<ada@example.test>',
  '"a b"@example.test',
  'ada@example.test\r\nBcc: eve@evil.test',
  'ada@example.test\n',
  ' ada@example.test',
  'ada@example.test\u0000',
  'ada\u2028@example.test',
  'a@b@example.test',
  '.ada@example.test',
  'ada.@example.test',
  'a..b@example.test',
  'ada@example..test',
  'ada@-example.test',
  'ada@exa mple.test',
  'ada@exam\tple.test',
  'ada@example.test/x',
  'ada@example.test:25',
  'ada@ex%61mple.test',
  'ada@[127.0.0.1]',
  'group:ada@example.test',
  'ada(comment)@example.test',
  'ädä@example.test',
  `${'a'.repeat(65)}@example.test`,
  `a@${`${'b'.repeat(60)}.`.repeat(5)}test`,
]
for (const address of HOSTILE)
  test(`${JSON.stringify(address).slice(0, 60)} is no bare address`, t => {
    const error = t.throws(() => bareAddress(address))
    t.true(Problem.is(error))
    t.is((error as Problem).status, 422)
    t.like(((error as Problem).extras.errors as object[])[0], { pointer: '/to', code: 'wrong_format' })
  })

for (const [given, kept] of [
  ['ada@example.test', 'ada@example.test'],
  ['Ada.Love+tag@Example.TEST', 'Ada.Love+tag@example.test'],
  ["o'brien@example.test", "o'brien@example.test"],
  ['a!#$%&*=?^_`{|}~-b@example.test', 'a!#$%&*=?^_`{|}~-b@example.test'],
  ['root@localhost', 'root@localhost'],
  ['ada@bücher.test', 'ada@xn--bcher-kva.test'],
] as const)
  test(`${given} is a bare address`, t => {
    t.is(bareAddress(given), kept)
  })

test('what passes has one @, no space, no separator and no line break', t => {
  const parts = fc.constantFrom(
    'a',
    'b.c',
    '@',
    'x.test',
    ',',
    ';',
    ' ',
    '<',
    '>',
    '"',
    '\r\n',
    '\n',
    '\t',
    ':',
    '\\',
    '(',
    'ß',
    '%',
  )
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 8 }), pieces => {
      let address: string
      try {
        address = bareAddress(pieces.join(''))
      } catch (error) {
        return Problem.is(error)
      }
      return /^[^\s,;:<>"\\()@]+@[a-z0-9.-]+$/.test(address)
    }),
    { numRuns: 2000 },
  )
  t.pass()
})

test('a sender has a name or none', t => {
  t.deepEqual(namedAddress('Acme <hello@acme.test>'), { name: 'Acme', address: 'hello@acme.test' })
  t.deepEqual(namedAddress('"Acme, Inc." <hello@acme.test>'), { name: 'Acme, Inc.', address: 'hello@acme.test' })
  t.deepEqual(namedAddress('hello@acme.test'), { name: '', address: 'hello@acme.test' })
  for (const text of [
    'Acme <hello@acme.test>, x@evil.test',
    'Acme <a@b.test> <c@d.test>',
    'Acme',
    'Acme\r\nBcc: <a@b.test>',
  ])
    t.throws(() => namedAddress(text), undefined, text)
})

import test from 'ava'
import fc from 'fast-check'
import { Problem } from '../../../../kernel/index.ts'
import { parseAddress, parseNamedAddress } from '../../../../modules/comms/domain/address.ts'

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
  test(`${JSON.stringify(address).slice(0, 60)} is rejected`, t => {
    const error = t.throws(() => parseAddress(address))
    t.true(Problem.is(error))
    t.is((error as Problem).status, 422)
    t.like(((error as Problem).extras.errors as object[])[0], { pointer: '/to', code: 'wrong_format' })
  })

for (const [given, kept] of [
  ['ada@example.test', 'ada@example.test'],
  [' ada@example.test\n', 'ada@example.test'],
  ['Ada.Love+tag@Example.TEST', 'Ada.Love+tag@example.test'],
  ["o'brien@example.test", "o'brien@example.test"],
  ['a!#$%&*=?^_`{|}~-b@example.test', 'a!#$%&*=?^_`{|}~-b@example.test'],
  ['root@localhost', 'root@localhost'],
  ['ada@bücher.test', 'ada@xn--bcher-kva.test'],
] as const)
  test(`${JSON.stringify(given)} is accepted`, t => {
    t.is(parseAddress(given), kept)
  })

test('accepts only addresses with one @ and without spaces, separators and line breaks', t => {
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
        address = parseAddress(pieces.join(''))
      } catch (error) {
        return Problem.is(error)
      }
      return /^[^\s,;:<>"\\()@]+@[a-z0-9.-]+$/.test(address)
    }),
    { numRuns: 2000 },
  )
  t.pass()
})

test('parses a sender with and without a name', t => {
  t.deepEqual(parseNamedAddress('Acme <hello@acme.test>'), { name: 'Acme', address: 'hello@acme.test' })
  t.deepEqual(parseNamedAddress('"Acme, Inc." <hello@acme.test>'), { name: 'Acme, Inc.', address: 'hello@acme.test' })
  t.deepEqual(parseNamedAddress('hello@acme.test'), { name: '', address: 'hello@acme.test' })
  for (const text of [
    'Acme <hello@acme.test>, x@evil.test',
    'Acme <a@b.test> <c@d.test>',
    'Acme',
    'Acme\r\nBcc: <a@b.test>',
  ])
    t.throws(() => parseNamedAddress(text), undefined, text)
})

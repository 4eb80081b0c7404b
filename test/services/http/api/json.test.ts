import test from 'ava'
import fc from 'fast-check'
import { parseJson } from '../../../../kernel/base/json.ts'
import { type FieldError, Problem } from '../../../../kernel/base/problem.ts'

const refusal = (body: string | Buffer): { status: number; pointers: string[] } => {
  try {
    parseJson(Buffer.from(body as string))
  } catch (error) {
    if (!Problem.is(error)) throw error
    return {
      status: error.status,
      pointers: ((error.extras.errors ?? []) as FieldError[]).map(({ pointer }) => pointer),
    }
  }
  throw new Error('was taken')
}

test('parses the output of JSON.stringify', t => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const text = JSON.stringify(value)
      fc.pre(!text.includes('\\u0000') && !text.includes('__proto__'))
      t.deepEqual(parseJson(Buffer.from(text)), JSON.parse(text))
    }),
  )
})

test('composes texts, also escaped ones, and no keys', t => {
  const key = 'e\u0301'
  t.deepEqual(parseJson(Buffer.from(`{"a":["e\u0301",{"${key}":"e\\u0301"}]}`)), { a: ['é', { [key]: 'é' }] })
})

test('rejects invalid JSON', t => {
  const bodies = ['{', '', 'undefined', "{'a':1}", '{"a":1,}', '\ufeff{}', '[1] [2]']
  for (const body of bodies) t.is(refusal(body).status, 400, body)
  t.is(refusal(Buffer.from([0x22, 0xff, 0xfe, 0x22])).status, 400)
})

test('rejects duplicate keys at any depth and with any escaping', t => {
  for (const body of ['{"a":1,"a":2}', '{"x":[{"a":1,"\\u0061":2}]}', '{"__proto__":1,"__proto__":2}'])
    t.true([400, 422].includes(refusal(body).status), body)
  t.deepEqual(parseJson(Buffer.from('{"a":":","b":{"a":"\\":"}}')), { a: ':', b: { a: '":' } })
})

test('rejects nesting over 64 levels before recursing', t => {
  t.is(refusal('['.repeat(49_000) + ']'.repeat(49_000)).status, 400)
  t.is(refusal(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`).status, 400)
  t.notThrows(() => parseJson(Buffer.from('['.repeat(64) + ']'.repeat(64))))
})

test('refuses more than 100,000 lists and objects', t => {
  t.is(refusal(`[${Array(100_000).fill('[]').join(',')}]`).status, 400)
  t.notThrows(() => parseJson(Buffer.from(`[${Array(99_999).fill('{}').join(',')}]`)))
})

test('refuses more than 30 combining marks in a row before it composes them', t => {
  const marks = (count: number) => `{"a":"e${'\u0316\u0301'.repeat(count / 2)}"}`
  t.deepEqual(refusal(marks(500_000)), { status: 422, pointers: ['/a'] })
  t.deepEqual(refusal(marks(32)), { status: 422, pointers: ['/a'] })
  t.notThrows(() => parseJson(Buffer.from(marks(30))))
})

test('reports the location of NUL, lone surrogates, infinite numbers and __proto__', t => {
  const body = '{"a":"x\\u0000","b":["ok","\\ud800"],"c":1e400,"d":{"__proto__":{"x":1}},"e\\u0000":1}'
  t.deepEqual(refusal(body), { status: 422, pointers: ['/a', '/b/1', '/c', '/d/__proto__', '/e\0'] })
  t.is(parseJson(Buffer.from('"\\ud83d\\ude00"')), '😀')
})

test('refuses numbers that JavaScript would round, wherever they are', t => {
  const body =
    '{"a":750727362669608961,"2":[1,-9007199254740993],"1":{"x":"750727362669608961"},"b":{"y":7.50727362669608961e17}}'
  t.deepEqual(refusal(body), { status: 422, pointers: ['/2/1', '/a', '/b/y'] })
  t.is(refusal('[9007199254740993').status, 400)
  t.deepEqual(refusal('{"price":[0.1234567890123456789012345,-12.50E+2]}'), { status: 422, pointers: ['/price/0'] })
  for (const text of ['9007199254740991', '750727362669609000', '1e23', '[0.30000000000000004,-12.50E+2]'])
    t.deepEqual(parseJson(Buffer.from(text)), JSON.parse(text))
})

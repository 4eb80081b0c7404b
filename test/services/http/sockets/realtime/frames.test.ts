import test from 'ava'
import fc from 'fast-check'
import { Problem } from '../../../../../kernel/base/problem.ts'
import { inEnglish, type Wording, wording } from '../../../../../kernel/base/wording.ts'
import {
  encodeClosing,
  encodeError,
  encodeFrame,
  parseFrame,
} from '../../../../../services/http/sockets/realtime/frames.ts'

test('parses JSON objects with a type, an id and data', t => {
  const text = '{"type":"x","id":"1","to":"p","data":{"a":1}}'
  t.deepEqual(parseFrame(text), { type: 'x', id: '1', data: { a: 1 }, members: JSON.parse(text), text })
  t.like(parseFrame('{"type":"leave"}'), { type: 'leave', id: undefined, data: {} })
})

test('returns an error for invalid frames', t => {
  const long = 'x'.repeat(129)
  const garbage = ['', '{', '1', 'null', '[]', '{}', '{"type":null}', '{"type":1}', '{"type":"x","id":{}}']
  for (const text of [...garbage, '{"type":"x","data":[]}', `{"type":"${long}"}`, `{"type":"x","id":"${long}"}`])
    t.true('sentence' in parseFrame(text), text)
  const error = wording('to must be a string.')
  t.is(
    parseFrame('{"type":"x","to":1}', ({ to }) => (typeof to === 'string' ? undefined : error)),
    error,
  )
})

test('refuses numbers that JavaScript would round', t => {
  const refused = 'A number has more digits than JavaScript keeps; send it as a string.'
  for (const number of [
    '750727362669608961',
    '-750727362669608961',
    '1e999',
    '0.12345678901234567890',
    '123456789012345.67891e5',
  ])
    t.like(parseFrame(`{"type":"x","data":{"a":[${number}]}}`), { sentence: refused }, number)
  for (const number of ['9007199254740991', '0.30000000000000004', '1e21', '750727362669609000'])
    t.true('type' in parseFrame(`{"type":"x","data":{"a":${number}}}`), number)
  t.true('type' in parseFrame('{"type":"x","data":{"a":"750727362669608961","\\"1e999":1}}'))
})

test('returns a frame or an error for any input and never throws', t => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), text => {
      const frame = parseFrame(text)
      return 'sentence' in frame || typeof frame.type === 'string'
    }),
  )
  t.pass()
})

const say = (text: Wording | Problem): string => (Problem.is(text) ? text.message : inEnglish(text))

test('serializes frames, errors and closing notices', t => {
  t.is(encodeFrame('unread', { total: 1 }), '{"type":"unread","data":{"total":1}}')
  t.deepEqual(JSON.parse(encodeError({ code: 'c', message: wording('m') }, say, '7')), {
    type: 'error',
    id: '7',
    data: { code: 'c', message: 'm', retryable: false },
  })
  const notice = { action: 'reconnect', reason: 'draining' } as const
  t.deepEqual(JSON.parse(encodeClosing({ ...notice, retryAfterMs: 5 })).data, {
    ...notice,
    retryAfterMs: 5,
  })
  t.deepEqual(JSON.parse(encodeClosing(notice)).data, { ...notice, retryAfterMs: null })
})

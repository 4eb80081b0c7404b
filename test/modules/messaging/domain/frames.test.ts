import test from 'ava'
import { newId } from '../../../../kernel/index.ts'
import { conversationIdOf, parseFrame, parseHello } from '../../../../modules/messaging/domain/frames.ts'

const id = newId('cnv')

test('parses frames with a type and nested or top-level data', t => {
  t.deepEqual(parseFrame('{"type":"typing","id":"1","data":{"a":1}}'), { type: 'typing', id: '1', data: { a: 1 } })
  t.like(parseFrame('{"type":"hello","tenantId":"ten_1"}'), { type: 'hello', data: { tenantId: 'ten_1' } })
  for (const garbage of [
    '',
    '{',
    'null',
    '[]',
    '1',
    '{}',
    '{"type":1}',
    '{"type":"x","id":{}}',
    '{"type":"x","data":[]}',
  ])
    t.is(typeof parseFrame(garbage), 'string', garbage)
  t.is(typeof parseFrame(JSON.stringify({ type: 'x'.repeat(129) })), 'string')
})

test('parses tenant and last seen state of a hello', t => {
  t.deepEqual(parseHello({ tenantId: 'acme', lastSeqs: { [id]: 7 }, lastVersions: { [id]: 9 } }), {
    tenantId: 'acme',
    token: undefined,
    seen: new Map([[id, { seq: 7, version: 9 }]]),
  })
  const tooMany = Object.fromEntries(Array.from({ length: 501 }, () => [newId('cnv'), 1]))
  for (const bad of [
    {},
    { tenantId: '' },
    { tenantId: 1 },
    { tenantId: 'x'.repeat(129) },
    { tenantId: 'acme', token: 1 },
    { tenantId: 'acme', token: 'x'.repeat(513) },
    { tenantId: 'acme', lastSeqs: [] },
    { tenantId: 'acme', lastSeqs: { cnv_x: 1 } },
    { tenantId: 'acme', lastSeqs: { [id]: -1 } },
    { tenantId: 'acme', lastSeqs: { [id]: 1.5 } },
    { tenantId: 'acme', lastSeqs: { [id]: 2 ** 31 } },
    { tenantId: 'acme', lastSeqs: tooMany },
    { tenantId: 'acme', lastVersions: { [id]: '1' } },
  ])
    t.is(typeof parseHello(bad), 'string', JSON.stringify(bad).slice(0, 80))
})

test('accepts only ids of conversations', t => {
  const frame = (conversationId: unknown) => ({ type: 'typing', id: undefined, data: { conversationId } })
  t.is(conversationIdOf(frame(id)), id)
  for (const bad of [undefined, 1, '', 'cnv_', '__proto__', newId('msg')]) t.is(conversationIdOf(frame(bad)), undefined)
})

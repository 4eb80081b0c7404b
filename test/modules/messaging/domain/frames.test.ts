import test from 'ava'
import { newId } from '../../../../kernel/index.ts'
import { conversationIdOf, dataOf, parseHello } from '../../../../modules/messaging/domain/frames.ts'
import { parseFrame } from '../../../../services/http/sockets/realtime/frames.ts'

const id = newId('cnv')

function frame(value: object) {
  const parsed = parseFrame(JSON.stringify(value))
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed
}

test('data is nested or top-level', t => {
  t.deepEqual(dataOf(frame({ type: 'typing', id: '1', data: { a: 1 } })), { a: 1 })
  t.like(dataOf(frame({ type: 'hello', tenantId: 'ten_1' })), { tenantId: 'ten_1' })
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
  const typing = (conversationId: unknown) => frame({ type: 'typing', data: { conversationId } })
  t.is(conversationIdOf(typing(id)), id)
  t.is(conversationIdOf(frame({ type: 'typing', conversationId: id })), id)
  for (const bad of [undefined, 1, '', 'cnv_', '__proto__', newId('msg')])
    t.is(conversationIdOf(typing(bad)), undefined)
})

import test from 'ava'
import fc from 'fast-check'
import { isWording } from '../../../../kernel/base/wording.ts'
import {
  encodeRelayTail,
  encodeTail,
  isRelayed,
  parseHello,
  recipientOf,
  validateRecipient,
  validateRelayed,
  withoutSequence,
  withSequence,
} from '../../../../modules/streams/domain/frames.ts'
import { parseFrame } from '../../../../services/http/sockets/realtime/frames.ts'

const parse = (text: string) => parseFrame(text, validateRecipient)

test('a recipient is a short string', t => {
  const frame = parse('{"type":"x","id":"1","to":"p","from":"forged","data":{"a":1}}')
  if ('sentence' in frame) return t.fail()
  t.is(recipientOf(frame), 'p')
  for (const to of [1, null, {}, 'x'.repeat(129)])
    t.like(parse(JSON.stringify({ type: 'x', to })), { sentence: 'to must be a peer_id.' })
})

test('ignores a from member set by the client', t => {
  const frame = parse('{"from":"peer_b","type":"candidate","data":{"from":"x"},"from":"peer_c"}')
  if ('sentence' in frame) return t.fail()
  t.deepEqual(JSON.parse(withoutSequence(encodeRelayTail(frame, 'peer_a'))), {
    type: 'candidate',
    from: 'peer_a',
    data: { from: 'x' },
  })
})

test('a relayed frame contains only the real sender, type, recipient and data, for any notation', t => {
  const spaced = fc.constantFrom(' ', '\n\t', '')
  const member = fc.constantFrom('"from":"x"', '"\\u0066rom":"x"', '"seq":9', '"id":"i"', '"__proto__":{}', '"to":"p"')
  fc.assert(
    fc.property(spaced, fc.uniqueArray(member), fc.json(), (space, members, extra) => {
      const text = `${space}{${space}${[...members, '"type":"candidate"', `"data":{"x":${extra}}`].join(`,${space}`)}}`
      const frame = parse(text)
      if ('sentence' in frame) return false
      const { from, type, data, to, ...rest } = JSON.parse(withoutSequence(encodeRelayTail(frame, 'peer_a')))
      t.deepEqual({ from, type, data }, { from: 'peer_a', type: 'candidate', data: { x: JSON.parse(extra) } })
      t.deepEqual(rest, {})
      return to === recipientOf(frame)
    }),
  )
})

test('prepends a sequence number to a serialized frame', t => {
  const tail = encodeTail('ack', {}, { id: 'a' })
  t.deepEqual(JSON.parse(withSequence(7, tail)), { seq: 7, type: 'ack', id: 'a', data: {} })
  t.deepEqual(JSON.parse(withoutSequence(tail)), { type: 'ack', id: 'a', data: {} })
})

test('validates the data of relayed frames', t => {
  t.true(['description', 'candidate', 'renegotiate'].every(isRelayed))
  t.false(isRelayed('welcome'))
  const description = { type: 'offer', sdp: 'v=0' }
  t.is(validateRelayed('description', { connection_id: 'c', description }), undefined)
  t.is(validateRelayed('description', { connection_id: 'c', description: { type: 'rollback' } }), undefined)
  t.is(validateRelayed('candidate', { connection_id: 'c', candidate: null }), undefined)
  t.is(validateRelayed('candidate', { connection_id: 'c', candidate: {} }), undefined)
  t.is(validateRelayed('renegotiate', {}), undefined)
  for (const data of [{}, { connection_id: '' }, { connection_id: 'c' }, { connection_id: 'c', description: 1 }])
    t.true(isWording(validateRelayed('description', data)))
  t.true(isWording(validateRelayed('description', { connection_id: 'c', description: { type: 'x', sdp: '' } })))
  t.true(isWording(validateRelayed('description', { connection_id: 'c', description: { type: 'offer', sdp: {} } })))
  t.true(isWording(validateRelayed('candidate', { connection_id: 'c' })))
})

test('validates the data of hello frames', t => {
  t.deepEqual(parseHello({ token: 't', role: 'viewer', last_seq: 3, client: { name: 'x' } }), {
    token: 't',
    resumeToken: undefined,
    role: 'viewer',
    lastSeq: 3,
  })
  for (const data of [
    { token: 1 },
    { token: 'x'.repeat(513) },
    { resume_token: {} },
    { role: 'admin' },
    { last_seq: -1 },
  ])
    t.true(isWording(parseHello(data)), JSON.stringify(data))
})

import test from 'ava'
import fc from 'fast-check'
import {
  isFlaw,
  isRelayed,
  numbered,
  parseFrame,
  parseHello,
  plain,
  relayFlaw,
  relayTail,
  tailOf,
} from '../../../../modules/streams/domain/frames.ts'

test('a frame is a JSON object with a type, and short words', t => {
  t.deepEqual(parseFrame('{"type":"x","id":"1","to":"p","from":"forged","data":{"a":1}}'), {
    ...{ text: undefined, type: 'x', id: '1', to: 'p', data: { a: 1 } },
  })
  t.like(parseFrame('{"type":"leave"}'), { type: 'leave', id: undefined, to: undefined, data: {} })
  for (const text of ['', '{', '1', 'null', '[]', '{}', '{"type":null}', `{"type":"${'x'.repeat(129)}"}`])
    t.true(isFlaw(parseFrame(text)), text)
})

test('whatever comes is a frame or a flaw, and never an exception', t => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), text => {
      const frame = parseFrame(text)
      return isFlaw(frame) || typeof frame.type === 'string'
    }),
  )
  t.pass()
})

test('the server alone says whom a frame is from', t => {
  const frame = parseFrame('{"from":"peer_b","type":"candidate","data":{"from":"x"},"from":"peer_c"}')
  if (isFlaw(frame)) return t.fail()
  t.deepEqual(JSON.parse(plain(relayTail(frame, 'peer_a'))), { type: 'candidate', from: 'peer_a', data: { from: 'x' } })
})

test('however a frame is written, what is passed on says who it is from and what it said, and nothing else', t => {
  const spaced = fc.constantFrom(' ', '\n\t', '')
  const member = fc.constantFrom('"from":"x"', '"\\u0066rom":"x"', '"seq":9', '"id":"i"', '"__proto__":{}', '"to":"p"')
  fc.assert(
    fc.property(spaced, fc.uniqueArray(member), fc.json(), (space, members, extra) => {
      const text = `${space}{${space}${[...members, '"type":"candidate"', `"data":{"x":${extra}}`].join(`,${space}`)}}`
      const frame = parseFrame(text)
      if (isFlaw(frame)) return false
      const { from, type, data, to, ...rest } = JSON.parse(plain(relayTail(frame, 'peer_a')))
      t.deepEqual({ from, type, data }, { from: 'peer_a', type: 'candidate', data: { x: JSON.parse(extra) } })
      t.deepEqual(rest, {})
      return to === frame.to
    }),
  )
})

test('a number is put before a frame that is written once', t => {
  const tail = tailOf('ack', {}, { id: 'a' })
  t.deepEqual(JSON.parse(numbered(7, tail)), { seq: 7, type: 'ack', id: 'a', data: {} })
  t.deepEqual(JSON.parse(plain(tail)), { type: 'ack', id: 'a', data: {} })
})

test('what peers send each other has its shape', t => {
  t.true(['description', 'candidate', 'renegotiate'].every(isRelayed))
  t.false(isRelayed('welcome'))
  const description = { type: 'offer', sdp: 'v=0' }
  t.is(relayFlaw('description', { connection_id: 'c', description }), undefined)
  t.is(relayFlaw('description', { connection_id: 'c', description: { type: 'rollback' } }), undefined)
  t.is(relayFlaw('candidate', { connection_id: 'c', candidate: null }), undefined)
  t.is(relayFlaw('candidate', { connection_id: 'c', candidate: {} }), undefined)
  t.is(relayFlaw('renegotiate', {}), undefined)
  for (const data of [{}, { connection_id: '' }, { connection_id: 'c' }, { connection_id: 'c', description: 1 }])
    t.is(typeof relayFlaw('description', data), 'string')
  t.is(typeof relayFlaw('description', { connection_id: 'c', description: { type: 'x', sdp: '' } }), 'string')
  t.is(typeof relayFlaw('description', { connection_id: 'c', description: { type: 'offer', sdp: {} } }), 'string')
  t.is(typeof relayFlaw('candidate', { connection_id: 'c' }), 'string')
})

test('a hello brings words of its kind', t => {
  t.deepEqual(parseHello({ token: 't', role: 'viewer', last_seq: 3, client: { name: 'x' } }), {
    ...{ token: 't', resumeToken: undefined, role: 'viewer', lastSeq: 3 },
  })
  for (const data of [
    { token: 1 },
    { token: 'x'.repeat(513) },
    { resume_token: {} },
    { role: 'admin' },
    { last_seq: -1 },
  ])
    t.is(typeof parseHello(data), 'string', JSON.stringify(data))
})

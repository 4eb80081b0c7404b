import test from 'ava'
import { Webhook } from 'standardwebhooks'
import { generateSecret, sign, signedHeaders } from '../../../../modules/webhooks/domain/signature.ts'
import { verifies as check } from '../verify.ts'

const verifies = (secret: string, headers: Record<string, string>, body: string) => check(secret, { headers, body })

test('matches the signature example of the specification', t => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
  }
  t.is(sign('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', message), 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('a receiver verifies genuine messages only', t => {
  const secret = generateSecret()
  const headers = signedHeaders([secret], { id: 'msg_1', timestamp: 5, body: 'é' })
  t.true(verifies(secret, headers, 'é'))
  t.false(verifies(secret, headers, 'e'))
  t.false(verifies(secret, { ...headers, 'webhook-id': 'msg_2' }, 'é'))
  t.false(verifies(secret, { ...headers, 'webhook-timestamp': '6' }, 'é'))
  t.false(verifies(generateSecret(), headers, 'é'))
})

test('the previous and the new secret verify during a rotation', t => {
  const [before, after] = [generateSecret(), generateSecret()]
  const headers = signedHeaders([after, before], { id: 'msg_1', timestamp: 5, body: '{}' })
  t.true(verifies(before, headers, '{}'))
  t.true(verifies(after, headers, '{}'))
})

test('a secret consists of whsec_ and 32 bytes in base64', t => {
  t.regex(generateSecret(), /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.not(generateSecret(), generateSecret())
})

test('the reference library of Standard Webhooks verifies messages, also during a rotation', t => {
  const [before, after] = [generateSecret(), generateSecret()]
  const message = {
    id: 'msg_1',
    timestamp: Math.floor(Date.now() / 1000),
    body: '{"type":"session.created","name":"é"}',
  }
  const headers = signedHeaders([after, before], message)
  for (const secret of [before, after])
    t.deepEqual(new Webhook(secret).verify(message.body, headers), JSON.parse(message.body))
  t.throws(() => new Webhook(generateSecret()).verify(message.body, headers))
  t.throws(() => new Webhook(after).verify(message.body.replace('é', 'e'), headers))
})

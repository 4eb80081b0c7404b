import { createHmac } from 'node:crypto'
import test from 'ava'
import { verifiedDelivery } from '../../../../modules/automations/domain/hook-signature.ts'

const NOW = 1_700_000_000
const body = Buffer.from('{}')

function standard(secret: string, key: Buffer) {
  const signature = createHmac('sha256', key).update(`msg_1.${NOW}.`).update(body).digest('base64')
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(NOW), 'webhook-signature': `v1,${signature}` }
  return verifiedDelivery({ verify: 'standard-webhooks', secret }, { headers, body, now: NOW * 1000 })
}

test('a secret of Standard Webhooks that is no Base64 verifies nothing, not even the empty key', t => {
  t.is(standard('whsec_????????????????', Buffer.alloc(0)), undefined)
})

test('a secret of Standard Webhooks is the key that it encodes', t => {
  const key = Buffer.from('a key with 24 bytes here')
  t.deepEqual(standard(`whsec_${key.toString('base64')}`, key), { id: 'msg_1' })
})

test('a secret with signs beyond ASCII is the same in UTF-8 and in Latin-1', t => {
  const secret = 'Schlüssel der Werkstatt'
  const verify = (authorization: string) =>
    verifiedDelivery({ verify: 'secret', secret, prefix: 'Bearer ' }, { headers: { authorization }, body, now: NOW })
  t.truthy(verify(`Bearer ${secret}`))
  t.truthy(verify(`Bearer ${Buffer.from(secret, 'utf8').toString('latin1')}`))
  t.is(verify('Bearer Schlussel der Werkstatt'), undefined)
})

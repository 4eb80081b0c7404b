import test from 'ava'
import { publicPayload, toBody, toPayload, webhookType } from '../../../../modules/webhooks/domain/payload.ts'

test('the body of a session webhook contains the event and sent_at in seconds, but not the destination', t => {
  const payload = toPayload({ session_id: 'ses_1', sequence: 2, webhook: { url: 'https://a.test', events: [] } })
  const message = {
    id: 'msg_1',
    event_id: 'evt_1',
    type: 'session.ended',
    occurred_at: new Date('2026-01-01T00:00:00Z'),
    endpoint_id: null,
    event_tenant_id: null,
    subject: null,
    payload,
  }
  t.deepEqual(JSON.parse(toBody(message, 1_700_000_000_999)), {
    type: 'session.ended',
    session_id: 'ses_1',
    sequence: 2,
    sent_at: 1_700_000_000,
    id: 'msg_1',
    occurred_at: '2026-01-01T00:00:00.000Z',
  })
})

test('the type is the event type without the module', t => {
  t.is(webhookType('sessions.session.created'), 'session.created')
  t.is(webhookType('streams.stream.sources_updated'), 'stream.sources_updated')
})

test('the body for an endpoint has the payload in an envelope', t => {
  const message = {
    id: 'msg_1',
    event_id: 'evt_1',
    type: 'identity.tenant.updated',
    occurred_at: new Date('2026-01-01T00:00:00Z'),
    endpoint_id: 'whe_1',
    event_tenant_id: 'ten_1',
    subject: 'ten_1',
    payload: { id: 'not the id of the message', type: 'x' },
  }
  t.deepEqual(JSON.parse(toBody(message, 1_700_000_000_999)), {
    id: 'msg_1',
    type: 'identity.tenant.updated',
    event_id: 'evt_1',
    occurred_at: '2026-01-01T00:00:00.000Z',
    sent_at: 1_700_000_000,
    tenant_id: 'ten_1',
    subject: 'ten_1',
    data: { id: 'not the id of the message', type: 'x' },
  })
})

test('a payload is reduced to the fields of its public schema', t => {
  t.deepEqual(publicPayload({ a: 1, webhook: { url: 'x' }, later: true }, new Set(['a', 'b'])), { a: 1 })
})

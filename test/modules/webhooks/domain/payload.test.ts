import test from 'ava'
import { toBody, toPayload, webhookType } from '../../../../modules/webhooks/domain/payload.ts'

test('the body contains the event and sent_at in seconds, but not the destination', t => {
  const payload = toPayload({ session_id: 'ses_1', sequence: 2, webhook: { url: 'https://a.test', events: [] } })
  const told = { id: 'msg_1', type: 'session.ended', occurred_at: new Date('2026-01-01T00:00:00Z'), payload }
  t.deepEqual(JSON.parse(toBody(told, 1_700_000_000_999)), {
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

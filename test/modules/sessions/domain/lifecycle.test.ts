import test from 'ava'
import { type Life, lifeAt } from '../../../../modules/sessions/domain/lifecycle.ts'

const T = Date.UTC(2026, 0, 1)
const created: Life = { status: 'created', expires_at: new Date(T), ends_at: null, ended_at: null, end_reason: null }

test('a created session expires at exactly its time and not a millisecond sooner', t => {
  t.is(lifeAt(created, T - 1).status, 'created')
  t.is(lifeAt(created, T).status, 'expired')
  t.is(lifeAt(created, T + 1).status, 'expired')
})

test('accepting stops the time to live', t => {
  t.is(lifeAt({ ...created, status: 'accepted' }, T + 1e12).status, 'accepted')
})

test('an accepted session ends when its longest duration is over, at that moment and for that reason', t => {
  const accepted: Life = { ...created, status: 'accepted', ends_at: new Date(T + 5000) }
  t.is(lifeAt(accepted, T + 4999).status, 'accepted')
  t.deepEqual(lifeAt(accepted, T + 9000), {
    ...accepted,
    status: 'ended',
    ended_at: new Date(T + 5000),
    end_reason: 'max_duration',
  })
})

test('what is over stays what it became', t => {
  const ended: Life = { ...created, status: 'ended', ended_at: new Date(T - 1), end_reason: 'owner' }
  t.deepEqual(lifeAt(ended, T + 1), ended)
  t.is(lifeAt({ ...created, status: 'expired' }, T - 1).status, 'expired')
})

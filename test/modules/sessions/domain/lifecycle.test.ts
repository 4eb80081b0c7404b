import test from 'ava'
import { type Lifecycle, lifecycleAt } from '../../../../modules/sessions/domain/lifecycle.ts'

const T = Date.UTC(2026, 0, 1)
const created: Lifecycle = {
  status: 'created',
  expires_at: new Date(T).toISOString(),
  ends_at: null,
  ended_at: null,
  end_reason: null,
}

test('a created session expires exactly at expires_at', t => {
  t.is(lifecycleAt(created, T - 1).status, 'created')
  t.is(lifecycleAt(created, T).status, 'expired')
  t.is(lifecycleAt(created, T + 1).status, 'expired')
})

test('an accepted session does not expire', t => {
  t.is(lifecycleAt({ ...created, status: 'accepted' }, T + 1e12).status, 'accepted')
})

test('an accepted session ends at its maximum duration with that reason', t => {
  const accepted: Lifecycle = { ...created, status: 'accepted', ends_at: new Date(T + 5000).toISOString() }
  t.is(lifecycleAt(accepted, T + 4999).status, 'accepted')
  t.deepEqual(lifecycleAt(accepted, T + 9000), {
    ...accepted,
    status: 'ended',
    ended_at: new Date(T + 5000).toISOString(),
    end_reason: 'max_duration',
  })
})

test('a finished session keeps its status', t => {
  const ended: Lifecycle = { ...created, status: 'ended', ended_at: new Date(T - 1).toISOString(), end_reason: 'owner' }
  t.deepEqual(lifecycleAt(ended, T + 1), ended)
  t.is(lifecycleAt({ ...created, status: 'expired' }, T - 1).status, 'expired')
})

import { common, defineProblems, defineReasons, named, OneOf, Type } from '@larder-dev/larder/kernel'
import { STATUSES } from './domain/lifecycle.ts'

const FinishedSession = named('FinishedSession', Type.Object({ id: Type.String(), status: OneOf(STATUSES) }))

export const problems = defineProblems({
  invalid_join_token: [401, 'This join token is invalid. Request a new one.'],
  token_session_mismatch: [403, 'This join token belongs to another session.'],
  session_ended: [410, 'This session has ended.', { session: FinishedSession }],
  session_expired: [410, 'This session expired before it was accepted.', { session: FinishedSession }],
})

export const stateProblems = defineReasons(common.invalid_state, {
  accepted: "This session is over and can't be accepted.",
  ended: "This session has expired and can't be ended.",
  token: 'Only a session that has not been accepted yet can get a new join token.',
})
export const conflicts = defineReasons(common.conflict, {
  changed: 'The session changed during the request. Try again.',
})

import { common, defineProblems, named, OneOf, type Problem, Type } from '@larder-dev/larder/kernel'
import { type SessionStatus, STATUSES } from './domain/lifecycle.ts'

const FinishedSession = named('FinishedSession', Type.Object({ id: Type.String(), status: OneOf(STATUSES) }))

export const problems = defineProblems({
  invalid_join_token: [401, 'This join token is invalid. Request a new one.'],
  token_session_mismatch: [403, 'This join token belongs to another session.'],
  session_ended: [410, 'This session has ended.', { session: FinishedSession }],
  session_expired: [410, 'This session expired before it was accepted.', { session: FinishedSession }],
})

export const invalidTransition = (action: string, status: SessionStatus): Problem =>
  common.invalid_state({ reason: `A session that is ${status} can't be ${action}.` })

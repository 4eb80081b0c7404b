import { common, defineProblems, type Problem } from 'larder/kernel'
import type { SessionStatus } from './domain/lifecycle.ts'

export const problems = defineProblems({
  invalid_join_token: [401, 'This join token is invalid. Request a new one.'],
  token_session_mismatch: [403, 'This join token belongs to another session.'],
  session_ended: [410, 'This session has ended.'],
  session_expired: [410, 'This session expired before it was accepted.'],
})

export const invalidTransition = (action: string, status: SessionStatus): Problem =>
  common.invalid_state({ reason: `A session that is ${status} can't be ${action}.` })

/** 422 for one field of the body, for rules that the schema does not express. */
export const invalidField = (pointer: string, code: string, detail: string): Problem =>
  common.validation_failed({}, { errors: [{ pointer, code, detail }] })

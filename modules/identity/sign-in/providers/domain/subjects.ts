/** Who people are at a provider. Pure. */
import { providerProblems } from '../problems.ts'

/** More than any provider sends. The index of the identities holds no much longer ones. */
const MAX_BYTES = 1024
/** They are part of no identifier, and PostgreSQL doesn't store all of them. */
const CONTROLS = /\p{Cc}|\p{Cs}/u

/** Why the text identifies nobody. */
export function subjectProblem(text: unknown) {
  if (typeof text !== 'string' || text === '' || CONTROLS.test(text)) return providerProblems.invalid_subject
  return Buffer.byteLength(text) > MAX_BYTES ? providerProblems.subject_too_long : undefined
}

/** Throws `invalid_subject` and `subject_too_long`. */
export function assertSubject(text: unknown): void {
  const problem = subjectProblem(text)
  if (problem) throw problem()
}

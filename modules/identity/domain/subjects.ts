/** Who people are at a provider. Pure. */
import { problems } from '../problems.ts'

/** More than any provider sends. The index of the identities holds no much longer ones. */
const MAX_BYTES = 1024

export const isSubject = (text: string): boolean => Buffer.byteLength(text) <= MAX_BYTES

/** Throws `subject_too_long`. */
export function assertSubject(text: string): void {
  if (!isSubject(text)) throw problems.subject_too_long()
}

/** Answers to many flags at once, as they go over the wire: kept, because most who ask differ in nothing that counts. */

import { createHash } from 'node:crypto'
import { etag, MIB } from 'larder/kernel'

export interface Written {
  readonly body: string
  readonly etag: string
}
/** Characters of all that is kept. */
const MOST = 16 * MIB
/** Characters of a question; a longer one comes from somebody whose answer nobody else will get. */
const LONGEST_QUESTION = 2_000

/** Questions that were asked once: the second time they are worth keeping. */
const FIRST_TIMERS = 2_000

/** @param most characters that are kept; the oldest answers go first. */
export function createAnswers(most = MOST) {
  const kept = new Map<string, Written>()
  const once = new Set<string>()
  let size = 0

  /** A thousand users who ask once each would push out what everybody asks. */
  function isWorthKeeping(question: string): boolean {
    if (question.length > LONGEST_QUESTION) return false
    if (once.delete(question)) return true
    const [oldest] = once
    if (once.size >= FIRST_TIMERS && oldest !== undefined) once.delete(oldest)
    once.add(question)
    return false
  }

  function keep(question: string, answer: Written): void {
    const weight = (key: string, { body }: Written) => key.length + body.length
    if (weight(question, answer) > most) return
    kept.set(question, answer)
    size += weight(question, answer)
    for (const [oldest, old] of kept) {
      if (size <= most) return
      kept.delete(oldest)
      size -= weight(oldest, old)
    }
  }

  return {
    of(question: string, write: () => string): Written {
      const found = kept.get(question)
      if (found) return found
      const answer = written(write())
      if (isWorthKeeping(question)) keep(question, answer)
      return answer
    },
  }
}
export type Answers = ReturnType<typeof createAnswers>

/** Its tag says what it says, so that every process gives the same one. */
export function written(body: string): Written {
  return { body, etag: etag(createHash('sha256').update(body).digest('base64url').slice(0, 22)) }
}

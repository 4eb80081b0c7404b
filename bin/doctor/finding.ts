/** What a check of `larder doctor` found. */
import { SECOND } from '../../kernel/base/index.ts'

export interface Finding {
  /** `skip`: not checked, and `what` says why. */
  readonly state: 'ok' | 'warn' | 'fail' | 'skip'
  readonly what: string
  /** What to do. */
  readonly fix?: string
}

/** How long a server may take to answer one question. */
export const ANSWER_MS = 10 * SECOND
/** How long a check may take, whatever it waits for. */
const CHECK_MS = 60 * SECOND

/** Never rejects, and ends in time. */
export async function within(check: string, work: Promise<Finding[]>, limitMs = CHECK_MS): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Finding[]>(resolve => {
    const what = `the check "${check}" didn't end within ${limitMs / SECOND} s`
    const fix =
      "A server accepts connections and doesn't answer, or a disk hangs. Run it again, or examine them by hand."
    timer = setTimeout(() => resolve([{ state: 'fail', what, fix }]), limitMs)
  })
  const failed = (error: unknown): Finding[] => [
    { state: 'fail', what: `the check "${check}" failed: ${reason(error)}`, fix: 'Correct this, and run it again.' },
  ]
  return Promise.race([work.catch(failed), late]).finally(() => clearTimeout(timer))
}

/** Falls back to the code: a refused connection to a host with several addresses has an empty message. */
export const reason = (error: unknown): string =>
  error instanceof Error ? error.message || String(Reflect.get(error, 'code') ?? error.name) : String(error)

/**
 * Completes each sign-in with a redirect once: a provider that gets a code twice revokes what it gave for it. A browser
 * that repeats the request, as after a double click, shows only the last response, so it gets the same one again for a
 * short time.
 */
import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Deps, SECOND, type SealedColumn, sealedValues } from '@larder-dev/larder/kernel'
import { timeAt } from '../domain/time.ts'
import { returnTable } from './records/sign-in-return.ts'
import { FLOW_TTL_MS, type SignInFlow } from './sign-in-flows.ts'

const REPEAT_MS = 30 * SECOND
const POLL_MS = 100
/** In base64url. */
export const ANSWER_COLUMN: SealedColumn = {
  table: 'identity_sign_in_returns',
  column: 'answer',
  purpose: 'sign_in_answer',
  readWhile: "answer <> '' and expires_at > now()",
}
/** What is stored for a request that ended without an answer. */
const NONE = ''

export interface SignInAnswer {
  readonly location: string
  /** `Set-Cookie` headers. */
  readonly cookies: readonly string[]
}
interface KeptAnswer extends SignInAnswer {
  /** Unix time in milliseconds. */
  readonly expiresAt: number
}
export interface SignInReturns {
  /**
   * Runs `complete` for one request of a flow, in whichever process. Others wait for its answer. Undefined if there is none,
   * or if it is older than 30 seconds.
   */
  once(flow: SignInFlow, complete: () => Promise<SignInAnswer>): Promise<SignInAnswer | undefined>
}

export function createSignInReturns({
  systemDatabase,
  secrets,
  log,
  clock,
}: Deps<'systemDatabase' | 'secrets' | 'log' | 'clock'>): SignInReturns {
  const values = sealedValues({ secrets, log }, ANSWER_COLUMN)
  const returns = () => systemDatabase.acrossTenants('people sign in before their tenant is known')

  async function settle(id: Buffer, answer: string): Promise<void> {
    await returns().query('update identity_sign_in_returns set answer = $2 where id = $1', [id, answer])
  }

  async function completeFirst(id: Buffer, complete: () => Promise<SignInAnswer>): Promise<SignInAnswer> {
    try {
      const answer = await complete()
      const kept: KeptAnswer = { ...answer, expiresAt: clock.now() + REPEAT_MS }
      await settle(id, values.seal(JSON.stringify(kept)).toString('base64url'))
      return answer
    } catch (error) {
      await settle(id, NONE)
      throw error
    }
  }

  /** Undefined if it has expired. */
  function open(answer: string): SignInAnswer | undefined {
    const text = answer === NONE ? undefined : values.tryOpen(Buffer.from(answer, 'base64url'))
    if (text === undefined) return undefined
    const { expiresAt, ...opened } = JSON.parse(text) as KeptAnswer
    return expiresAt > clock.now() ? opened : undefined
  }

  async function waitFor(id: Buffer): Promise<SignInAnswer | undefined> {
    for (const until = performance.now() + REPEAT_MS; performance.now() < until; await setTimeout(POLL_MS)) {
      const { rows } = await returns().query<{ readonly answer: string | null }>(
        'select answer from identity_sign_in_returns where id = $1',
        [id],
      )
      const answer = rows[0]?.answer
      if (typeof answer === 'string') return open(answer)
    }
    return undefined
  }

  return {
    async once({ session }, complete) {
      // Only the browser that started the flow has its session. Strategies change it.
      const id = createHash('sha256').update(JSON.stringify(session)).digest()
      // The flow expires before.
      const started = { id, expiresAt: timeAt(clock, FLOW_TTL_MS) }
      const { rowCount } = await returns().query(...returnTable.insertStep(started, 'on conflict do nothing'))
      return rowCount === 1 ? completeFirst(id, complete) : waitFor(id)
    },
  }
}

/** `Idempotency-Key`: a repeated POST has one effect and returns the same response. */

import { createHash } from 'node:crypto'
import {
  common,
  DAY,
  type Deps,
  fingerprint,
  SECOND,
  type SealedColumn,
  type SealedValues,
  sealedValues,
  type Unit,
} from '@larder-dev/larder/kernel/internal'
import { http } from '../problems.ts'
import type { HeaderMap } from '../response-writer.ts'

/** A response, ready to send. */
export interface EncodedResponse {
  readonly status: number
  readonly type: string
  readonly body: string | undefined
  /** Replaces the body when it is too large for memory. For reads only, because it can't be replayed. */
  readonly stream?: AsyncIterable<string | Buffer>
  readonly headers: HeaderMap
}

export interface Attempt {
  readonly key: string
  readonly tenantId: string | undefined
  /** Whether the work is of other tenants than this one. False by default. */
  readonly isAcross?: boolean
  /** Part of the key: callers never share keys. */
  readonly caller: string
  readonly method: string
  readonly path: string
  readonly query: string
  /** The parsed body: a retry may write the same value differently. */
  readonly body: unknown
}

export interface Idempotency {
  /** Runs `work` and stores its response in one transaction, which all ports called inside join. */
  run(attempt: Attempt, work: () => Promise<EncodedResponse>): Promise<EncodedResponse>
  /** Deletes expired responses. */
  sweep(): Promise<void>
}

export const ANSWER_COLUMN: SealedColumn = {
  table: 'larder_idempotency',
  column: 'answer',
  purpose: 'idempotency',
  readWhile: 'expires_at > now()',
}
const RETENTION_SECONDS = DAY / SECOND

const digest = (...parts: string[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length} `).update(part)
  return hash.digest('base64url')
}

/** A list keeps the order of its values. */
const sortedQuery = (search: string): string => {
  const query = new URLSearchParams(search)
  query.sort()
  return query.toString()
}

type Needs = Deps<'database' | 'systemDatabase' | 'secrets' | 'log'>

export function createIdempotency({ database, systemDatabase, secrets, log }: Needs): Idempotency {
  const values = sealedValues({ secrets, log }, ANSWER_COLUMN)
  const unitOf = ({ tenantId, isAcross }: Attempt): Unit =>
    tenantId === undefined || isAcross
      ? systemDatabase.acrossTenants('the response of a POST outside its tenant is stored with its effect')
      : database.tenant(tenantId)

  async function attemptIn(
    unit: Unit,
    attempt: Attempt,
    work: () => Promise<EncodedResponse>,
  ): Promise<EncodedResponse> {
    const { tenantId = '', caller, method, path, key } = attempt
    const id = digest(tenantId, caller, method, path, key)
    const request = fingerprint([sortedQuery(attempt.query), attempt.body ?? null])
    const found = await unit.all({
      lock: ['select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free', [id]],
      // A separate statement, so that it sees what the previous holder of the lock committed.
      stored: ['select request_hash, answer from larder_idempotency where id = $1 and expires_at > now()', [id]],
    })
    const [stored] = found.stored.rows as { request_hash: string; answer: Buffer }[]
    if (stored && stored.request_hash !== request) throw common.idempotency_mismatch()
    // Also while another replay holds the lock.
    if (stored) return replayed(values, stored.answer)
    if (!found.lock.rows[0]?.free) throw common.idempotency_in_progress()
    const answer = await work()
    if (answer.status < 300) await store(unit, values, tenantId, id, request, answer)
    return answer
  }

  return {
    run: (attempt, work) => {
      const unit = unitOf(attempt)
      return unit.transaction(inside => attemptIn(inside, attempt, work))
    },
    async sweep() {
      const system = systemDatabase.acrossTenants('expired responses of every tenant are deleted')
      await system.query('delete from larder_idempotency where expires_at <= now()')
    },
  }
}

/** Replaces an expired row of the same key. */
async function store(
  unit: Unit,
  values: SealedValues,
  tenantId: string,
  id: string,
  request: string,
  answer: EncodedResponse,
) {
  const sealed = values.seal(JSON.stringify(answer))
  await unit.defer([
    [
      `insert into larder_idempotency (tenant_id, id, request_hash, answer, expires_at)
       values ($1, $2, $3, $4, now() + make_interval(secs => $5))
       on conflict (id) do update
         set request_hash = excluded.request_hash, answer = excluded.answer, expires_at = excluded.expires_at`,
      [tenantId, id, request, sealed, RETENTION_SECONDS],
    ],
  ])
}

/** Throws `replay_unreadable` if the secret that encrypted the response is lost. */
function replayed(values: SealedValues, sealed: Buffer): EncodedResponse {
  const answer = JSON.parse(values.open(sealed, http.replay_unreadable)) as EncodedResponse
  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } }
}

/** Creates sessions: validates what the schema does not express, then stores row and event in one batch. */
import {
  currentContext,
  type Deps,
  invalidField,
  isUniqueViolation,
  newId,
  parseUrl,
  SECOND,
  type Step,
  wording,
} from '@larder-dev/larder/kernel'
import { generateCode } from '../domain/code.ts'
import { generateJoinToken, hashJoinToken } from '../domain/join-token.ts'
import { validateMetadata } from '../domain/metadata.ts'
import { defaultTtlSeconds, MAX_TTL_SECONDS, type SessionsOptions } from '../options.ts'
import type { CreatedSession, NewSession, Session } from '../ports.ts'
import { sessionTable } from '../records.ts'
import { toEventPayload, toSession } from './session-records.ts'

type CreateDeps = Deps<'database' | 'events' | 'clock', 'webhookTargets'>
type ExtraStatements = (session: Session) => readonly Step[]
/** There are 28^9 codes, so that a collision of two live sessions is rare. */
const MAX_CODE_ATTEMPTS = 5
/** Unique among the codes of sessions that haven't ended. */
const LIVE_CODE = 'sessions_live_code'

/** `nextCode` is replaced in tests. */
export function createSessionCreation(
  deps: CreateDeps,
  options: SessionsOptions,
  nextCode: () => string = generateCode,
) {
  const { database, events, clock } = deps

  return async (tenantId: string, input: NewSession, also: ExtraStatements = () => []): Promise<CreatedSession> => {
    assertValid(input, deps)
    const { ttl_seconds: ttl = defaultTtlSeconds(options, input.mode), ...given } = input
    const joinToken = generateJoinToken()
    for (let attempt = 1; ; attempt++) {
      const now = clock.now()
      const values = {
        ...given,
        id: newId('ses', now),
        code: nextCode(),
        workspace_id: tenantId,
        created_at: new Date(now).toISOString(),
        expires_at: new Date(now + ttl * SECOND).toISOString(),
      }
      const session = toSession(sessionTable.record(values), now)
      try {
        await database.tenant(tenantId).all([
          sessionTable.insertStep({ ...values, join_token_hash: hashJoinToken(joinToken) }),
          events.publishStep('sessions.session.created', {
            tenantId,
            subject: session.id,
            payload: toEventPayload(session),
          }),
          ...also(session),
        ])
      } catch (error) {
        // Inside a caller's transaction a retry is impossible: the error has aborted that transaction.
        if (attempt < MAX_CODE_ATTEMPTS && isUniqueViolation(error, LIVE_CODE) && currentContext().unit === undefined)
          continue
        throw error
      }
      return { ...session, join_token: joinToken, expires_in: ttl }
    }
  }
}

function assertValid(input: NewSession, { webhookTargets }: Pick<CreateDeps, 'webhookTargets'>): void {
  const maxTtl = MAX_TTL_SECONDS[input.mode]
  if (input.ttl_seconds !== undefined && input.ttl_seconds > maxTtl)
    throw invalidField(
      '/ttl_seconds',
      'too_large',
      wording('must be {limit} or less for the mode {mode}', { limit: maxTtl, mode: input.mode }),
    )
  const error = input.metadata && validateMetadata(input.metadata)
  if (error) throw invalidField('/metadata', error.code, error.detail)
  if (input.webhook_url === undefined) return
  const refusal = isHttpUrl(input.webhook_url)
    ? webhookTargets?.refusal(input.webhook_url)
    : wording('must be an absolute http or https URL')
  if (refusal) throw invalidField('/webhook_url', 'wrong_format', refusal)
}

const isHttpUrl = (text: string): boolean => /^https?:$/.test(parseUrl(text)?.protocol ?? '')

/** Creates sessions: validates what the schema does not express, then stores row and event in one batch. */
import { currentContext, type Deps, invalidField, isUniqueViolation, newId, SECOND, type Step } from 'larder/kernel'
import { generateCode } from '../domain/code.ts'
import { generateJoinToken, hashJoinToken } from '../domain/join-token.ts'
import { validateMetadata } from '../domain/metadata.ts'
import { recommendedSettings, VIEWER_PROTOCOLS } from '../domain/profiles.ts'
import { DEFAULT_WEBHOOK_EVENTS } from '../domain/webhook-events.ts'
import { defaultTtlSeconds, MAX_TTL_SECONDS, type SessionsOptions } from '../options.ts'
import type { CreatedSession, NewSession, Session } from '../ports.ts'
import { toEventPayload } from './session-records.ts'

type CreateDeps = Deps<'database' | 'events' | 'clock', 'webhookTargets'>
type ExtraStatements = (session: Session) => readonly Step[]
/** There are 28^9 codes, so that a collision of two live sessions is rare. */
const MAX_CODE_ATTEMPTS = 5
/** Unique among the codes of sessions that haven't ended. */
const LIVE_CODE = 'sessions_live_code'
const INSERT = `insert into sessions_sessions (tenant_id, id, code, join_token_hash, mode, stream_profile, audio_enabled,
    purpose, customer, metadata, webhook_url, webhook_events, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`

/** `nextCode` is replaced in tests. */
export function createSessionCreation(
  deps: CreateDeps,
  options: SessionsOptions,
  nextCode: () => string = generateCode,
) {
  const { database, events, clock } = deps

  return async (tenantId: string, input: NewSession, also: ExtraStatements = () => []): Promise<CreatedSession> => {
    assertValid(input, deps)
    const ttl = input.ttl_seconds ?? defaultTtlSeconds(options, input.mode)
    const joinToken = generateJoinToken()
    for (let attempt = 1; ; attempt++) {
      const session = buildSession(tenantId, input, { code: nextCode(), ttl, now: clock.now() })
      try {
        await database.tenant(tenantId).batch([
          [INSERT, insertValues(session, hashJoinToken(joinToken))],
          events.step('sessions.session.created', {
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
      database.afterCommit(events.wakeWorkers)
      return { ...session, join_token: joinToken, expires_in: ttl }
    }
  }
}

function assertValid(input: NewSession, { webhookTargets }: Pick<CreateDeps, 'webhookTargets'>): void {
  const maxTtl = MAX_TTL_SECONDS[input.mode]
  if (input.ttl_seconds !== undefined && input.ttl_seconds > maxTtl)
    throw invalidField('/ttl_seconds', 'too_large', `must be <= ${maxTtl} for the mode ${input.mode}`)
  const error = input.metadata && validateMetadata(input.metadata)
  if (error) throw invalidField('/metadata', error.code, error.detail)
  if (input.webhook_url === undefined) return
  const refusal = isHttpUrl(input.webhook_url)
    ? webhookTargets?.refusal(input.webhook_url)
    : 'must be an absolute http or https URL'
  if (refusal) throw invalidField('/webhook_url', 'wrong_format', refusal)
}

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** `ttl` in seconds; `now` in milliseconds since 1970. */
function buildSession(
  tenantId: string,
  input: NewSession,
  { code, ttl, now }: { readonly code: string; readonly ttl: number; readonly now: number },
): Session {
  const { mode, stream_profile = 'balanced', audio_enabled = true } = input
  return {
    id: newId('ses', now),
    code,
    mode,
    stream_profile,
    audio_enabled,
    purpose: input.purpose ?? null,
    customer: input.customer ?? null,
    metadata: input.metadata ?? {},
    status: 'created',
    viewer_protocols: VIEWER_PROTOCOLS,
    recommended_settings: recommendedSettings(stream_profile, audio_enabled),
    workspace_id: tenantId,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + ttl * SECOND).toISOString(),
    accepted_at: null,
    ended_at: null,
    end_reason: null,
    webhook_url: input.webhook_url ?? null,
    webhook_events: input.webhook_events ?? DEFAULT_WEBHOOK_EVENTS,
    sequence: 1,
  }
}

const insertValues = (session: Session, tokenHash: Buffer): unknown[] => [
  session.workspace_id,
  session.id,
  session.code,
  tokenHash,
  session.mode,
  session.stream_profile,
  session.audio_enabled,
  session.purpose,
  session.customer,
  JSON.stringify(session.metadata),
  session.webhook_url,
  session.webhook_events,
  session.created_at,
  session.expires_at,
]

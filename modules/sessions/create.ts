/** A new session: what no schema can know is checked, then row and event go in one flight. */

import { currentContext, type Deps, newId, SECOND, type Step } from 'larder/kernel'
import { newCode } from './core/code.ts'
import { metadataFlaw } from './core/metadata.ts'
import { recommendedSettings, VIEWER_PROTOCOLS } from './core/profiles.ts'
import { hashToken, newJoinToken } from './core/token.ts'
import { MAX_TTL, type SessionsOptions, standardTtl } from './options.ts'
import type { CreatedSession, NewSession, Session } from './ports.ts'
import { invalidField } from './problems.ts'
import { noticeOf } from './rows.ts'
import { STANDARD_EVENTS } from './schemas.ts'

type CreateDeps = Deps<'database' | 'events' | 'clock', 'webhookTargets'>
type Also = (session: Session) => readonly Step[]
/** Of 28^9 codes two live sessions hardly ever draw the same. */
const TRIES = 5
const INSERT = `insert into sessions_sessions (tenant_id, id, code, join_token_hash, mode, stream_profile, audio_enabled,
    purpose, customer, metadata, webhook_url, webhook_events, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`

/** @param draw a new code */
export function createSessionMaker(deps: CreateDeps, options: SessionsOptions, draw: () => string = newCode) {
  const { database, events, clock } = deps

  return async (tenantId: string, input: NewSession, also: Also = () => []): Promise<CreatedSession> => {
    check(input, deps)
    const ttl = input.ttl_seconds ?? standardTtl(options, input.mode)
    const joinToken = newJoinToken()
    for (let tries = 1; ; tries++) {
      const session = toNew(tenantId, input, { code: draw(), ttl, now: clock.now() })
      try {
        await database
          .tenant(tenantId)
          .batch([
            [INSERT, valuesOf(session, hashToken(joinToken))],
            events.step('sessions.session.created', { tenantId, subject: session.id, payload: noticeOf(session) }),
            ...also(session),
          ])
      } catch (error) {
        // Inside somebody's transaction the failure has ended it: they must begin again.
        if (tries < TRIES && isTakenCode(error) && currentContext().unit === undefined) continue
        throw error
      }
      database.afterCommit(events.wakeWorkers)
      return { ...session, join_token: joinToken, expires_in: ttl }
    }
  }
}

function check(input: NewSession, { webhookTargets }: Pick<CreateDeps, 'webhookTargets'>): void {
  const longest = MAX_TTL[input.mode]
  if (input.ttl_seconds !== undefined && input.ttl_seconds > longest)
    throw invalidField('/ttl_seconds', 'too_large', `must be <= ${longest} for the mode ${input.mode}`)
  const flaw = input.metadata && metadataFlaw(input.metadata)
  if (flaw) throw invalidField('/metadata', flaw.code, flaw.detail)
  if (input.webhook_url === undefined) return
  const refusal = isWebAddress(input.webhook_url)
    ? webhookTargets?.refusal(input.webhook_url)
    : 'must be a whole http or https address'
  if (refusal) throw invalidField('/webhook_url', 'wrong_format', refusal)
}

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** `ttl` in seconds, `now` in milliseconds since 1970. */
function toNew(
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
    webhook_events: input.webhook_events ?? STANDARD_EVENTS,
    sequence: 1,
  }
}

const valuesOf = (session: Session, tokenHash: Buffer): unknown[] => [
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

const isTakenCode = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'sessions_live_code'

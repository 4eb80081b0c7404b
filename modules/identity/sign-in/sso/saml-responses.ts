/**
 * Responses of SAML come as posts from another site, without the cookie of the sign-in. Each is claimed, verified once and kept
 * with its request until the browser fetches it with a code, which only the browser that posted it gets. The cookie then
 * proves that the same browser started: either alone would let a stranger finish the sign-in of somebody else.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Deps, MINUTE, SECOND } from '@larder-dev/larder/kernel'
import { hashSecret } from '../../domain/secrets.ts'
import { timeAt } from '../../domain/time.ts'
import { failurePath } from '../domain/sign-in-failures.ts'
import { storableJson } from '../providers/domain/provided.ts'
import { SSO } from '../sign-in-methods.ts'
import { type ResponseOutline, readResponseOutline, SamlXmlError } from './domain/saml-xml.ts'
import { ssoProblems } from './problems.ts'
import { type SamlOutcome, samlRequestTable } from './records.ts'
import { REQUEST_TTL_MS, type SamlClient, SamlRefusal, type SamlResponse } from './saml-client.ts'
import { type OpenSsoConnection, type SsoConnections, ssoCallbackPath } from './sso-connections.ts'

/** The browser follows the redirect at once. */
const CODE_TTL_MS = 2 * MINUTE
const SECRET_BYTES = 32
/** The time that a second post of a response waits for the first one. */
const VERIFICATION_MS = 30 * SECOND
const POLL_MS = 100
/** The name of the parameter of the callback. */
export const SAML_CODE = 'saml'

export interface SamlResponses {
  /** Stores a request. Returns its ID and where the browser goes. Throws `SamlRefusal`. */
  request(
    connection: OpenSsoConnection,
    options: { readonly forceAuthn: boolean },
  ): Promise<{ readonly id: string; readonly url: string }>
  /** Verifies a response and stores what it says. Returns where the browser continues: the callback, or an error. */
  receive(tenantId: string, response: string): Promise<string>
  /** What a response said. Undefined for a wrong or used code, and in a browser that didn't start the request. */
  take(code: string, requestId: string | undefined): Promise<SamlOutcome | undefined>
}
type Needs = Deps<'systemDatabase' | 'secrets' | 'clock' | 'log'> & {
  readonly samlClient: SamlClient
  readonly ssoConnections: SsoConnections
}

export function createSamlResponses(deps: Needs): SamlResponses {
  const { systemDatabase, secrets, clock, log, samlClient, ssoConnections } = deps
  const everywhere = () => systemDatabase.acrossTenants('people sign in before their tenant is known')

  async function verify(
    connection: OpenSsoConnection,
    requestId: string,
    response: SamlResponse,
  ): Promise<SamlOutcome> {
    try {
      const person = await samlClient.verify(connection, requestId, response)
      return { person, problem: null, isExpired: false }
    } catch (error) {
      if (!(error instanceof SamlRefusal)) throw error
      const { message: problem, isExpired } = error
      const { tenantId } = connection
      log.warn({ method: SSO, tenantId, reason: problem }, 'a response of a sign-in provider was refused')
      return { person: null, problem, isExpired }
    }
  }

  /** The first of several responses to a request counts, and only it is verified. Returns the ID of the connection. */
  async function claim(tenantId: string, id: string, codeHash: Buffer): Promise<string | undefined> {
    const { rows } = await everywhere().query<{ connection_id: string }>(
      `update identity_saml_requests set code_hash = $3
       where id = $1 and tenant_id = $2 and code_hash is null and expires_at > $4 returning connection_id`,
      [id, tenantId, codeHash, timeAt(clock)],
    )
    return rows[0]?.connection_id
  }

  /** Whether the same response was claimed before. Then waits until it is verified. */
  async function waitForOutcome(tenantId: string, id: string, codeHash: Buffer): Promise<boolean> {
    for (const until = performance.now() + VERIFICATION_MS; performance.now() < until; await setTimeout(POLL_MS)) {
      const { rows } = await everywhere().query<{ verified_at: Date | null }>(
        `select verified_at from identity_saml_requests
         where id = $1 and tenant_id = $2 and code_hash = $3 and expires_at > $4`,
        [id, tenantId, codeHash, timeAt(clock)],
      )
      const [row] = rows
      if (!row) return false
      if (row.verified_at !== null) return true
    }
    return false
  }

  return {
    async request(connection, options) {
      // An ID of XML starts with a letter or an underscore.
      const id = `_${randomBytes(SECRET_BYTES).toString('hex')}`
      const url = await samlClient.signInUrl(connection, id, options)
      const { id: connectionId, tenantId } = connection
      const row = { id, tenantId, connectionId, expiresAt: timeAt(clock, REQUEST_TTL_MS) }
      await everywhere().query(...samlRequestTable.insertStep(row))
      return { id, url }
    },

    async receive(tenantId, response) {
      const outline = outlineOf(response)
      if (!outline) return failed()
      const { inResponseTo } = outline
      if (inResponseTo === undefined) return failed(ssoProblems.sso_unsolicited.code)
      // The same for each post of one response: after a double click, the browser follows only the last one.
      const code = secrets.sign('saml_response', inResponseTo, response)
      const codeHash = hashSecret(code)
      const callback = `${ssoCallbackPath(tenantId)}?${new URLSearchParams({ [SAML_CODE]: code, state: inResponseTo })}`
      const connectionId = await claim(tenantId, inResponseTo, codeHash)
      if (connectionId === undefined) {
        const isSame = await waitForOutcome(tenantId, inResponseTo, codeHash)
        return isSame ? callback : failed(ssoProblems.sso_expired.code)
      }
      const connection = await ssoConnections.open(connectionId)
      if (connection?.protocol !== 'saml') {
        // Otherwise a second post of the response would wait for the first one.
        await everywhere().query('delete from identity_saml_requests where id = $1', [inResponseTo])
        return failed(ssoProblems.sso_expired.code)
      }
      try {
        const outcome = await verify(connection, inResponseTo, { encoded: response, outline })
        await everywhere().query(
          'update identity_saml_requests set outcome = $2, expires_at = $3, verified_at = $4 where id = $1',
          [inResponseTo, storableJson(outcome), timeAt(clock, CODE_TTL_MS), timeAt(clock)],
        )
        return callback
      } catch (error) {
        // The server was too busy, so the browser may post it again.
        await everywhere().query('update identity_saml_requests set code_hash = null where id = $1', [inResponseTo])
        throw error
      }
    },

    async take(code, requestId) {
      const [taken] = await samlRequestTable.query(
        everywhere(),
        `with taken as (
           select * from identity_saml_requests
           where code_hash = $1 and expires_at > $2 and outcome is not null for update
         ), emptied as (
           update identity_saml_requests set outcome = null where id in (select id from taken)
         )
         select ${samlRequestTable.columns()} from taken`,
        [hashSecret(code), timeAt(clock)],
      )
      return (taken && taken.id === requestId && taken.outcome) || undefined
    },
  }
}

/** Undefined if it isn't a response. */
function outlineOf(encoded: string): ResponseOutline | undefined {
  try {
    return readResponseOutline(Buffer.from(encoded, 'base64').toString('utf8'))
  } catch (error) {
    if (error instanceof SamlXmlError) return undefined
    throw error
  }
}

/** The path of the sign-in is in the browser's flow, whose cookie a post from another site lacks. */
const failed = (reason?: string): string => failurePath(SSO, '/', reason)

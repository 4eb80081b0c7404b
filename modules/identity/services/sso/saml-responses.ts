/**
 * Responses of SAML come as posts from another site, without the cookie of the sign-in. Each is verified once and kept
 * with its request until the browser fetches it with a code, which only the browser that posted it gets. The cookie then
 * proves that the same browser started: either alone would let a stranger finish the sign-in of somebody else.
 */
import { randomBytes } from 'node:crypto'
import { type Deps, MINUTE } from '@larder-dev/larder/kernel'
import { type ResponseOutline, readResponseOutline, SamlXmlError } from '../../domain/saml-xml.ts'
import { hashSecret } from '../../domain/secrets.ts'
import { failurePath } from '../../domain/sign-in-failures.ts'
import { timeAt } from '../../domain/time.ts'
import { problems } from '../../problems.ts'
import { type SamlOutcome, samlRequestTable } from '../../records/sso.ts'
import { SSO } from '../sign-in/sign-in-methods.ts'
import { REQUEST_TTL_MS, type SamlClient, SamlRefusal, type SamlResponse } from './saml-client.ts'
import { type OpenSsoConnection, type SsoConnections, ssoCallbackPath } from './sso-connections.ts'

/** The browser follows the redirect at once. */
const CODE_TTL_MS = 2 * MINUTE
const SECRET_BYTES = 32
/** Of the callback. */
export const SAML_CODE = 'saml'

export interface SamlResponses {
  /** Stores a request. Returns its ID and where the browser goes. Throws `SamlRefusal`. */
  request(connection: OpenSsoConnection): Promise<{ readonly id: string; readonly url: string }>
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

  async function find(tenantId: string, id: string) {
    const [found] = await samlRequestTable.query<{ readonly codeHash: Buffer | null }>(
      everywhere(),
      `select ${samlRequestTable.columns()}, code_hash as "codeHash" from identity_saml_requests
       where id = $1 and tenant_id = $2 and expires_at > $3`,
      [id, tenantId, timeAt(clock)],
    )
    return found
  }

  return {
    async request(connection) {
      // An ID of XML starts with a letter or an underscore.
      const id = `_${randomBytes(SECRET_BYTES).toString('hex')}`
      const url = await samlClient.signInUrl(connection, id)
      const { id: connectionId, tenantId } = connection
      const row = { id, tenantId, connectionId, expiresAt: timeAt(clock, REQUEST_TTL_MS) }
      await everywhere().query(...samlRequestTable.insertStep(row))
      return { id, url }
    },

    async receive(tenantId, response) {
      const outline = outlineOf(response)
      if (!outline) return failed()
      const { inResponseTo } = outline
      if (inResponseTo === undefined) return failed(problems.sso_unsolicited.code)
      // The same for each post of one response: after a double click, the browser follows only the last one.
      const code = secrets.sign('saml_response', inResponseTo, response)
      const codeHash = hashSecret(code)
      const callback = `${ssoCallbackPath(tenantId)}?${new URLSearchParams({ [SAML_CODE]: code, state: inResponseTo })}`
      const request = await find(tenantId, inResponseTo)
      if (request?.codeHash?.equals(codeHash)) return callback
      const connection = request?.codeHash === null ? await ssoConnections.open(request.connectionId) : undefined
      if (connection?.protocol !== 'saml') return failed(problems.sso_expired.code)
      const outcome = await verify(connection, inResponseTo, { encoded: response, outline })
      // Of several responses, the first counts.
      const { rowCount } = await everywhere().query(
        `update identity_saml_requests set code_hash = $2, outcome = $3, expires_at = $4
         where id = $1 and code_hash is null`,
        [inResponseTo, codeHash, JSON.stringify(outcome), timeAt(clock, CODE_TTL_MS)],
      )
      const isFirst = rowCount === 1 || (await find(tenantId, inResponseTo))?.codeHash?.equals(codeHash)
      return isFirst ? callback : failed(problems.sso_expired.code)
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

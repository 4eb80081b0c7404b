/**
 * The sign-in method of single sign-on. The address that a person enters decides which workspace's provider verifies
 * them; the browser's flow keeps the workspace until they return.
 */
import type { Caller, Deps, RawRequest } from '@larder-dev/larder/kernel'
import type { Configuration, IDToken } from 'openid-client'
import { domainOf } from '../../domain/email-domains.ts'
import { authTimeOf, proofAt } from '../../domain/recent-proof.ts'
import type { Provider } from '../../options.ts'
import type { SignInMethod, SignInStrategy } from '../../ports.ts'
import { isAddressVerified, isEntra, providedEmail, providedName } from '../providers/domain/provided.ts'
import { subjectProblem } from '../providers/domain/subjects.ts'
import { connectProvider } from '../providers/provider-client.ts'
import { describeFailure, unavailable } from '../providers/provider-failures.ts'
import { createStrategy, endingsOf, handOver, isAgain } from '../providers/provider-methods.ts'
import { readClaims, type Tokens, textOf } from '../providers/provider-people.ts'
import { SSO } from '../sign-in-methods.ts'
import { groupsOf } from './domain/sso-roles.ts'
import { ssoProblems } from './problems.ts'
import type { SamlPerson } from './records.ts'
import { SamlRefusal } from './saml-client.ts'
import { SAML_CODE, type SamlResponses } from './saml-responses.ts'
import { type OpenSsoConnection, type SsoConnections, ssoCallbackPath } from './sso-connections.ts'
import type { SsoFetch } from './sso-fetch.ts'

const LABEL = 'Single sign-on'
/** Where people enter their address. */
export const ADDRESS_PAGE = '/sign-in/single-sign-on'
const UNUSABLE = 'no certificate of a sign-in provider is valid'
const GROUPS_LEFT_OUT =
  'The provider left the groups out, because there are too many. Let it send those of this product only.'
const ADDRESS_UNVERIFIED =
  'The provider says that the person has not confirmed this address (email_verified is false). Confirm it there.'
const ADDRESS_OF_ENTRA =
  'The domain of this address is not verified in the directory. Add the optional claim xms_edov to ID tokens, and verify the domain.'
const GOOGLE = 'https://accounts.google.com'
const TESTED = '/workspace/sso?done=tested'

/** Whom the provider of a workspace identified. */
export interface SsoPerson {
  readonly sso: OpenSsoConnection
  readonly subject: string
  /** Undefined for what is no address. */
  readonly email: string | undefined
  /** Whether the provider says that the address is the person's. Undefined if it says nothing. */
  readonly isVerified: boolean | undefined
  /** When they proved who they are there, in RFC 3339. */
  readonly authenticatedAt: string
  readonly name: string | null
  /** Null if they are unknown, because there are too many. */
  readonly groups: readonly string[] | null
  readonly claims: Readonly<Record<string, unknown>>
}
/** What the browser's flow keeps. */
interface Kept {
  readonly connection: string
  readonly tenantId: string
  /** The user who tests the connection. Undefined for a sign-in. */
  readonly tester?: string
  /** ID of the request, for SAML. */
  readonly request?: string
  /** Whether the provider was asked for a new proof. */
  readonly again?: boolean
}
type Needs = Deps<'product' | 'log' | 'clock'> & {
  readonly samlResponses: SamlResponses
  readonly ssoConnections: SsoConnections
  readonly ssoFetch: SsoFetch
}

export const createSsoMethod = (deps: Needs): SignInMethod => ({
  name: SSO,
  label: LABEL,
  flow: 'redirect',
  strategy: () => createSsoStrategy(deps),
})

type StartedRequest = RawRequest & {
  readonly session: { [SSO]?: Kept }
  /** Who is signed in to the product in this browser. */
  readonly caller: Caller | undefined
}

async function createSsoStrategy(deps: Needs): Promise<SignInStrategy> {
  const { samlResponses, ssoConnections, ssoFetch, product, log, clock } = deps
  const { Strategy } = (await import('passport')).default

  async function findActive(domain: string | undefined): Promise<OpenSsoConnection | undefined> {
    const connection = domain === undefined ? undefined : await ssoConnections.forDomain(domain)
    return connection && (await ssoConnections.isActive(connection)) ? connection : undefined
  }

  async function connect(
    connection: OpenSsoConnection,
    onFailure: ((error: Error) => void) | undefined,
  ): Promise<SignInStrategy> {
    const { issuer, clientId, clientSecret, scope } = connection
    if (clientId === null || clientSecret === null || scope === null)
      throw new Error('the connection has no provider of OpenID Connect')
    const provider: Provider = { name: SSO, label: LABEL, kind: 'issuer', issuer, clientId, clientSecret }
    const configuration = await connectProvider(provider, ssoFetch.fetch)
    const read = (tokens: Tokens) => readPerson(connection, configuration, tokens, clock.now())
    const callbackPath = ssoCallbackPath(connection.tenantId)
    return createStrategy(provider, configuration, {
      publicUrl: product.publicUrl,
      callbackPath,
      log,
      scope,
      read,
      ...(onFailure && { onFailure }),
    })
  }

  /** Providers set the time of a SAML sign-in also when nobody was asked, unless the request demands it. */
  function samlPersonOf(connection: OpenSsoConnection, found: SamlPerson, again: boolean): SsoPerson {
    const { authnInstant = null, ...person } = found
    const at = again && authnInstant !== null ? Date.parse(authnInstant) : undefined
    return toPerson(connection, person, { isVerified: undefined, authenticatedAt: proofAt(at, clock.now()) })
  }

  /** Passport creates an object for each request, so it keeps what the request is about. */
  return new (class extends Strategy {
    override authenticate(request: RawRequest): void {
      const started = request as StartedRequest
      const isReturn = request.path.endsWith('/callback')
      const running = isReturn ? this.finish(started.session[SSO], started) : this.begin(started)
      running.catch((error: unknown) => this.error(error))
    }

    private async begin(request: StartedRequest): Promise<void> {
      const token = textOf(request.query.test)
      const test = token === null ? undefined : await ssoConnections.ofTest(token)
      const connection =
        token === null ? await findActive(domainOf(textOf(request.query.email) ?? '')) : test?.connection
      if (!connection) return this.redirect(addressPage(request))
      const { id, tenantId, protocol } = connection
      const kept: Kept = { connection: id, tenantId, ...(test && { tester: test.userId }) }
      if (isOfAnotherPerson(kept, request)) return this.error(ssoProblems.sso_other_tester())
      if (protocol === 'saml') return this.beginSaml(connection, kept, request)
      request.session[SSO] = kept
      await this.run(connection, kept, request)
    }

    private async finish(kept: Kept | undefined, request: StartedRequest): Promise<void> {
      const code = textOf(request.query[SAML_CODE])
      // A code ends with its first use, also in a browser that didn't start the sign-in.
      const outcome = code === null ? undefined : await samlResponses.take(code, kept?.request)
      const connection = kept && (await ssoConnections.open(kept.connection))
      if (!kept || !connection) return this.fail('refused')
      if (isOfAnotherPerson(kept, request)) return this.error(ssoProblems.sso_other_tester())
      if (request.params.workspace !== kept.tenantId) return this.refuseAddress(connection, kept, request)
      if (kept.tester === undefined && !(await ssoConnections.isActive(connection)))
        return this.error(ssoProblems.sso_off())
      if (kept.request === undefined) return this.run(connection, kept, request)
      if (!outcome || connection.protocol !== 'saml') return this.error(ssoProblems.sso_expired())
      const person = outcome.person && samlPersonOf(connection, outcome.person, kept.again === true)
      if (kept.tester !== undefined) await this.record(connection, outcome.problem, person ?? undefined)
      else if (person) this.success(person)
      else if (outcome.isExpired) this.error(ssoProblems.sso_certificate_expired())
      else this.fail('refused')
    }

    /** The response may be of another provider, which must not get it as one of this provider (RFC 9700, 4.4). */
    private async refuseAddress(connection: OpenSsoConnection, kept: Kept, { path }: RawRequest): Promise<void> {
      const { tenantId } = connection
      const reason = `The provider returned to ${product.publicUrl}${path}. Enter this redirect URI there: ${ssoConnections.callbackUrl(tenantId)}`
      log.warn({ method: SSO, tenantId, reason }, 'a response of a sign-in provider was refused')
      if (kept.tester !== undefined) return this.record(connection, reason)
      this.error(ssoProblems.sso_wrong_callback())
    }

    private async beginSaml(connection: OpenSsoConnection, kept: Kept, request: StartedRequest): Promise<void> {
      try {
        const again = isAgain(request)
        const { id, url } = await samlResponses.request(connection, { forceAuthn: again })
        request.session[SSO] = { ...kept, request: id, ...(again && { again }) }
        this.redirect(url)
      } catch (error) {
        if (!(error instanceof SamlRefusal)) throw error
        if (kept.tester !== undefined) return this.record(connection, error.message)
        log.warn({ method: SSO, tenantId: connection.tenantId, reason: error.message }, UNUSABLE)
        this.error(ssoProblems.sso_certificate_expired())
      }
    }

    /** Ends a test, which signs nobody in. */
    private async record(connection: OpenSsoConnection, problem: string | null, person?: SsoPerson): Promise<void> {
      const { email, groups, claims = {} } = person ?? {}
      const found = problem ?? (person ? missing(person) : null)
      await ssoConnections.recordTest(connection, {
        problem: found,
        email: email ?? null,
        groups: [...(groups ?? [])],
        claims,
      })
      this.redirect(TESTED)
    }

    /** Lets the strategy of the connection end the request. A test is recorded instead. */
    private async run(connection: OpenSsoConnection, { tester }: Kept, request: RawRequest): Promise<void> {
      const isTest = tester !== undefined
      const record = (problem: string | null, person?: SsoPerson): void => {
        this.record(connection, problem, person).catch((error: unknown) => this.error(error))
      }
      const onFailure = isTest ? (error: Error) => record(describeFailure(error)) : undefined
      const recorded = {
        success: (person: SsoPerson) => record(null, person),
        fail: () => record('The provider refused the sign-in.'),
      }
      try {
        const strategy = await connect(connection, onFailure)
        const loginHint = textOf(request.query.email)
        const endings = { ...endingsOf(this), ...(isTest && recorded) }
        handOver(strategy, endings, request, loginHint === null ? {} : { loginHint })
      } catch (error) {
        if (isTest) record(describeFailure(error))
        else this.error(unavailable(log, { method: SSO, tenantId: connection.tenantId }, LABEL, error))
      }
    }
  })() as SignInStrategy
}

/** A test shows claims to whoever asked for it, so nobody else's claims get into it. */
const isOfAnotherPerson = ({ tester }: Kept, { caller }: StartedRequest): boolean =>
  tester !== undefined && (caller?.userId !== tester || caller.impersonatedBy !== undefined)

/** Why the claims can't sign anybody in, although the provider works. */
function missing({ sso, email, isVerified, subject, groups, claims }: SsoPerson): string | null {
  if (email === undefined) return 'The provider returned no valid email address.'
  if (isVerified === false) return isEntra(claims.iss) ? ADDRESS_OF_ENTRA : ADDRESS_UNVERIFIED
  if (groups === null && sso.roleMappings.length > 0) return GROUPS_LEFT_OUT
  return subjectProblem(subject)?.sentence ?? null
}

function addressPage({ query }: RawRequest): string {
  const [email, next] = [textOf(query.email), textOf(query.next)]
  const shown = new URLSearchParams({
    ...(next !== null && { next }),
    ...(email !== null && { email, unknown: '1' }),
    ...(query.again !== undefined && { again: '1' }),
  })
  return `${ADDRESS_PAGE}?${shown}`
}

/** Google also signs in personal accounts, which keep an address of the domain when their owner leaves the company. */
const isOfAnotherDirectory = ({ iss, hd }: IDToken): boolean => iss === GOOGLE && typeof hd !== 'string'

async function readPerson(
  connection: OpenSsoConnection,
  configuration: Configuration,
  tokens: Tokens,
  now: number,
): Promise<SsoPerson> {
  const claims = await readClaims(configuration, tokens, ['email', 'email_verified', connection.groupsClaim])
  const found = {
    subject: claims.sub,
    email: isOfAnotherDirectory(claims) ? null : textOf(claims.email),
    name: textOf(claims.name),
    groups: groupsOf(claims, connection.groupsClaim),
    claims,
  }
  const authenticatedAt = proofAt(authTimeOf(claims), now)
  return toPerson(connection, found, { isVerified: isAddressVerified(claims), authenticatedAt })
}

interface FoundPerson extends Pick<SsoPerson, 'subject' | 'groups' | 'claims'> {
  readonly email: string | null
  readonly name: string | null
}
const toPerson = (
  sso: OpenSsoConnection,
  { email, name, ...found }: FoundPerson,
  more: Pick<SsoPerson, 'isVerified' | 'authenticatedAt'>,
): SsoPerson => ({ ...found, ...more, sso, email: providedEmail(email), name: providedName(name) ?? null })

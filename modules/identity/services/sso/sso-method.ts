/**
 * The sign-in method of single sign-on. The address that a person enters decides which workspace's provider verifies
 * them; the browser's flow keeps the workspace until they return.
 */
import type { Deps } from '@larder-dev/larder/kernel'
import type { Request } from 'express'
import type { Configuration, IDToken } from 'openid-client'
import { domainOf } from '../../domain/email-domains.ts'
import { groupsOf } from '../../domain/sso-roles.ts'
import { isSubject } from '../../domain/subjects.ts'
import type { Provider } from '../../options.ts'
import type { SignInMethod, SignInStrategy } from '../../ports.ts'
import { problems } from '../../problems.ts'
import { connectProvider } from '../providers/provider-client.ts'
import { describeFailure, unavailable } from '../providers/provider-failures.ts'
import { createStrategy, endingsOf, handOver } from '../providers/provider-methods.ts'
import { readClaims, type Tokens, textOf } from '../providers/provider-people.ts'
import { SSO } from '../sign-in/sign-in-methods.ts'
import { SamlRefusal } from './saml-client.ts'
import { SAML_CODE, type SamlResponses } from './saml-responses.ts'
import type { OpenSsoConnection, SsoConnections } from './sso-connections.ts'
import type { SsoFetch } from './sso-fetch.ts'

const LABEL = 'Single sign-on'
/** Where people enter their address. */
export const ADDRESS_PAGE = '/sign-in/single-sign-on'
const UNUSABLE = 'no certificate of a sign-in provider is valid'
const GROUPS_LEFT_OUT =
  'The provider left the groups out, because there are too many. Let it send those of this product only.'
const GOOGLE = 'https://accounts.google.com'
const TESTED = '/workspace/sso?done=tested'

/** Whom the provider of a workspace identified. */
export interface SsoPerson {
  readonly sso: OpenSsoConnection
  readonly subject: string
  readonly email: string | null
  readonly name: string | null
  /** Null if they are unknown, because there are too many. */
  readonly groups: readonly string[] | null
  readonly claims: Readonly<Record<string, unknown>>
}
/** What the browser's flow keeps. */
interface Kept {
  readonly connection: string
  readonly test: boolean
  /** ID of the request, for SAML. */
  readonly request?: string
}
type Needs = Deps<'product' | 'log'> & {
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

type WithSession = Request & { readonly session: { [SSO]?: Kept } }

async function createSsoStrategy(deps: Needs): Promise<SignInStrategy> {
  const { samlResponses, ssoConnections, ssoFetch, product, log } = deps
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
    const read = (tokens: Tokens) => readPerson(connection, configuration, tokens)
    return createStrategy(provider, configuration, {
      ...{ publicUrl: product.publicUrl, log, scope, read },
      ...(onFailure && { onFailure }),
    })
  }

  /** Passport creates an object for each request, so it keeps what the request is about. */
  return new (class extends Strategy {
    override authenticate(request: Request): void {
      const { session } = request as WithSession
      const isReturn = request.path.endsWith('/callback')
      const running = isReturn ? this.finish(session[SSO], request) : this.begin(request as WithSession)
      running.catch((error: unknown) => this.error(error))
    }

    private async begin(request: WithSession): Promise<void> {
      const test = textOf(request.query.test)
      const connection =
        test === null
          ? await findActive(domainOf(textOf(request.query.email) ?? ''))
          : await ssoConnections.ofTest(test)
      if (!connection) return this.redirect(addressPage(request))
      const kept = { connection: connection.id, test: test !== null }
      if (connection.protocol === 'saml') return this.beginSaml(connection, kept, request)
      request.session[SSO] = kept
      await this.run(connection, kept.test, request)
    }

    private async finish(kept: Kept | undefined, request: Request): Promise<void> {
      const code = textOf(request.query[SAML_CODE])
      // A code ends with its first use, also in a browser that didn't start the sign-in.
      const outcome = code === null ? undefined : await samlResponses.take(code, kept?.request)
      const connection = kept && (await ssoConnections.open(kept.connection))
      if (!kept || !connection) return this.fail('refused')
      if (!kept.test && !(await ssoConnections.isActive(connection))) return this.error(problems.sso_off())
      if (kept.request === undefined) return this.run(connection, kept.test, request)
      if (!outcome || connection.protocol !== 'saml') return this.error(problems.sso_expired())
      const person = outcome.person && { sso: connection, ...outcome.person }
      if (kept.test) await this.record(connection, outcome.problem, person ?? undefined)
      else if (person) this.success(person)
      else if (outcome.isExpired) this.error(problems.sso_certificate_expired())
      else this.fail('refused')
    }

    private async beginSaml(connection: OpenSsoConnection, kept: Kept, request: WithSession): Promise<void> {
      try {
        const { id, url } = await samlResponses.request(connection)
        request.session[SSO] = { ...kept, request: id }
        this.redirect(url)
      } catch (error) {
        if (!(error instanceof SamlRefusal)) throw error
        if (kept.test) return this.record(connection, error.message)
        log.warn({ method: SSO, tenantId: connection.tenantId, reason: error.message }, UNUSABLE)
        this.error(problems.sso_certificate_expired())
      }
    }

    /** Ends a test, which signs nobody in. */
    private async record(connection: OpenSsoConnection, problem: string | null, person?: SsoPerson): Promise<void> {
      const { email = null, groups, claims = {} } = person ?? {}
      const found = problem ?? (person ? missing(person) : null)
      await ssoConnections.recordTest(connection, { problem: found, email, groups: [...(groups ?? [])], claims })
      this.redirect(TESTED)
    }

    /** Lets the strategy of the connection end the request. A test is recorded instead. */
    private async run(connection: OpenSsoConnection, isTest: boolean, request: Request): Promise<void> {
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

/** Why the claims can't sign anybody in, although the provider works. */
function missing({ sso, email, subject, groups }: SsoPerson): string | null {
  if (email === null) return 'The provider returned no email address.'
  if (groups === null && sso.roleMappings.length > 0) return GROUPS_LEFT_OUT
  return isSubject(subject) ? null : problems.subject_too_long.sentence
}

function addressPage({ query }: Request): string {
  const [email, next] = [textOf(query.email), textOf(query.next)]
  const shown = new URLSearchParams({
    ...(next !== null && { next }),
    ...(email !== null && { email, unknown: '1' }),
  })
  return `${ADDRESS_PAGE}?${shown}`
}

/** Google also signs in personal accounts, which keep an address of the domain when their owner leaves the company. */
const isOfAnotherDirectory = ({ iss, hd }: IDToken): boolean => iss === GOOGLE && typeof hd !== 'string'

async function readPerson(
  connection: OpenSsoConnection,
  configuration: Configuration,
  tokens: Tokens,
): Promise<SsoPerson> {
  const claims = await readClaims(configuration, tokens, ['email', connection.groupsClaim])
  return {
    sso: connection,
    subject: claims.sub,
    email: isOfAnotherDirectory(claims) ? null : textOf(claims.email),
    name: textOf(claims.name),
    groups: groupsOf(claims, connection.groupsClaim),
    claims,
  }
}

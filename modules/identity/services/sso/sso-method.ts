/**
 * The sign-in method of single sign-on. The address that a person enters decides which workspace's provider verifies
 * them; the browser's flow keeps the workspace until they return.
 */
import type { Deps } from '@larder-dev/larder/kernel'
import type { Request } from 'express'
import type { Configuration } from 'openid-client'
import { domainOf } from '../../domain/email-domains.ts'
import { groupsOf } from '../../domain/sso-roles.ts'
import type { Provider } from '../../options.ts'
import type { SignInMethod, SignInStrategy } from '../../ports.ts'
import { problems } from '../../problems.ts'
import { connectProvider, openid } from '../providers/provider-client.ts'
import { describeFailure } from '../providers/provider-failures.ts'
import { createStrategy, type ProviderTokens } from '../providers/provider-methods.ts'
import { type OpenSsoConnection, SSO, type SsoConnections } from './sso-connections.ts'
import type { SsoFetch } from './sso-fetch.ts'

const LABEL = 'Single sign-on'
/** Where people enter their address. */
export const ADDRESS_PAGE = '/sign-in/single-sign-on'
const TESTED = '/workspace/sso?done=tested'

/** Whom the provider of a workspace identified. */
export interface SsoPerson {
  readonly sso: OpenSsoConnection
  readonly subject: string
  readonly email: string | null
  readonly name: string | null
  readonly groups: readonly string[]
  readonly claims: Readonly<Record<string, unknown>>
}
/** What the browser's flow keeps. */
interface Kept {
  readonly connection: string
  readonly test: boolean
}
type Needs = Deps<'product' | 'log'> & {
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

async function createSsoStrategy({ ssoConnections, ssoFetch, product, log }: Needs): Promise<SignInStrategy> {
  const { Strategy } = (await import('passport')).default

  async function start({ query, session }: WithSession): Promise<OpenSsoConnection | undefined> {
    const { test, email } = query
    const connection =
      typeof test === 'string'
        ? await ssoConnections.ofTest(test)
        : await ssoConnections.forDomain((typeof email === 'string' && domainOf(email)) || '')
    if (!connection) return undefined
    const isTest = typeof test === 'string'
    if (!isTest && !(await ssoConnections.isActive(connection))) return undefined
    session[SSO] = { connection: connection.id, test: isTest }
    return connection
  }

  async function connect(
    connection: OpenSsoConnection,
    onFailure: ((error: Error) => void) | undefined,
  ): Promise<SignInStrategy> {
    const { issuer, clientId, clientSecret, scope } = connection
    const provider: Provider = { name: SSO, label: LABEL, kind: 'issuer', issuer, clientId, clientSecret }
    const configuration = await connectProvider(provider, ssoFetch.fetch)
    const read = (tokens: ProviderTokens) => readPerson(connection, configuration, tokens)
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
      const connection = await start(request)
      if (!connection) return this.redirect(addressPage(request))
      await this.run(connection, request.session[SSO]?.test === true, request)
    }

    private async finish(kept: Kept | undefined, request: Request): Promise<void> {
      const connection = kept && (await ssoConnections.open(kept.connection))
      if (!kept || !connection) return this.fail('refused')
      if (!kept.test && !(await ssoConnections.isActive(connection))) return this.error(problems.sso_off())
      await this.run(connection, kept.test, request)
    }

    /** Lets the strategy of the connection end the request. A test is recorded instead. */
    private async run(connection: OpenSsoConnection, isTest: boolean, request: Request): Promise<void> {
      const record = (problem: string | null, person?: SsoPerson): void => {
        const { email = null, groups = [], claims = {} } = person ?? {}
        ssoConnections.recordTest(connection, { problem, email, groups: [...groups], claims }).then(
          () => this.redirect(TESTED),
          (error: unknown) => this.error(error),
        )
      }
      const onFailure = isTest ? (error: Error) => record(describeFailure(error)) : undefined
      const endings = {
        redirect: this.redirect.bind(this),
        success: isTest ? (person: SsoPerson) => record(missing(person), person) : this.success.bind(this),
        fail: isTest ? () => record('The provider refused the sign-in.') : this.fail.bind(this),
        error: this.error.bind(this),
      }
      try {
        const strategy = await connect(connection, onFailure)
        const { email } = request.query
        const hint = typeof email === 'string' ? { loginHint: email } : {}
        Object.assign(Object.create(strategy), endings).authenticate(request, hint)
      } catch (error) {
        const reason = describeFailure(error)
        log.warn({ method: SSO, tenantId: connection.tenantId, reason }, 'a sign-in provider is unavailable')
        if (isTest) record(reason)
        else this.error(problems.provider_unavailable({ provider: LABEL }))
      }
    }
  })() as SignInStrategy
}

/** Why the claims can't sign anybody in, although the provider works. */
const missing = ({ email }: SsoPerson): string | null =>
  email === null ? 'The provider returned no email address.' : null

function addressPage({ query }: Request): string {
  const { email, next } = query
  const shown = new URLSearchParams({
    ...(typeof next === 'string' && { next }),
    ...(typeof email === 'string' && { email, unknown: '1' }),
  })
  return `${ADDRESS_PAGE}?${shown}`
}

/** Claims of the ID token, and of the endpoint for users where the token lacks the address or the groups. */
async function readPerson(
  connection: OpenSsoConnection,
  configuration: Configuration,
  tokens: ProviderTokens,
): Promise<SsoPerson> {
  const token = tokens.claims()
  if (!token) throw new Error('the provider returned no ID token')
  const isComplete = token.email !== undefined && token[connection.groupsClaim] !== undefined
  const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
  // Rejects claims about another subject.
  const more =
    !isComplete && hasUserInfo
      ? await (await openid()).fetchUserInfo(configuration, tokens.access_token, token.sub)
      : {}
  const claims: Readonly<Record<string, unknown>> = { ...more, ...token }
  return {
    sso: connection,
    subject: token.sub,
    email: textOf(claims.email),
    name: textOf(claims.name),
    groups: groupsOf(claims, connection.groupsClaim),
    claims,
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** An issuer of OpenID Connect for tests, by `oidc-provider`. Its responses can be tampered with. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import Provider from 'oidc-provider'

export const CLIENT = { clientId: 'larder', clientSecret: 'a-secret-of-the-test-client' }

const DISCOVERY = '/.well-known/openid-configuration'
const ELSEWHERE = '/elsewhere'
type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

/** Who is signed in at the issuer. */
export interface TestPerson {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly groups?: readonly string[]
}
/** Nobody knows the keys of strangers, unless the issuer publishes them. `secret` is the client's. */
export type Signer = 'issuer' | 'secret' | 'stranger' | 'elliptic' | 'ellipticStranger' | 'nobody'

/** What an issuer does wrong, or differently. By default nothing. */
export interface IssuerBehavior {
  /** Changes the ID token, which is signed again. */
  tamper: ((claims: JWTPayload) => JWTPayload) | undefined
  /** What signs the ID token. */
  signer: Signer
  /** Whether the ID token names its key. */
  namesKey: boolean
  /** The keys that it publishes. */
  publishes: readonly Exclude<Signer, 'secret' | 'nobody'>[]
  /** Changes the discovery document. */
  tamperMetadata: ((metadata: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) | undefined
  /** Changes the claims of the endpoint for users. */
  tamperUserInfo: ((claims: JWTPayload) => JWTPayload) | undefined
  /** Changes the response to a code. */
  tamperTokens: ((tokens: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) | undefined
  /** Whether the browser returns with a form post, as from Apple. */
  postsForms: boolean
  /** Answers requests with this status. A redirect leads to another path of the issuer. */
  failing: number | undefined
  /** Start of the paths that fail. */
  failsAt: string
  /** Milliseconds by which the clock in its responses is wrong. */
  clockError: number
}
export interface TestIssuer extends IssuerBehavior {
  readonly url: string
  person: TestPerson
  /** The latest header `authorization`, by path. */
  readonly authorizations: ReadonlyMap<string, string | undefined>
  /** How often a redirect was followed. */
  redirected: number
  /** How often a code was exchanged. */
  tokenRequests: number
  /** Ends what it did differently. */
  behave(): void
  /**
   * Signs in like a browser that the product sent here.
   * @returns where the browser returns to
   */
  signIn(location: string): Promise<URL>
  stop(): Promise<void>
}

const usual = (): IssuerBehavior => ({
  tamper: undefined,
  signer: 'issuer',
  namesKey: true,
  publishes: ['issuer'],
  tamperMetadata: undefined,
  tamperUserInfo: undefined,
  tamperTokens: undefined,
  postsForms: false,
  failing: undefined,
  failsAt: '/',
  clockError: 0,
})

/**
 * Follows the redirects of an issuer and of its pages on the same host, with their cookies.
 * @returns where the browser leaves them for
 */
export async function signInAt(location: string): Promise<URL> {
  const jar = new Map<string, string>()
  const { hostname } = new URL(location)
  let next = new URL(location)
  for (let hop = 0; hop < 10; hop++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const to = response.headers.get('location')
    if (to === null) throw new Error(`the issuer answered ${response.status}: ${await response.text()}`)
    next = new URL(to, next)
    if (next.hostname !== hostname) return next
  }
  throw new Error('the issuer redirects in a circle')
}

/** @param redirectUris of the client. Workspaces have redirect URIs of their own, which a pattern matches. */
export async function startIssuer(redirectUris: readonly string[] | RegExp): Promise<TestIssuer> {
  const [issuerKey, stranger, elliptic, ellipticStranger] = await Promise.all(
    ['RS256', 'RS256', 'ES256', 'ES256'].map(algorithm => generateKeyPair(algorithm, { extractable: true })),
  )
  const pairs = { issuer: issuerKey, stranger, elliptic, ellipticStranger } as Readonly<Record<string, KeyPair>>
  const algorithmOf = (signer: Signer) =>
    signer === 'secret' ? 'HS256' : signer.startsWith('elliptic') ? 'ES256' : 'RS256'
  const jwkOf = async (signer: Signer, key: 'privateKey' | 'publicKey'): Promise<JWK> => ({
    ...(await exportJWK((pairs[signer] as KeyPair)[key])),
    kid: signer,
    alg: algorithmOf(signer),
    use: 'sig',
  })
  const jwk = await jwkOf('issuer', 'privateKey')
  const secret = new TextEncoder().encode(CLIENT.clientSecret.padEnd(32))
  const authorizations = new Map<string, string | undefined>()

  function sign(claims: JWTPayload): Promise<string> | string {
    const { signer, namesKey } = issuer
    if (signer === 'nobody') return new UnsecuredJWT(claims).encode()
    return new SignJWT(claims)
      .setProtectedHeader({ alg: algorithmOf(signer), ...(namesKey && { kid: signer }) })
      .sign(pairs[signer]?.privateKey ?? secret)
  }

  let provider: Provider
  const server = createServer((request, response) => {
    authorizations.set(request.url ?? '', request.headers.authorization)
    if (request.url === ELSEWHERE) issuer.redirected++
    if (request.url === '/token') issuer.tokenRequests++
    if (issuer.failing !== undefined && request.url?.startsWith(issuer.failsAt)) {
      response.statusCode = issuer.failing
      response.setHeader('location', ELSEWHERE)
      response.end('unavailable')
      return
    }
    if (issuer.clockError !== 0) response.setHeader('date', new Date(Date.now() + issuer.clockError).toUTCString())
    if (issuer.postsForms && request.url?.startsWith('/auth?')) request.url += '&response_mode=form_post'
    if (request.url?.startsWith('/interaction/'))
      provider.interactionFinished(request, response, { login: { accountId: issuer.person.sub } }).catch(() => {
        response.statusCode = 500
        response.end()
      })
    else provider.callback()(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const issuer: TestIssuer = {
    url,
    person: { sub: 'nobody' },
    ...usual(),
    authorizations,
    redirected: 0,
    tokenRequests: 0,
    behave: () => Object.assign(issuer, usual()),
    signIn: signInAt,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: redirectUris instanceof RegExp ? ['http://localhost/callback'] : [...redirectUris],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['a-key-of-the-test-issuer'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ ...issuer.person, sub: accountId }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: String(oidc.client?.clientId),
        accountId: String(oidc.session?.accountId),
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  if (redirectUris instanceof RegExp) provider.Client.prototype.redirectUriAllowed = uri => redirectUris.test(uri)
  provider.use(async (context, next) => {
    await next()
    const { body } = context as { body: unknown }
    if (typeof body !== 'object' || body === null) return
    const fields = body as JWTPayload & { id_token?: string }
    const isDifferent = issuer.tamper !== undefined || issuer.signer !== 'issuer' || !issuer.namesKey
    if (fields.id_token !== undefined && isDifferent) {
      const claims = decodeJwt(fields.id_token)
      fields.id_token = await sign(issuer.tamper?.(claims) ?? claims)
    }
    if (context.path === '/token' && issuer.tamperTokens) context.body = issuer.tamperTokens(fields)
    if (context.path === '/jwks')
      context.body = { keys: await Promise.all(issuer.publishes.map(signer => jwkOf(signer, 'publicKey'))) }
    if (context.path === DISCOVERY && issuer.tamperMetadata) context.body = issuer.tamperMetadata(fields)
    if (context.path === '/me' && issuer.tamperUserInfo) context.body = issuer.tamperUserInfo(fields)
  })
  return issuer
}

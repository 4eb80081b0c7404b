/** An issuer of OpenID Connect for tests, by `oidc-provider`. Its responses can be tampered with. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

export const CLIENT = { clientId: 'larder', clientSecret: 'a-secret-of-the-test-client' }

/** Who is signed in at the issuer. */
export interface TestPerson {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly groups?: readonly string[]
}
export interface TestIssuer {
  readonly url: string
  person: TestPerson
  /** Changes the ID token, which is signed again. */
  tamper: ((claims: JWTPayload) => JWTPayload) | undefined
  /** What signs a changed ID token: the key of the issuer, the client's secret, or a key that nobody knows. */
  signer: 'issuer' | 'secret' | 'stranger'
  /** Changes the claims of the endpoint for users. */
  tamperUserInfo: ((claims: JWTPayload) => JWTPayload) | undefined
  /** Whether the browser returns with a form post, as from Apple. */
  postsForms: boolean
  /** Answers all requests with this status. */
  failing: number | undefined
  /** Milliseconds by which the clock in its responses is wrong. */
  clockError: number
  /**
   * Signs in like a browser that the product sent here.
   * @returns where the browser returns to
   */
  signIn(location: string): Promise<URL>
  stop(): Promise<void>
}

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

export async function startIssuer(redirectUris: readonly string[]): Promise<TestIssuer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'test', alg: 'RS256', use: 'sig' }
  const signers = {
    issuer: privateKey,
    secret: new TextEncoder().encode(CLIENT.clientSecret.padEnd(32)),
    stranger: (await generateKeyPair('RS256')).privateKey,
  }
  let provider: Provider
  const server = createServer((request, response) => {
    if (issuer.failing !== undefined) {
      response.statusCode = issuer.failing
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
    tamper: undefined,
    signer: 'issuer',
    tamperUserInfo: undefined,
    postsForms: false,
    failing: undefined,
    clockError: 0,
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
        redirect_uris: [...redirectUris],
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
  provider.use(async (context, next) => {
    await next()
    const { body } = context as { body: unknown }
    if (typeof body !== 'object' || body === null) return
    const fields = body as JWTPayload & { id_token?: string }
    if (fields.id_token !== undefined && issuer.tamper)
      fields.id_token = await new SignJWT(issuer.tamper(decodeJwt(fields.id_token)))
        .setProtectedHeader({ alg: issuer.signer === 'secret' ? 'HS256' : 'RS256', kid: 'test' })
        .sign(signers[issuer.signer])
    if (context.path === '/me' && issuer.tamperUserInfo) context.body = issuer.tamperUserInfo(fields)
  })
  return issuer
}

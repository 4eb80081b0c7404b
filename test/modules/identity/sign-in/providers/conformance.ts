/**
 * The cases of the OpenID Foundation's conformance suite for relying parties (`oidcc-client-test-plan`, response type
 * `code`) that can run without its server, under their names. Left out is what Larder doesn't do: other response types,
 * request objects, dynamic registration, WebFinger, signed or aggregated claims of users, client certificates, logout.
 */
import type { ExecutionContext, TestFn } from 'ava'
import type { JWTPayload } from 'jose'
import type { ProviderBrowser } from './browser.ts'
import type { IssuerBehavior, TestIssuer } from './issuer.ts'

/** A browser in front of the product, and somebody new at the issuer. */
export interface Visit {
  readonly browser: ProviderBrowser
  readonly email: string
  /** The query of the address at which the sign-in starts. */
  readonly query?: string
}
export interface ConformanceStage {
  readonly issuer: TestIssuer
  visit(): Promise<Visit>
}

/** What the issuer does, and from when on. */
interface Case {
  readonly behavior?: Partial<IssuerBehavior>
  readonly from?: 'the start' | 'the return'
  /** Whether somebody signs in before. */
  readonly isSecond?: boolean
}
const without =
  (name: string) =>
  (claims: JWTPayload): JWTPayload =>
    Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name))
const supports = (...algorithms: readonly string[]): Partial<IssuerBehavior> => ({
  tamperMetadata: metadata => ({ ...metadata, id_token_signing_alg_values_supported: algorithms }),
})

const ACCEPTED: Readonly<Record<string, Case>> = {
  'oidcc-client-test: an ordinary response': {},
  'oidcc-client-test-idtoken-sig-rs256: a signature with RS256': { behavior: supports('RS256') },
  'oidcc-client-test-kid-absent-single-jwks: an ID token without the ID of the only key': {
    behavior: { namesKey: false },
  },
  'oidcc-client-test-discovery-jwks-uri-keys: keys at the address that the discovery document names': {
    behavior: {
      tamperMetadata: metadata => ({ ...metadata, jwks_uri: `${metadata.jwks_uri}?version=2` }),
    },
  },
  'oidcc-client-test-signing-key-rotation: a new key after the last sign-in': {
    behavior: { signer: 'stranger', publishes: ['stranger'] },
    isSecond: true,
  },
  'oidcc-client-test-signing-key-rotation-just-before-signing: a new key after the start of the sign-in': {
    behavior: { signer: 'stranger', publishes: ['stranger'] },
    from: 'the return',
    isSecond: true,
  },
}
const REFUSED: Readonly<Record<string, Case>> = {
  'oidcc-client-test-nonce-invalid: another nonce': {
    behavior: { tamper: claims => ({ ...claims, nonce: 'another' }) },
  },
  'oidcc-client-test-invalid-iss: another issuer': {
    behavior: { tamper: claims => ({ ...claims, iss: 'https://login.attacker.test' }) },
  },
  'oidcc-client-test-missing-sub: no subject': { behavior: { tamper: without('sub') } },
  'oidcc-client-test-invalid-aud: another audience': {
    behavior: { tamper: claims => ({ ...claims, aud: 'another client' }) },
  },
  'oidcc-client-test-missing-aud: no audience': { behavior: { tamper: without('aud') } },
  'oidcc-client-test-missing-iat: no time of issue': { behavior: { tamper: without('iat') } },
  'oidcc-client-test-kid-absent-multiple-jwks: an ID token without the ID of one of two keys': {
    behavior: { namesKey: false, publishes: ['stranger', 'issuer'] },
  },
  'oidcc-client-test-idtoken-sig-none: no signature': {
    behavior: { ...supports('RS256', 'none'), signer: 'nobody' },
  },
  'oidcc-client-test-invalid-sig-rs256: a signature of another key': {
    behavior: { signer: 'stranger', namesKey: false },
  },
  'oidcc-client-test-invalid-sig-es256: a signature of another key on a curve': {
    behavior: {
      ...supports('RS256', 'ES256'),
      signer: 'ellipticStranger',
      namesKey: false,
      publishes: ['issuer', 'elliptic'],
    },
  },
  "oidcc-client-test-invalid-sig-hs256: a signature with the client's secret": {
    behavior: { ...supports('RS256', 'HS256'), signer: 'secret' },
  },
  'oidcc-client-test-userinfo-invalid-sub: claims of another subject': {
    behavior: { tamperUserInfo: claims => ({ ...claims, sub: 'another' }) },
  },
  'oidcc-client-test-discovery-issuer-mismatch: a discovery document of another issuer': {
    behavior: { tamperMetadata: metadata => ({ ...metadata, issuer: 'https://login.attacker.test' }) },
  },
}

/** Declares the cases for a method. */
export function testConformance(test: TestFn, method: string, stage: () => ConformanceStage): void {
  const start = ({ browser, query = '' }: Visit) => browser.open(`/sign-in/${method}${query}`)

  async function run(t: ExecutionContext, { behavior, from = 'the start', isSecond = false }: Case) {
    const { issuer, visit } = stage()
    t.teardown(issuer.behave)
    if (isSecond) {
      const former = await visit()
      await former.browser.signIn(issuer, method, former.query)
    }
    const visited = await visit()
    const { browser } = visited
    if (from === 'the start') Object.assign(issuer, behavior)
    const started = await start(visited)
    if (!started.location.startsWith(issuer.url)) return { browser, location: started.location }
    const { pathname, search } = await issuer.signIn(started.location)
    Object.assign(issuer, behavior)
    return { browser, location: (await browser.open(pathname + search)).location }
  }

  for (const [title, each] of Object.entries(ACCEPTED))
    test.serial(`accepts ${title}`, async t => {
      const { browser, location } = await run(t, each)
      t.is(location, '/')
      t.not(await browser.who(), null)
    })

  for (const [title, each] of Object.entries(REFUSED))
    test.serial(`refuses ${title}`, async t => {
      const { browser, location } = await run(t, each)
      t.true(location.startsWith(`/sign-in?failed=${method}`), location)
      t.is(await browser.who(), null)
    })

  test.serial(
    'oidcc-client-test-discovery-openid-config: sends the browser where the discovery document says',
    async t => {
      const { issuer, visit } = stage()
      t.teardown(issuer.behave)
      const elsewhere = 'https://login.acme.test/authorize'
      issuer.tamperMetadata = metadata => ({ ...metadata, authorization_endpoint: elsewhere })
      const { location } = await start(await visit())
      t.true(location.startsWith(`${elsewhere}?`), location)
    },
  )

  test.serial(
    'oidcc-client-test-scope-userinfo-claims and -userinfo-bearer-header: reads claims with the token',
    async t => {
      const { issuer, visit } = stage()
      const visited = await visit()
      const { browser, query, email } = visited
      t.is(await browser.signIn(issuer, method, query), '/')
      t.regex(issuer.authorizations.get('/me') ?? '', /^Bearer \S+$/)
      t.regex((await browser.open('/account')).text, new RegExp(email))
    },
  )
}

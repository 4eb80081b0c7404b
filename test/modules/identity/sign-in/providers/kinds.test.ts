/** The providers that are known by name, with a fetch in place of their servers. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { decodeProtectedHeader, exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import type { CustomFetch } from 'openid-client'
import { type Provider, providersOf } from '../../../../../modules/identity/options.ts'
import { connectProvider, openid } from '../../../../../modules/identity/sign-in/providers/provider-client.ts'
import { readPerson } from '../../../../../modules/identity/sign-in/providers/provider-people.ts'
import { startIdentity } from '../../fixtures.ts'
import { providerBrowser } from './browser.ts'

const client = { clientId: 'larder', clientSecret: 'secret' }
const provider = (name: string, options: object = client): Provider =>
  providersOf({ signIn: { providers: { [name]: options as typeof client } } })[0] as Provider

interface Sent {
  readonly url: string
  readonly body: URLSearchParams
  readonly authorization: string | null
}
/** Answers a discovery document, and `replies` by the end of the URL. */
function server(replies: Readonly<Record<string, object>> = {}) {
  const sent: Sent[] = []
  const send: CustomFetch = async (url, { body, headers }) => {
    sent.push({
      url,
      body: new URLSearchParams(String(body ?? '')),
      authorization: new Headers(headers).get('authorization'),
    })
    const [, reply] = Object.entries(replies).find(([end]) => url.endsWith(end)) ?? []
    if (reply) return Response.json(reply)
    const issuer = url.replace('/.well-known/openid-configuration', '').replace('/common/', '/{tenantid}/')
    return Response.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    })
  }
  return { send, sent }
}
const exchange = async (given: Provider, send: CustomFetch) => {
  const { genericGrantRequest } = await openid()
  const configuration = await connectProvider(given, send)
  const tokens = await genericGrantRequest(configuration, 'authorization_code', { code: 'c' })
  return { configuration, tokens }
}

test('each known provider has its issuer', async t => {
  for (const [name, options, issuer] of [
    ['google', client, 'https://accounts.google.com'],
    ['microsoft', client, 'https://login.microsoftonline.com/common/v2.0'],
    ['microsoft', { ...client, tenant: 'acme.test' }, 'https://login.microsoftonline.com/acme.test/v2.0'],
    ['apple', { clientId: 'test.larder', teamId: 'T', keyId: 'K', privateKey: 'P' }, 'https://appleid.apple.com'],
  ] as const) {
    const { send, sent } = server()
    await connectProvider(provider(name, options), send)
    t.is(sent[0]?.url, `${issuer}/.well-known/openid-configuration`)
  }
})

test('an issuer may have a path, and must be of one directory', async t => {
  for (const issuer of [
    'https://acme.okta.com/oauth2/default',
    'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0',
  ]) {
    const { send, sent } = server()
    await connectProvider(provider('corporate', { ...client, issuer, label: 'Corporate' }), send)
    t.is(sent[0]?.url, `${issuer}/.well-known/openid-configuration`)
  }
  for (const directory of ['common', '9188040d-6c67-4c5b-b112-36a304b66dad']) {
    const issuer = `https://login.microsoftonline.com/${directory}/v2.0`
    const given = provider('corporate', { ...client, issuer, label: 'Corporate' })
    await t.throwsAsync(connectProvider(given, server().send), { message: /people of every directory/ })
  }
})

test('a document that names another issuer is refused', async t => {
  const send: CustomFetch = async () =>
    Response.json({ issuer: 'https://evil.test', authorization_endpoint: 'https://evil.test/a' })
  await t.throwsAsync(connectProvider(provider('google'), send))
})

test("Apple's secret is signed by the key of the team and expires", async t => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const options = {
    clientId: 'test.larder',
    teamId: 'TEAM',
    keyId: 'KEY',
    privateKey: await exportPKCS8(privateKey),
  }
  const { send, sent } = server({ '/token': { access_token: 'a', token_type: 'bearer' } })
  await exchange(provider('apple', options), send)
  const { body } = sent.at(-1) as Sent
  const secret = body.get('client_secret') ?? ''
  const { payload } = await jwtVerify(secret, publicKey, { audience: 'https://appleid.apple.com', issuer: 'TEAM' })
  t.is(payload.sub, 'test.larder')
  t.is(body.get('client_id'), 'test.larder')
  t.is(decodeProtectedHeader(secret).kid, 'KEY')
  t.true(Number(payload.exp) - Number(payload.iat) <= 600)
})

test('oidcc-client-test-client-secret-basic: sends the secret in the way that the issuer supports', async t => {
  for (const [methods, inHeader] of [
    [['client_secret_post'], false],
    [['client_secret_basic', 'client_secret_post'], false],
    [['client_secret_basic'], true],
    [undefined, true],
  ] as const) {
    const issuer = 'https://id.acme.test'
    const { send, sent } = server({
      '/openid-configuration': {
        issuer,
        token_endpoint: `${issuer}/token`,
        ...(methods && { token_endpoint_auth_methods_supported: methods }),
      },
      '/token': { access_token: 'a', token_type: 'bearer' },
    })
    await exchange(provider('acme', { ...client, issuer }), send)
    const { authorization, body } = sent.at(-1) as Sent
    t.is(authorization !== null, inHeader, String(methods))
    t.is(body.get('client_secret'), inHeader ? null : 'secret')
  }
})

const github = (more: Readonly<Record<string, object>> = {}) =>
  server({
    '/login/oauth/access_token': { access_token: 'token', token_type: 'bearer', scope: 'read:user,user:email' },
    '/user/emails': [
      { email: 'old@example.test', primary: false, verified: true },
      { email: 'ada@example.test', primary: true, verified: true },
    ],
    '/user': { id: 42, login: 'ada', name: 'Ada' },
    ...more,
  })

test('reads the user and the primary address from the API of GitHub', async t => {
  const { send, sent } = github()
  const given = provider('github')
  const { configuration, tokens } = await exchange(given, send)
  t.deepEqual(await readPerson(given, configuration, tokens), {
    provider: 'https://github.com',
    subject: '42',
    email: 'ada@example.test',
    emailVerified: true,
    name: 'Ada',
  })
  t.deepEqual(
    sent.map(({ url }) => url),
    [
      'https://github.com/login/oauth/access_token',
      'https://api.github.com/user',
      'https://api.github.com/user/emails',
    ],
  )
  t.is(sent[1]?.authorization, 'Bearer token')
})

test('uses the API of a GitHub Enterprise Server', async t => {
  const { send, sent } = github()
  const given = provider('github', { ...client, url: 'https://github.acme.test' })
  const { configuration, tokens } = await exchange(given, send)
  t.like(await readPerson(given, configuration, tokens), { provider: 'https://github.acme.test', subject: '42' })
  t.is(sent[1]?.url, 'https://github.acme.test/api/v3/user')
})

test('an address that GitHub has not verified counts as not verified', async t => {
  const { send } = github({ '/user/emails': [{ email: 'ada@example.test', primary: true, verified: false }] })
  const given = provider('github')
  const { configuration, tokens } = await exchange(given, send)
  t.like(await readPerson(given, configuration, tokens), { email: 'ada@example.test', emailVerified: false })
})

test('signs in with an account at GitHub', async t => {
  let verifier = ''
  const requests = createServer((request, response) => {
    const answer = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    if (pathname === '/api/v3/user') return answer({ id: 42, login: 'ada', name: 'Ada' })
    if (pathname === '/api/v3/user/emails') return answer([{ email: 'ada@github.test', primary: true, verified: true }])
    return text(request).then(body => {
      const form = new URLSearchParams(body)
      verifier = form.get('code_verifier') ?? ''
      const isCode = form.get('code') === 'a-code' && form.get('client_secret') === 'secret'
      answer(isCode ? { access_token: 'a', token_type: 'bearer' } : { error: 'bad_verification_code' })
    })
  })
  await new Promise<void>(resolve => requests.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(requests.address() as AddressInfo).port}`
  const kernel = await startIdentity({ signIn: { providers: { github: { ...client, url } } } })
  t.teardown(async () => {
    await kernel.stop()
    requests.close()
  })
  const browser = providerBrowser(kernel)
  const { searchParams, pathname } = new URL((await browser.open('/sign-in/github')).location)
  t.is(pathname, '/login/oauth/authorize')
  t.is(searchParams.get('scope'), 'read:user user:email')
  const state = searchParams.get('state') ?? ''
  const stranger = await providerBrowser(kernel).open(`/sign-in/github/callback?code=a-code&state=${state}`)
  t.is(stranger.location, '/sign-in?failed=github&next=%2F')
  t.is((await browser.open(`/sign-in/github/callback?code=a-code&state=${state}`)).location, '/')
  t.truthy(await browser.who())
  t.is(createHash('sha256').update(verifier).digest('base64url'), searchParams.get('code_challenge') ?? '')
  const again = providerBrowser(kernel)
  const other = new URL((await again.open('/sign-in/github')).location).searchParams.get('state') ?? ''
  const used = await again.open(`/sign-in/github/callback?code=used-code&state=${other}`)
  t.is(used.location, '/sign-in?failed=github&next=%2F')
})

test('an error of GitHub with status 200 is an error', async t => {
  const { send } = github({ '/login/oauth/access_token': { error: 'bad_verification_code' } })
  const error = await t.throwsAsync(exchange(provider('github'), send))
  t.is((error as { error?: unknown } | undefined)?.error, 'bad_verification_code')
})

test('the address of a Microsoft account counts only if Microsoft verified it or its domain', async t => {
  const given = provider('microsoft')
  const { send } = server({ '/token': { access_token: 'a', token_type: 'bearer' } })
  const configuration = await connectProvider(given, send)
  for (const [claims, verified] of [
    [{ tid: 'a-directory' }, false],
    [{ tid: 'a-directory', email_verified: true }, false],
    [{ tid: 'a-directory', xms_edov: '1' }, true],
    [{ tid: '9188040d-6c67-4c5b-b112-36a304b66dad' }, true],
  ] as const) {
    const tokens = {
      access_token: 'a',
      claims: () => ({
        iss: 'https://login.microsoftonline.com/x/v2.0',
        sub: 's',
        email: 'ada@example.test',
        ...claims,
      }),
    }
    const person = await readPerson(given, configuration, tokens as never)
    t.is(person.emailVerified, verified, JSON.stringify(claims))
  }
})

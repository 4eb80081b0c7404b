/** Uses every feature that creates a secret, then searches the database, the log and the terminal output for them. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { spawnLarder, temporaryFolder } from '../bin/command.ts'
import { waitFor } from '../fixtures/wait.ts'
import { connectAsOwner, dumpTables } from './fixtures.ts'

interface Environment {
  /** Secrets by name. */
  readonly secrets: Map<string, string>
  readonly url: string
}
type Body = Record<string, string> & { apiKey: { key: string }; data: { id: string; to: string; subject: string }[] }

const PASSWORD = 'correct horse battery staple'
const ACCOUNT = { email: 'ada@example.test', password: PASSWORD }
const NEXT_PASSWORD = 'an entirely different phrase'
const SERVER_SECRET = 'a secret that only tests may know of'

async function call(url: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const cookie = response.headers.getSetCookie().find(line => line.startsWith('platform_session=')) ?? ''
  const json = /json/.test(response.headers.get('content-type') ?? '') ? (JSON.parse(text) as Body) : ({} as Body)
  return { status: response.status, body: json, cookie: cookie.split(';')[0]?.split('=')[1] ?? '' }
}

const addSecret = ({ secrets }: Environment, name: string, secret: string | undefined): void => {
  if (!secret) throw new Error(`missing secret: ${name}`)
  secrets.set(name, secret)
}

/** Registers, signs in and claims the installation. Returns the token and the API key of the registration. */
async function signIn(
  environment: Environment,
  claimCode: string,
): Promise<{ bearer: Record<string, string>; apiKey: string }> {
  const { url } = environment
  const registered = await call(url, 'POST', '/v1/auth/register', ACCOUNT)
  addSecret(environment, 'password', PASSWORD)
  addSecret(environment, 'token of registration', registered.body.token)
  addSecret(environment, 'cookie of registration', registered.cookie)
  addSecret(environment, 'first API key', registered.body.apiKey.key)
  const bearer = { authorization: `Bearer ${registered.body.token}` }

  await call(url, 'POST', '/v1/auth/login', { ...ACCOUNT, password: 'a mistyped passphrase' })
  addSecret(environment, 'mistyped password', 'a mistyped passphrase')
  const signedIn = await call(url, 'POST', '/v1/auth/login', ACCOUNT)
  addSecret(environment, 'token of sign-in', signedIn.body.token)
  addSecret(environment, 'cookie of sign-in', signedIn.cookie)
  const byCookie = { cookie: `platform_session=${signedIn.cookie}`, 'sec-fetch-site': 'same-origin' }
  await call(url, 'GET', '/v1/me', undefined, byCookie)
  await call(url, 'POST', '/v1/auth/claim', { code: claimCode }, bearer)
  addSecret(environment, 'claim code', claimCode)
  return { bearer, apiKey: registered.body.apiKey.key }
}

/** Creates API keys, invitations, sessions, streams and mails, and changes the password. */
async function createSecrets(environment: Environment, claimCode: string): Promise<void> {
  const { url } = environment
  const { bearer, apiKey } = await signIn(environment, claimCode)
  const repeatable = { ...bearer, 'idempotency-key': 'the same' }
  for (let times = 0; times < 2; times++) {
    const { body } = await call(url, 'POST', '/v1/identity/api-keys', { name: 'k' }, repeatable)
    addSecret(environment, 'API key of a stored response', body.key)
  }
  const invite = { email: 'ben@example.test', roles: ['tenant.member'] }
  const { body } = await call(url, 'POST', '/v1/identity/members/invite', { ...invite, sendEmail: false }, bearer)
  addSecret(environment, 'link of an invitation', body.link?.split('token=')[1]?.split('.')[2])
  await call(url, 'GET', `/invitations/accept?token=${body.link?.split('token=')[1]}`)
  await call(url, 'POST', '/v1/identity/members/invite', { ...invite, email: 'cara@example.test' }, bearer)
  await call(url, 'POST', '/v1/auth/password/forgot', { email: ACCOUNT.email })

  await createSessions(environment, repeatable)
  await collectMailedLinks(environment, 3)
  const change = { currentPassword: PASSWORD, newPassword: NEXT_PASSWORD }
  const changed = await call(url, 'POST', '/v1/auth/password/change', change, bearer)
  addSecret(environment, 'new password', NEXT_PASSWORD)
  addSecret(environment, 'token of a new password', changed.body.token)
  await call(url, 'GET', '/v1/me?token=a-token-in-the-query', undefined, { 'x-api-key': apiKey })
  addSecret(environment, 'token in a query', 'a-token-in-the-query')
}

async function createSessions(environment: Environment, headers: Record<string, string>): Promise<void> {
  const session = await call(environment.url, 'POST', '/v1/sessions', { mode: 'screenshare' }, headers)
  addSecret(environment, 'join token of a session', session.body.join_token)
  const stream = await call(environment.url, 'POST', '/v1/streams', { title: 'Live' }, headers)
  addSecret(environment, 'join token of a stream', stream.body.join_token)
  const viewer = await call(
    environment.url,
    'POST',
    `/v1/streams/${stream.body.id}/tokens`,
    { role: 'viewer' },
    headers,
  )
  addSecret(environment, 'token of a viewer', viewer.body.token)
  const webhooks = await call(environment.url, 'POST', '/v1/webhooks/secret/rotate', undefined, headers)
  addSecret(environment, 'secret of webhooks', webhooks.body.secret)
}

/** Adds the signature of each mailed link, once the mailbox has at least `count` mails. */
async function collectMailedLinks({ url, secrets }: Environment, count: number): Promise<void> {
  const mailbox = () => call(url, 'GET', '/v1/communications/mailbox')
  const { body } = await waitFor(mailbox, ({ status, body }) => status === 200 && body.data.length >= count)
  for (const { id, subject } of body.data) {
    const mail = await call(url, 'GET', `/v1/communications/mailbox/${id}`)
    for (const [, signature] of mail.body.text?.matchAll(/token=[\w]+\.\d+\.([\w-]{43})/g) ?? [])
      secrets.set(`link in '${subject}'`, signature as string)
  }
}

/** The secret as plain text and in the encodings in which it could be stored. */
const encodings = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)]
}

test('neither the database nor the log contains a secret', async t => {
  const cwd = await temporaryFolder(t)
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const recipe = fileURLToPath(new URL('recipes/full.yaml', packageRoot))
  const larder = spawnLarder(t, ['start', recipe], cwd, {
    DATABASE_URL: database.ownerUrl,
    LARDER_SECRET: SERVER_SECRET,
    PORT: '0',
    LOG_LEVEL: 'trace',
    RATE_LIMITS: 'off',
  })
  const [, url = ''] = await larder.waitForOutput(/is running at (http:\S+)/)
  const [, code = ''] = await larder.waitForOutput(/^ {6}([\w-]{19})$/m)
  const environment = { secrets: new Map([['secret of the server', SERVER_SECRET]]), url }
  await createSecrets(environment, code)
  larder.child.kill('SIGTERM')
  const { out, err } = await larder.ended

  const owner = connectAsOwner(database.ownerUrl)
  t.teardown(() => owner.end())
  // The mailbox stores complete mails with valid links.
  const stored = await dumpTables(owner, ['public.comms_mailbox'])
  const printed = err.replaceAll(code, '')
  t.true(out.split('\n').length > 20, 'the log has entries')
  t.true(environment.secrets.size >= 15, [...environment.secrets.keys()].join(', '))
  for (const [name, secret] of environment.secrets)
    for (const encoded of encodings(secret)) {
      t.false(stored.includes(encoded), `${name} is in the database`)
      t.false(out.includes(encoded), `${name} is in the log`)
      t.false(printed.includes(encoded), `${name} is in the terminal output`)
    }
  // Other values of the same rows are found, so the search works.
  for (const known of ['ada@example.test', 'ben@example.test', '$argon2id$']) t.true(stored.includes(known), known)
})

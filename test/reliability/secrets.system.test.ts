/** After a day's work no secret is found in the database or in the log, and what opens a door is found nowhere else. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { begin, folder } from '../bin/command.ts'
import { asOwner, dump } from './fixtures.ts'

interface Made {
  /** Name of the secret → the secret. */
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

/** Remembers a secret by its name. */
const keep = ({ secrets }: Made, name: string, secret: string | undefined): void => {
  if (!secret) throw new Error(`there is no ${name} to look for`)
  secrets.set(name, secret)
}

/** Every way in which a person comes by a secret; returns the token and the first key. */
async function signIns(made: Made, claimCode: string): Promise<{ bearer: Record<string, string>; apiKey: string }> {
  const { url } = made
  const registered = await call(url, 'POST', '/v1/auth/register', ACCOUNT)
  keep(made, 'password', PASSWORD)
  keep(made, 'token of registration', registered.body.token)
  keep(made, 'cookie of registration', registered.cookie)
  keep(made, 'first API key', registered.body.apiKey.key)
  const bearer = { authorization: `Bearer ${registered.body.token}` }

  await call(url, 'POST', '/v1/auth/login', { ...ACCOUNT, password: 'a mistyped passphrase' })
  keep(made, 'mistyped password', 'a mistyped passphrase')
  const signedIn = await call(url, 'POST', '/v1/auth/login', ACCOUNT)
  keep(made, 'token of sign-in', signedIn.body.token)
  keep(made, 'cookie of sign-in', signedIn.cookie)
  const byCookie = { cookie: `platform_session=${signedIn.cookie}`, 'sec-fetch-site': 'same-origin' }
  await call(url, 'GET', '/v1/me', undefined, byCookie)
  await call(url, 'POST', '/v1/auth/claim', { code: claimCode }, bearer)
  keep(made, 'claim code', claimCode)
  return { bearer, apiKey: registered.body.apiKey.key }
}

/** Every way in which an administrator does, and the mails. */
async function work(made: Made, claimCode: string): Promise<void> {
  const { url } = made
  const { bearer, apiKey } = await signIns(made, claimCode)
  const again = { ...bearer, 'idempotency-key': 'the same' }
  for (let times = 0; times < 2; times++) {
    const { body } = await call(url, 'POST', '/v1/identity/api-keys', { name: 'k' }, again)
    keep(made, 'API key of an answer that is kept', body.key)
  }
  const invite = { email: 'ben@example.test', roles: ['tenant.member'] }
  const { body } = await call(url, 'POST', '/v1/identity/members/invite', { ...invite, sendEmail: false }, bearer)
  keep(made, 'link of an invitation', body.link?.split('token=')[1]?.split('.')[2])
  await call(url, 'GET', `/invitations/accept?token=${body.link?.split('token=')[1]}`)
  await call(url, 'POST', '/v1/identity/members/invite', { ...invite, email: 'cara@example.test' }, bearer)
  await call(url, 'POST', '/v1/auth/password/forgot', { email: ACCOUNT.email })

  await streaming(made, again)
  await mails(made, 3)
  const change = { currentPassword: PASSWORD, newPassword: NEXT_PASSWORD }
  const changed = await call(url, 'POST', '/v1/auth/password/change', change, bearer)
  keep(made, 'new password', NEXT_PASSWORD)
  keep(made, 'token of a new password', changed.body.token)
  await call(url, 'GET', '/v1/me?token=a-token-in-the-query', undefined, { 'x-api-key': apiKey })
  keep(made, 'token in a query', 'a-token-in-the-query')
}

async function streaming(made: Made, headers: Record<string, string>): Promise<void> {
  const session = await call(made.url, 'POST', '/v1/sessions', { mode: 'screenshare' }, headers)
  keep(made, 'join token of a session', session.body.join_token)
  const stream = await call(made.url, 'POST', '/v1/streams', { title: 'Live' }, headers)
  keep(made, 'join token of a stream', stream.body.join_token)
  const viewer = await call(made.url, 'POST', `/v1/streams/${stream.body.id}/tokens`, { role: 'viewer' }, headers)
  keep(made, 'token of a viewer', viewer.body.token)
  const webhooks = await call(made.url, 'POST', '/v1/webhooks/secret/rotate', undefined, headers)
  keep(made, 'secret of webhooks', webhooks.body.secret)
}

/** The signature of each link that was mailed. */
async function mails({ url, secrets }: Made, least: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { body } = await call(url, 'GET', '/v1/communications/mailbox')
    if (body.data.length >= least) {
      for (const { id, subject } of body.data) {
        const mail = await call(url, 'GET', `/v1/communications/mailbox/${id}`)
        for (const [, signature] of mail.body.text?.matchAll(/token=[\w]+\.\d+\.([\w-]{43})/g) ?? [])
          secrets.set(`link in '${subject}'`, signature as string)
      }
      return
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('the mails did not come')
}

/** As it is, and as bytea shows it. */
const writings = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)]
}

test('no secret is in the database or in the log', async t => {
  const cwd = await folder(t)
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const recipe = fileURLToPath(new URL('recipes/full.yaml', packageRoot))
  const larder = begin(t, ['start', recipe], cwd, {
    DATABASE_URL: database.ownerUrl,
    LARDER_SECRET: SERVER_SECRET,
    PORT: '0',
    LOG_LEVEL: 'trace',
    RATE_LIMITS: 'off',
  })
  const [, url = ''] = await larder.saying(/is running at (http:\S+)/)
  const [, code = ''] = await larder.saying(/^ {6}([\w-]{19})$/m)
  const made = { secrets: new Map([['secret of the server', SERVER_SECRET]]), url }
  await work(made, code)
  larder.child.kill('SIGTERM')
  const { out, err } = await larder.ended

  const owner = asOwner(database.ownerUrl)
  t.teardown(() => owner.end())
  // Sent bodies hold live links and are kept by the mailbox alone, for who may read it.
  const stored = await dump(owner, ['public.comms_mailbox'])
  const shown = err.replaceAll(code, '')
  t.true(out.split('\n').length > 20, 'the log says something')
  t.true(made.secrets.size >= 15, [...made.secrets.keys()].join(', '))
  for (const [name, secret] of made.secrets)
    for (const written of writings(secret)) {
      t.false(stored.includes(written), `${name} is in the database`)
      t.false(out.includes(written), `${name} is in the log`)
      t.false(shown.includes(written), `${name} is on the terminal`)
    }
  // What is looked for would be found: its neighbours are.
  for (const known of ['ada@example.test', 'ben@example.test', '$argon2id$']) t.true(stored.includes(known), known)
})

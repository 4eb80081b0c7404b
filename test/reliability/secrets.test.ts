/** After a day's work no secret is found in the database or in the log, and what opens a door is found nowhere else. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { createTestDatabase } from '../../kernel/database/testing.ts'
import { packageRoot } from '../../kernel/root.ts'
import { begin, folder } from '../bin/command.ts'
import { asOwner, dump } from './kit.ts'

interface Made {
  /** Name of the secret → the secret. */
  readonly secrets: Map<string, string>
  readonly url: string
}
type Body = Record<string, string> & { apiKey: { key: string }; data: { id: string; to: string; subject: string }[] }

const PASSWORD = 'correct horse battery staple'
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

/** Every way in which a person or an administrator comes by a secret. */
async function work({ url, secrets }: Made, claimCode: string): Promise<void> {
  const keep = (name: string, secret: string | undefined) => {
    if (!secret) throw new Error(`there is no ${name} to look for`)
    secrets.set(name, secret)
  }
  const account = { email: 'ada@example.test', password: PASSWORD }
  const registered = await call(url, 'POST', '/v1/auth/register', account)
  keep('password', PASSWORD)
  keep('token of registration', registered.body.token)
  keep('cookie of registration', registered.cookie)
  keep('first API key', registered.body.apiKey.key)
  const bearer = { authorization: `Bearer ${registered.body.token}` }

  await call(url, 'POST', '/v1/auth/login', { ...account, password: 'a mistyped passphrase' })
  keep('mistyped password', 'a mistyped passphrase')
  const signedIn = await call(url, 'POST', '/v1/auth/login', account)
  keep('token of sign-in', signedIn.body.token)
  keep('cookie of sign-in', signedIn.cookie)
  const byCookie = { cookie: `platform_session=${signedIn.cookie}`, 'sec-fetch-site': 'same-origin' }
  await call(url, 'GET', '/v1/me', undefined, byCookie)
  await call(url, 'POST', '/v1/auth/claim', { code: claimCode }, bearer)
  keep('claim code', claimCode)

  const again = { ...bearer, 'idempotency-key': 'the same' }
  for (let times = 0; times < 2; times++) {
    const made = await call(url, 'POST', '/v1/identity/api-keys', { name: 'k' }, again)
    keep('API key of an answer that is kept', made.body.key)
  }
  const invite = { email: 'ben@example.test', roles: ['tenant.member'] }
  const link = await call(url, 'POST', '/v1/identity/members/invite', { ...invite, sendEmail: false }, bearer)
  keep('link of an invitation', link.body.link?.split('token=')[1]?.split('.')[2])
  await call(url, 'GET', `/invitations/accept?token=${link.body.link?.split('token=')[1]}`)
  await call(url, 'POST', '/v1/identity/members/invite', { ...invite, email: 'cara@example.test' }, bearer)
  await call(url, 'POST', '/v1/auth/password/forgot', { email: account.email })

  await mails({ url, secrets }, 3)
  const change = { currentPassword: PASSWORD, newPassword: NEXT_PASSWORD }
  const changed = await call(url, 'POST', '/v1/auth/password/change', change, bearer)
  keep('new password', NEXT_PASSWORD)
  keep('token of a new password', changed.body.token)
  await call(url, 'GET', '/v1/me?token=a-token-in-the-query', undefined, { 'x-api-key': registered.body.apiKey.key })
  keep('token in a query', 'a-token-in-the-query')
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
  const [, url = ''] = await larder.saying(/answers at (http:\S+)/)
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

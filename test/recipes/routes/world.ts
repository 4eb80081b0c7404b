/** The accounts and seeded records that the requests of the test of round trips use. */
import { generateKeyPairSync, sign } from 'node:crypto'
import pg from 'pg'
import { createSecrets, type Secrets } from '../../../kernel/base/index.ts'
import { type LinkPurpose, linkToken } from '../../../modules/identity/domain/links.ts'
import { hashSecret, newClaimCode, normalizeClaimCode } from '../../../modules/identity/domain/secrets.ts'

export const SECRET = 'a secret of these tests has with 32 characters'
export const EDGE_SECRET = 'the secret of the media edge'
const PASSWORD = 'correct horse battery staple'
const ADDRESS_VERSION = 1
/** How long to wait until the worker has processed all seeded events and jobs. */
const SETTLE_TIMEOUT_MS = 300_000

const PENDING = `select (select count(*) from larder_events where dispatched_at is null)
  + (select count(*) from larder_deliveries where state = 'pending')
  + (select count(*) from larder_jobs where state in ('waiting', 'running') and run_at <= now()) as pending`

export type Headers = Readonly<Record<string, string>>

export interface Account {
  readonly email: string
  readonly password: string
  readonly userId: string
  readonly tenantId: string
  readonly token: string
  /** Headers of an API client. */
  readonly headers: Headers
  /** Headers of a browser that shows pages of this product. */
  readonly browser: Headers
}

export interface World {
  readonly url: string
  readonly secrets: Secrets
  /** Owner of the workspace with all seeded records. */
  readonly owner: Account
  /** Another member of that workspace; the headers name it. */
  readonly member: Account
  /** Platform admin in the operator's tenant. */
  readonly operator: Account
  /** A new address. */
  email(): string
  /** Creates a user with a verified address and a workspace. */
  register(): Promise<Account>
  /** Signs the user in again, without password. */
  signIn(account: Account): Promise<Account>
  /** Creates a claim code of the installation. */
  claimCode(): Promise<string>
  /** The token of a link in an email. */
  link(purpose: LinkPurpose, id: string, version?: number): string
  /** The code in an email. */
  code(purpose: string, id: string): string
  /** Sends a request that must succeed. Returns the parsed body. */
  call<Body>(account: Pick<Account, 'headers'> | undefined, method: string, path: string, body?: unknown): Promise<Body>
  /** Runs SQL as the owner of the database. */
  sql<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Signs a request of SendGrid. */
  signSendGrid(body: string): Headers
  /** Resolves when no event and no due job is pending; a worker must be running. */
  settled(): Promise<void>
  close(): Promise<void>
}

const sendGridKeys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

/** Environment variables that the recipe of the test of round trips needs. */
export const ROUTE_ENV = {
  LARDER_SECRET: SECRET,
  RATE_LIMITS: 'off',
  SENDGRID_WEBHOOK_KEY: sendGridKeys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
}

export async function createWorld(url: string, databaseUrl: string): Promise<World> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 })
  // Idle connections end with the database, if the test fails.
  pool.on('error', () => {})
  const secrets = createSecrets([SECRET])
  const sql: World['sql'] = async (text, values) => (await pool.query(text, values as unknown[])).rows
  const call: World['call'] = (account, method, path, body) => send(url, account?.headers ?? {}, method, path, body)
  const code: World['code'] = (purpose, id) => secrets.code(purpose, id)
  const link: World['link'] = (purpose, id, version = 1) => linkToken(secrets, purpose, { id, version })
  let count = 0
  const email = () => `test-${Date.now()}-${++count}@example.test`

  async function register(): Promise<Account> {
    const account = { email: email(), password: PASSWORD }
    const { response, body } = await exchange<Registration>(url, {}, 'POST', '/v1/auth/register', account)
    const { user, workspace, token } = body
    const proof = { token: link('verify_email', user.id, ADDRESS_VERSION), password: PASSWORD }
    await call(undefined, 'POST', '/v1/auth/verify-email', proof)
    const signedIn = { ...account, userId: user.id, tenantId: workspace.id, token, ...headersOf(response, token) }
    return signIn(signedIn)
  }

  async function signIn(account: Account): Promise<Account> {
    const { response, body } = await exchange<{ token: string }>(url, {}, 'POST', '/v1/auth/login/direct', {
      userId: account.userId,
    })
    return { ...account, token: body.token, ...headersOf(response, body.token) }
  }

  async function claimCode(): Promise<string> {
    const code = newClaimCode()
    await sql(`insert into identity_claims (code_hash, expires_at) values ($1, now() + interval '1 day')`, [
      hashSecret(normalizeClaimCode(code)),
    ])
    return code
  }

  const [owner, joining, claiming] = await Promise.all([register(), register(), register()])
  const invited = await call<{ link: string }>(owner, 'POST', '/v1/identity/members/invite', {
    email: joining.email,
    roles: ['tenant.owner'],
    sendEmail: false,
  })
  const token = new URL(invited.link).searchParams.get('token')
  await call(joining, 'POST', '/v1/identity/invitations/accept', { token })
  const claimed = await call<{ membership: { tenantId: string } }>(claiming, 'POST', '/v1/auth/claim', {
    code: await claimCode(),
  })
  const operator = inTenant(claiming, claimed.membership.tenantId)
  return {
    url,
    secrets,
    owner,
    operator,
    email,
    register,
    signIn,
    claimCode,
    code,
    link,
    call,
    sql,
    member: inTenant(joining, owner.tenantId),
    signSendGrid(body) {
      const time = String(Math.floor(Date.now() / 1000))
      const signature = sign('sha256', Buffer.from(time + body), sendGridKeys.privateKey).toString('base64')
      return {
        'x-twilio-email-event-webhook-timestamp': time,
        'x-twilio-email-event-webhook-signature': signature,
      }
    },
    async settled() {
      const deadline = performance.now() + SETTLE_TIMEOUT_MS
      for (;;) {
        const [row] = await sql<{ pending: string }>(PENDING)
        if (Number(row?.pending) === 0) return
        if (performance.now() > deadline) throw new Error(`${row?.pending} seeded events and jobs are still pending`)
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    },
    close: () => pool.end(),
  }
}

interface Registration {
  readonly user: { readonly id: string }
  readonly workspace: { readonly id: string }
  readonly token: string
}

function inTenant(account: Account, tenantId: string): Account {
  const { headers, browser } = account
  const cookie = `${browser.cookie}; platform_tenant=${tenantId}`
  return {
    ...account,
    tenantId,
    headers: { ...headers, 'x-tenant-id': tenantId },
    browser: { ...browser, cookie },
  }
}

function headersOf(response: Response, token: string): Pick<Account, 'headers' | 'browser'> {
  const cookie = response.headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .filter(pair => pair?.startsWith('platform_session='))
    .join('; ')
  return {
    headers: { authorization: `Bearer ${token}` },
    browser: { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' },
  }
}

async function send<Body>(url: string, headers: Headers, method: string, path: string, body?: unknown): Promise<Body> {
  return (await exchange<Body>(url, headers, method, path, body)).body
}

async function exchange<Body>(
  url: string,
  headers: Headers,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ response: Response; body: Body }> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
  return { response, body: (text === '' ? undefined : JSON.parse(text)) as Body }
}

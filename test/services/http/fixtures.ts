/** An HTTP server with a small module, three users and two tenants. It has no database by default. */
import type { TestFn } from 'ava'
import { type Logger, pino } from 'pino'
import { pickText } from '../../../kernel/base/locale.ts'
import { logHooks } from '../../../kernel/base/outage.ts'
import { createSecrets } from '../../../kernel/base/secrets.ts'
import { inEnglish, isWording } from '../../../kernel/base/wording.ts'
import type {
  Authenticator,
  Database,
  Membership,
  Principal,
  SystemDatabase,
  Unit,
  UntypedBus,
} from '../../../kernel/internal.ts'
import type { ProblemDocument } from '../../../services/http/problems.ts'
import { createHttp, type Http, type HttpOptions, type MountedModule } from '../../../services/http/server.ts'
import type { Theme } from '../../../services/http/theme.ts'
import { problemsOf } from '../../../services/templates/engine.ts'

export interface TestServer {
  readonly url: string
  readonly port: number
  readonly http: Http
  readonly bus: UntypedBus
  readonly lines: Record<string, unknown>[]
  /** Counts. */
  readonly lookUps: { authentications: number; preconditions: number }
  /** Memberships, which tests can change. */
  readonly members: Map<string, Membership>
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>
  send(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>
  stop(): Promise<void>
}
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
  readonly text: string
}

export const cookie = { cookie: 'platform_session=ada-cookie' }
export const bearer = { authorization: 'Bearer dt_ada' }
export const key = { 'x-api-key': 'acme_live_key' }
export const acme = { 'x-tenant-id': 'ten_acme' }
export const ada = { ...cookie, ...acme }

const login = (id: string, userId: string, homeTenantId: string): Principal => ({
  kind: 'login',
  id,
  userId,
  homeTenantId,
  expiresAt: null,
  permissions: null,
})

const PRINCIPALS: Readonly<Record<string, Principal>> = {
  'cookie ada-cookie': login('lgn_1', 'usr_ada', 'ten_acme'),
  'bearer dt_ada': login('lgn_2', 'usr_ada', 'ten_acme'),
  'bearer dt_bob': login('lgn_3', 'usr_bob', 'ten_bolt'),
  'bearer dt_op': login('lgn_4', 'usr_op', 'ten_acme'),
  'apiKey acme_live_key': {
    ...login('key_1', 'usr_ada', 'ten_acme'),
    kind: 'apiKey',
    permissions: ['notes.note.read'],
  },
}

const member = (tenantId: string, permissions: string[], platformPermissions: string[] = []): Membership => ({
  tenantId,
  memberId: `mem_${tenantId}`,
  roles: ['tenant.owner'],
  permissions,
  platformPermissions,
})

const MEMBERS: readonly [string, Membership][] = [
  ['usr_ada ten_acme', member('ten_acme', ['*'])],
  ['usr_ada ten_second', member('ten_second', ['notes.note.read'])],
  ['usr_bob ten_bolt', member('ten_bolt', ['notes.note.read'])],
  ['usr_op ten_acme', member('ten_acme', [], ['platform.*'])],
]
const SLUGS: Readonly<Record<string, string>> = { acme: 'ten_acme', bolt: 'ten_bolt' }

export function createBus(): UntypedBus {
  const listeners = new Map<string, Set<(message: unknown) => void>>()
  return {
    publish: (channel, message) => {
      for (const listener of listeners.get(channel) ?? []) listener(message)
    },
    subscribe(channel, onMessage) {
      const set = listeners.get(channel) ?? new Set()
      listeners.set(channel, set.add(onMessage))
      return () => void set.delete(onMessage)
    },
  }
}

/** A database that runs no SQL. Every precondition holds unless its condition is `false`. */
export const noDatabase: Database = {
  tenant: () => unit,
  currentTenant: () => undefined,
  afterCommit: run => void run(),
  beside: work => work(),
  async verified({ condition }, work) {
    return condition === 'false' ? { holds: false } : { holds: true, value: await work() }
  },
}
export const noSystemDatabase: SystemDatabase = { acrossTenants: () => unit }
const unit: Unit = {
  query: async () => ({ rows: [], rowCount: 0 }),
  all: async () => [],
  defer: async () => undefined,
  lock: async () => {},
  transaction: work => work(unit),
}

export const moduleOf = (parts: Partial<MountedModule>): MountedModule => ({
  name: 'notes',
  routes: [],
  rawRoutes: [],
  sockets: [],
  siteTemplates: [],
  pages: [],
  problems: {},
  ...parts,
})

export async function startTestServer(parts: Partial<MountedModule>, more: GivenOptions = {}): Promise<TestServer> {
  const bus = createBus()
  const lines: Record<string, unknown>[] = []
  const lookUps = { authentications: 0, preconditions: 0 }
  const members = new Map(MEMBERS)
  const options = optionsOf(
    parts,
    { bus, log: createRecordingLog(lines), authenticator: createAuthenticator(lookUps, members) },
    more,
  )
  const http = createHttp(options)
  const { port } = await http.listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const call = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const answer = await fetch(url + path, {
      method,
      body: raw ?? null,
      headers: { ...json, ...headers },
      redirect: 'manual',
    })
    const text = await answer.text()
    const isJson = (answer.headers.get('content-type') ?? '').includes('json')
    return { status: answer.status, headers: answer.headers, text, body: isJson && text !== '' ? JSON.parse(text) : {} }
  }
  return {
    url,
    port,
    http,
    bus,
    lines,
    lookUps,
    members,
    get: (path, headers) => call('GET', path, undefined, headers),
    send: call,
    async stop() {
      await http.close()
    },
  }
}

const createRecordingLog = (lines: Record<string, unknown>[]): Logger =>
  pino({ level: 'debug', hooks: logHooks }, { write: line => void lines.push(JSON.parse(line)) })

function createAuthenticator(lookUps: TestServer['lookUps'], members: ReadonlyMap<string, Membership>): Authenticator {
  return {
    signInPath: '/sign-in',
    async authenticate({ kind, secret }, tenant) {
      lookUps.authentications++
      const principal = PRINCIPALS[`${kind} ${secret}`]
      if (!principal) return null
      const named = typeof tenant === 'string' ? undefined : (SLUGS[tenant.named] ?? tenant.named)
      const key = `${principal.userId} ${tenant === 'home' || tenant === 'last' ? principal.homeTenantId : named}`
      const find = () => {
        const member = members.get(key) ?? null
        return principal.kind === 'apiKey' && member?.tenantId !== principal.homeTenantId ? null : member
      }
      const membership = find()
      const precondition = () => {
        lookUps.preconditions++
        return { condition: String(find() === membership), values: [] }
      }
      return { principal, membership, precondition }
    },
  }
}

const PERMISSIONS = [
  { key: 'notes.note.read', title: 'Read notes', scope: 'tenant', module: 'notes' },
  { key: 'notes.note.update', title: 'Change notes', scope: 'tenant', module: 'notes' },
  { key: 'platform.recipe.read', title: 'Read the recipe', scope: 'platform', module: 'platform' },
] as const

/** Shows the data as JSON. */
const theme: Theme = {
  prepare: () => undefined,
  render: ({ title }, data, { locale, nonce, site }) =>
    `<h1>${title}</h1>${JSON.stringify({ ...data, ...site })} ${locale} <style nonce="${nonce}">h1</style>`,
  queries: () => ({}),
  forms: () => ({}),
  embed: () => [],
  problemPage: problem => `<h1>problem ${(problem as ProblemDocument).code}</h1>`,
  text: (locale, text) => (isWording(text) ? inEnglish(text) : pickText(text, locale, 'en')),
  live: () => '',
  reload: false,
  errorPlaces: problemsOf,
  asset: name => `/assets/${name}`,
  assetAt: () => undefined,
  icon: () => undefined,
  colorSchemes: () => ({ light: {}, dark: {} }),
  brand: () => ({ logo: null, fontFaces: '', font: null, light: undefined, dark: undefined }),
  translations: () => ({}),
  mailLayout: { wrap: ({ body }) => body, css: '' },
}

interface GivenOptions extends Omit<Partial<HttpOptions>, 'theme'> {
  readonly theme?: Partial<Theme>
}

function optionsOf(
  parts: Partial<MountedModule>,
  made: Pick<HttpOptions, 'bus' | 'log' | 'authenticator'>,
  more: GivenOptions,
): HttpOptions {
  return {
    ...made,
    settings: { trustProxy: 0, rateLimits: false, production: true, metricsToken: undefined, shutdownDelayMs: 0 },
    clock: { now: () => Date.now() },
    product: {
      key: 'acme',
      name: 'Acme',
      publicUrl: 'https://acme.test',
      locales: { default: 'en', available: ['en', 'de'] },
      production: true,
      audience: 'teams',
    },
    secrets: createSecrets(['a secret of thirty-two bytes or more']),
    database: noDatabase,
    systemDatabase: noSystemDatabase,
    operator: { tenantId: 'ten_operator' },
    access: { permissions: () => PERMISSIONS, roles: () => [] },
    modules: [moduleOf(parts)],
    checks: async () => [{ name: 'database', ok: true }],
    version: '1.0.0',
    ...more,
    theme: { ...theme, ...more.theme },
  }
}

/** Starts one server per test file. */
export function useTestServer(test: TestFn<{ server: TestServer }>, start: () => Promise<TestServer>): void {
  test.before(async t => {
    t.context.server = await start()
  })
  test.after.always(async t => {
    await t.context.server?.stop()
  })
}

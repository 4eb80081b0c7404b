/**
 * The test kit, `@larder-dev/larder/kernel/testing`. Starts a kernel with a temporary database on a free port of 127.0.0.1.
 *
 *     const kernel = await startTestKernel({ recipe: { modules: { identity: {}, comms: {} } } })
 *     const ada = await kernel.register('ada@example.test')
 *     const { status, body } = await ada.get('/v1/me')
 *     await kernel.stop()
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { stringify } from 'yaml'
import { checkFile, readSettings } from '../bin/composition.ts'
import { type Clock, MINUTE, type Ports } from '../kernel/index.ts'
import { logHooks } from '../kernel/internal.ts'
import { bootKernel, type Kernel, migrationSets, type Role } from '../kernel/runtime/index.ts'
import { createTestDatabase } from '../services/postgres/testing.ts'
import { type ClientOf, createClients, type TestResponse } from './client.ts'

export type * from './client.ts'

/**
 * Operations by path and method, from which requests take the types of their responses. A product adds the paths of its
 * generated client:
 *
 *     declare module '@larder-dev/larder/kernel/testing' {
 *       interface TestedPaths extends Paths {}
 *     }
 */
export interface TestedPaths {}

/** A client whose responses have the types of `TestedPaths`. */
export interface Client extends ClientOf<TestedPaths> {}

export interface TestKernelOptions {
  /** Path of a recipe, or a recipe as data. `recipe` and `product` have defaults. */
  readonly recipe: string | Readonly<Record<string, unknown>>
  /** Base folder for relative paths in a recipe that is given as data. */
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** `all` by default. */
  readonly role?: Role
  /** `databaseUrl` of another test kernel, to start a second process on its database. */
  readonly database?: string
  /** Silent by default. */
  readonly log?: Logger
}

/** A registered user who owns a workspace. */
export interface Person extends Client {
  readonly email: string
  readonly password: string
  readonly userId: string
  readonly tenantId: string
  readonly token: string
  readonly apiKey: string
  /** The Cookie header, `platform_session=…`. */
  readonly cookie: string
}

export interface TestKernel extends Client {
  readonly url: string
  readonly kernel: Kernel
  /** Connection URL of the database owner. */
  readonly databaseUrl: string
  register(email: string, more?: Readonly<Record<string, unknown>>): Promise<Person>
  /** A client with a bearer token or API key. */
  as(credential: string, tenantId?: string): Client
  /**
   * The entries of all pages of a list, in their order. Rejects if a page has another status than 200.
   * @param path with the parameters of every page, such as `limit`.
   */
  all<T>(client: Pick<Client, 'get'>, path: string): Promise<T[]>
  /**
   * Resolves when no event, no due job and no job that failed without the database is pending. Rejects after a minute, which
   * allows for a busy machine.
   */
  settled(): Promise<void>
  readonly automations: TestAutomations
  /** Rejects if a route has returned a problem that it doesn't document, or a field that its reply schema doesn't have. */
  stop(): Promise<void>
}

/** The automations of the product. */
export interface TestAutomations {
  /** Resolves as `settled`, and when all runs are over but those that wait for a time, for an answer or for another attempt. */
  settle(): Promise<void>
  /** Continues runs that wait for a time, as if it had come, and settles. Returns their number. */
  endWaits(query?: { readonly automation?: string; readonly tenantId?: string }): Promise<number>
  /** Runs with their steps, the oldest first. Values are those that the steps received, without secrets. */
  runs(query?: { readonly automation?: string; readonly tenantId?: string }): Promise<readonly AutomationRun[]>
}
export type AutomationRun = Awaited<ReturnType<Ports['automations']['runs']>>[number]

export const TEST_PASSWORD = 'correct horse battery staple'

export async function startTestKernel(options: TestKernelOptions): Promise<TestKernel> {
  const work = await mkdtemp(join(tmpdir(), 'larder-test-'))
  const env = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent', ...options.env }
  const file = typeof options.recipe === 'string' ? options.recipe : await writeRecipe(options, work)
  const checked = await checkFile(file, env)
  const database = options.database
    ? { ownerUrl: options.database, drop: async () => {} }
    : await createTestDatabase({ migrations: migrationSets([...checked.services, ...checked.modules]) })
  const cleanUp = async () => {
    await database.drop()
    await rm(work, { recursive: true, force: true })
    if (typeof options.recipe !== 'string') await rm(file, { force: true })
  }
  try {
    const settings = readSettings({
      PORT: '0',
      LARDER_DATA: work,
      LARDER_SECRET: 'a secret that only tests may know of',
      DATABASE_URL: database.ownerUrl,
      ...env,
    })
    const log = options.log ?? pino({ level: settings.logLevel, hooks: logHooks })
    const role = options.role ?? 'all'
    const kernel = await bootKernel({ checked, settings, role, log, clock: options.clock, env })
    if (role !== 'worker') await kernel.serve()
    const url = role === 'worker' ? '' : kernel.ports.http.url
    if (role !== 'web') await kernel.work()
    const { client, closeIdleConnections } = createClients<TestedPaths>(url)
    return {
      ...client({}),
      url,
      kernel,
      databaseUrl: database.ownerUrl,
      register: (email, more) => register(client, email, more),
      as: (credential, tenantId) =>
        client({ authorization: `Bearer ${credential}`, ...(tenantId && { 'x-tenant-id': tenantId }) }),
      all,
      settled: () => settled(kernel),
      automations: automationsOf(kernel),
      async stop() {
        closeIdleConnections()
        const http = role === 'worker' ? undefined : kernel.ports.http
        // Tests that call `fetch` themselves leave connections open, for which a stop would wait.
        http?.server.closeIdleConnections()
        const undeclared = http ? undeclaredBy(http) : []
        await kernel.stop()
        await cleanUp()
        if (undeclared.length > 0) throw new Error(undeclared.join('\n'))
      },
    }
  } catch (error) {
    await cleanUp()
    throw error
  }
}

/** A sentence with a list for each kind of mistake. */
function undeclaredBy(http: Kernel['ports']['http']): readonly string[] {
  const kinds = [
    [http.undeclaredProblems(), "problems that they don't document; add them to `problems` of the route"],
    [http.undeclaredFields(), 'fields that their reply schemas leave out; add them to the schema, or return less'],
  ] as const
  return kinds.flatMap(([found, what]) =>
    found.length === 0 ? [] : [`these routes returned ${what}:\n  ${found.join('\n  ')}`],
  )
}

async function writeRecipe({ recipe, folder }: TestKernelOptions, work: string): Promise<string> {
  const product = { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080' }
  const file = join(
    folder ?? work,
    folder ? `.test-${process.pid}-${Math.random().toString(36).slice(2)}.yaml` : 'recipe.yaml',
  )
  await writeFile(file, stringify({ recipe: 1, product, ...(recipe as object) }))
  return file
}

const SETTLED_TIMEOUT_MS = MINUTE
/** In the text of the problem `database_unavailable`. */
const DATABASE_UNAVAILABLE = 'database is temporarily unavailable'
interface ListPage<T> {
  readonly data: readonly T[]
  readonly nextCursor?: string | null
  readonly next_cursor?: string | null
}

async function all<T>(client: Pick<Client, 'get'>, path: string): Promise<T[]> {
  const found: T[] = []
  const seen = new Set<string>()
  for (let cursor: string | null | undefined = ''; ; ) {
    const query: string = cursor && `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
    const { status, body }: TestResponse<ListPage<T>> = await client.get<ListPage<T>>(path + query)
    if (status !== 200) throw new Error(`${path + query} returned ${status}: ${JSON.stringify(body)}`)
    found.push(...body.data)
    cursor = body.nextCursor ?? body.next_cursor
    if (cursor === null || cursor === undefined) return found
    if (seen.has(cursor)) throw new Error(`${path} returned the cursor ${cursor} twice`)
    seen.add(cursor)
  }
}

interface RegisterResponse {
  user: { id: string }
  workspace: { id: string }
  token: string
  apiKey: { key: string } | string
}

async function register(
  client: (headers: Readonly<Record<string, string>>) => Client,
  email: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Person> {
  const account = { email, password: TEST_PASSWORD, ...more }
  const { status, body, headers } = await client({}).post<RegisterResponse>('/v1/auth/register', account)
  if (status !== 201) throw new Error(`registering ${email} returned ${status}: ${JSON.stringify(body)}`)
  const cookie = (headers.getSetCookie()[0] ?? '').split(';')[0] as string
  return {
    ...client({ authorization: `Bearer ${body.token}` }),
    email,
    password: account.password,
    userId: body.user.id,
    tenantId: body.workspace?.id,
    token: body.token,
    apiKey: typeof body.apiKey === 'string' ? body.apiKey : body.apiKey?.key,
    cookie,
  }
}

async function settled({ inspector, ports }: Kernel): Promise<void> {
  const started = performance.now()
  for (;;) {
    const queue = await inspector.queue()
    const retries = queue.waiting + queue.pending === 0 ? await failedJobs(ports.jobActivity) : []
    if (queue.waiting + queue.pending + retries.length === 0) return
    const waited = performance.now() - started
    if (waited > SETTLED_TIMEOUT_MS)
      throw new Error(
        `events or jobs are still pending: ${JSON.stringify({ ...queue, retries, failed: await failedDeliveries(inspector) })}`,
      )
    // Reading the queue takes CPU time from what it waits for.
    await new Promise(resolve => setTimeout(resolve, Math.min(Math.max(waited / 5, 20), 200)))
  }
}

function automationsOf(kernel: Kernel): TestAutomations {
  const tools = (): Ports['automations'] => {
    if (!kernel.inspector.modules().some(({ name, reason }) => name === 'automations' && !reason))
      throw new Error('the recipe has no automations: add the line automations: {} under modules')
    return kernel.ports.automations
  }
  async function settle(): Promise<void> {
    const { countRunning } = tools()
    const ends = performance.now() + SETTLED_TIMEOUT_MS
    for (;;) {
      await settled(kernel)
      const running = await countRunning()
      if (running === 0) return
      if (performance.now() > ends) throw new Error(`${running} runs of automations are still under way`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }

  return {
    settle,
    async endWaits(query = {}) {
      await settle()
      const ended = await tools().endWaits(query)
      await settle()
      return ended
    },
    runs: async (query = {}) => tools().runs(query),
  }
}

/** What waits for another attempt because its handler failed. */
async function failedDeliveries({ events }: Kernel['inspector']) {
  const { data } = await events.list({ tenantId: null, limit: 100 })
  return data
    .flatMap(({ deliveries }) => deliveries)
    .filter(({ state, lastError }) => state === 'pending' && lastError !== null)
    .map(({ handler, eventType, attempts, lastError }) => ({ handler, eventType, attempts, lastError }))
}

/** Jobs that wait for another attempt because the database was unavailable. Jobs that fail otherwise belong to the test. */
async function failedJobs(activity: Kernel['ports']['jobActivity']) {
  const { data } = await activity.list({ tenantId: null, state: 'waiting', limit: 100 })
  return data
    .filter(({ lastError }) => lastError?.includes(DATABASE_UNAVAILABLE))
    .map(({ name, attempts, lastError }) => ({ name, attempts, lastError }))
}

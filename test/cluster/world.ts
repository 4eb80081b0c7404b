/** The whole of `npm run test:cluster`: database, proxies, Redis, product, receivers and load. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { registerAt } from '../fixtures/register-at.ts'
import { startSmtp } from '../modules/comms/smtp-server.ts'
import { type Receiver, startReceiver } from '../modules/webhooks/receiver.ts'
import { createRedis, type RedisServer } from '../system/redis.ts'
import { createDatabaseHaproxy, createPooler, type DatabaseHaproxy, type Restartable } from './database-proxies.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { type Load, startLoad } from './load.ts'
import { type Cluster, PASSWORD, startCluster } from './patroni.ts'
import { createProduct, type Product, webPortsOf } from './product.ts'
import type { Cleanup } from './programs.ts'
import { type SlowStep, startSlowStep } from './slow-step.ts'
import { type Subscriber, startSubscriber } from './subscribers.ts'
import { startWebProxies } from './web-proxies.ts'

/** Names of the clients without a proxy, by what their process reaches the database through. */
export const DIRECT = 'through HAProxy'
export const POOLED = 'through PgBouncer'

export interface World {
  readonly cluster: Cluster
  readonly haproxy: DatabaseHaproxy
  readonly pooler: Restartable
  readonly redis: RedisServer
  readonly product: Product
  readonly token: string
  readonly ledger: Ledger
  readonly load: Load
  readonly subscribers: readonly Subscriber[]
  readonly webhooks: Receiver
  readonly mails: Awaited<ReturnType<typeof startSmtp>>
  readonly slowStep: SlowStep
  client(name: string): HttpClient
}

const recipeOf = (slowStepUrl: string) => `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules:
  identity: { requireVerifiedEmail: false }
  comms: { from: "Acme <hello@acme.test>" }
  media: { allow: [text/plain] }
  collections: {}
  webhooks: { allowHosts: 127.0.0.1 }
  automations: {}
collections:
  books:
    fields: { key: { type: text, index: true }, pages: { type: integer } }
    access: { read: { tenant.member: true }, create: { tenant.owner: true } }
  copies:
    fields: { key: { type: text } }
    access: { read: { tenant.member: true } }
  measurements:
    fields: { key: { type: text } }
    access: { read: { tenant.member: true }, create: { tenant.owner: true } }
  orders:
    fields: { key: { type: text } }
    access: { read: { tenant.member: true }, create: { tenant.owner: true } }
automations:
  copy:
    on: collections.books.created
    steps:
      - collections.create: { collection: copies, values: { key: $row.key } }
  order:
    on: collections.orders.created
    steps:
      - webhooks.request: { url: "${slowStepUrl}", json: { key: $row.key } }
      - collections.create: { collection: copies, values: { key: $row.key } }
`

export async function startWorld(t: Cleanup): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-cluster-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const cluster = await startCluster(t, folder)
  const haproxy = await createDatabaseHaproxy(t, folder, cluster.ports)
  await haproxy.start()
  const superuserUrl = (port: number, database = 'larder') =>
    `postgresql://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`
  // HAProxy leads to any node until its first checks.
  const { ports } = await cluster.primary()
  await createDatabase(database => superuserUrl(ports.postgres, database))
  const pooler = await createPooler(t, { folder, server: haproxy.port, password: PASSWORD })
  await pooler.start()
  const redis = await createRedis()
  t.teardown(redis.close)
  await redis.start()
  const webhooks = await startReceiver()
  t.teardown(webhooks.close)
  const mails = await startSmtp(t)
  const slowStep = await startSlowStep(t)
  const webPorts = await webPortsOf(3)
  const owner = `larder:${encodeURIComponent(PASSWORD)}`
  const product = await createProduct(t, {
    superuserUrl: superuserUrl(haproxy.port),
    directUrl: `postgresql://${owner}@127.0.0.1:${haproxy.port}/larder`,
    pooledUrl: pooler.url('larder', PASSWORD),
    redisUrl: redis.url,
    smtpUrl: mails.url,
    publicUrl: 'https://127.0.0.1',
    recipe: recipeOf(slowStep.url),
    webPorts,
  })
  for (const { start } of [...product.webs, ...product.workers]) await start()
  const [direct, pooled, third] = product.webs.map(({ url }) => url) as [string, string, string]
  const proxies = await startWebProxies(t, [direct, pooled, third])
  const { token } = await registerAt(direct)
  const clients = proxies.map(({ name, url, ca }) => createHttpClient(name, url, ca))
  const probes = [createHttpClient(DIRECT, direct), createHttpClient(POOLED, pooled)]
  await createEndpoint(probes[0] as HttpClient, token, webhooks.url)
  const ledger = createLedger()
  ledger.begin('no fault')
  const subscribers = clients.map(client => startSubscriber(client, token))
  t.teardown(() => {
    for (const { end } of subscribers) end()
  })
  const load = startLoad({ ledger, token, proxied: clients, probes })
  await load.recovered()
  return {
    cluster,
    haproxy,
    pooler,
    redis,
    product,
    token,
    ledger,
    load,
    subscribers,
    webhooks,
    mails,
    slowStep,
    client: name => [...clients, ...probes].find(client => client.name === name) as HttpClient,
  }
}

/** The database and the logins of docs/deploy.md. */
async function createDatabase(url: (database: string) => string): Promise<void> {
  await asSuperuser(url('postgres'), [
    `create role larder login createrole password '${PASSWORD}'`,
    'create database larder owner larder',
    `create role pgbouncer login password '${PASSWORD}'`,
  ])
  await asSuperuser(url('larder'), [
    'grant select on pg_shadow to pgbouncer',
    'grant connect on database larder to pgbouncer',
  ])
}

async function asSuperuser(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

async function createEndpoint(client: HttpClient, token: string, url: string): Promise<void> {
  const answer = await client.send('POST', '/v1/webhooks/endpoints', {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['collections.books.created'] }),
  })
  if (answer.status !== 201) throw new Error(`creating an endpoint returned ${answer.status}: ${answer.text}`)
}

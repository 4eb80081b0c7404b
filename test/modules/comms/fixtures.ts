/** Services of comms on a real database, with a manual clock and a queue that runs no jobs. */

import { rmSync } from 'node:fs'
import type { ExecutionContext, TestFn } from 'ava'
import { pino } from 'pino'
import { createSecrets } from '../../../kernel/base/secrets.ts'
import type { Deps, JobQueue, Jobs, Settings } from '../../../kernel/index.ts'
import type { CommsOptions } from '../../../modules/comms/options.ts'
import type { Mail, Mailer } from '../../../modules/comms/ports.ts'
import type { Message } from '../../../modules/comms/records/message.ts'
import { createDeliveryService, type DeliveryService } from '../../../modules/comms/services/delivery-service.ts'
import { createMailSender } from '../../../modules/comms/services/mail-sender.ts'
import { createMailer } from '../../../modules/comms/services/mailer.ts'
import { createMessageRepository } from '../../../modules/comms/services/message-repository.ts'
import { createSuppressionAdmin, type NewSuppression } from '../../../modules/comms/services/suppression-admin.ts'
import { selectTransport } from '../../../modules/comms/services/transports/select-transport.ts'
import type { MailTransport, TransportDeps } from '../../../modules/comms/services/transports/transport.ts'
import { openDatabase } from '../../../services/postgres/open.ts'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import { createMailTemplates } from '../../../services/templates/mail.ts'
import { loadTheme } from '../../../services/templates/theme.ts'
import { createWorkerPool } from '../../../services/threads/worker-pool.ts'
import { folderOf, PRODUCT, SHIPPED_THEME } from '../../services/templates/fixtures.ts'

export const SECRETS = ['a secret that only tests may know of']
export const TENANT = 'ten_a'

/** One template with a name and a link, one for marketing. */
const EMAILS = {
  'hello.hbs': '---\nsubject: Hello {{name}}\n---\n<p>Hello {{name}}, <a href="{{url link}}">come in</a>.</p>',
  'news.hbs': '---\nsubject: News\ncategory: marketing\n---\n<p>News</p>',
}
export const LINK = { $link: { path: '/join', purpose: 'joining', id: 'inv_1', version: 1 } }

export interface CommsFixture {
  readonly deps: TransportDeps &
    Deps<'database' | 'systemDatabase' | 'models' | 'clock' | 'log' | 'jobs' | 'mailTemplates' | 'secrets' | 'product'>
  readonly mailer: Mailer
  readonly delivery: DeliveryService
  /** Adds an address to the suppression list. */
  stop(entry: Partial<NewSuppression>): Promise<unknown>
  /** Enqueued jobs, oldest first. */
  readonly waiting: Jobs['comms.deliver'][]
  /** Advances the clock, in milliseconds. */
  later(ms: number): void
  send(mail?: Partial<Mail>): ReturnType<Mailer['send']>
  message(id: string, tenantId?: string): Promise<Message | undefined>
  /** Contents of the message and suppression tables as JSON. */
  dump(): Promise<string>
  asOwner(sql: string, values?: unknown[]): Promise<unknown>
}

const MIGRATIONS = [
  { module: 'kernel', folder: new URL('../../../services/postgres/migrations/', import.meta.url) },
  { module: 'comms', folder: new URL('../../../modules/comms/migrations/', import.meta.url) },
]

const log = pino({ level: 'silent' })
const theme = loadTheme({ folder: SHIPPED_THEME, product: PRODUCT, log })

type CommsStarter = (
  t: ExecutionContext,
  options?: CommsOptions & { readonly through?: MailTransport },
) => Promise<CommsFixture>

/** Returns a function that starts the services on an empty database. The tests of a file use databases again. */
export function useComms(test: Pick<TestFn, 'after'>): CommsStarter {
  const opened: CommsDatabase[] = []
  const free: CommsDatabase[] = []
  test.after.always(async () => {
    for (const { close } of opened) await close()
  })
  return async (t, options = {}) => {
    const database = free.pop() ?? (await openCommsDatabase())
    if (!opened.includes(database)) opened.push(database)
    const { fixture, stop } = startComms(t, database, options)
    t.teardown(async () => {
      await stop()
      await database.empty()
      free.push(database)
    })
    return fixture
  }
}

async function openCommsDatabase() {
  const { ownerUrl, drop } = await createTestDatabase({ migrations: MIGRATIONS })
  const db = await openDatabase({ ownerUrl, secrets: SECRETS, log })
  const asOwner = (sql: string, values?: unknown[]) => query(ownerUrl, sql, values)
  const tables = await asOwner(
    "select string_agg(tablename, ', ') as names from pg_tables where tablename like 'comms\\_%'",
  )
  const [{ names }] = tables as [{ names: string }]
  return {
    ...db,
    asOwner,
    empty: () => asOwner(`truncate ${names}`),
    async close() {
      await db.close()
      await drop()
    },
  }
}
type CommsDatabase = Awaited<ReturnType<typeof openCommsDatabase>>

function startComms(t: ExecutionContext, db: CommsDatabase, options: Parameters<CommsStarter>[1] & object) {
  const { through, ...recipe } = options
  const clock = { at: Date.UTC(2026, 0, 1), now: () => clock.at }
  const emails = folderOf(t, EMAILS)
  const sets = [{ module: 'shop', folder: emails.url }]
  const workerPool = createWorkerPool()
  const waiting: Jobs['comms.deliver'][] = []
  const { systemDatabase } = db
  const own = {
    database: db.database,
    systemDatabase,
    models: db.models,
    clock,
    log,
    product: PRODUCT,
    settings: { smtpUrl: undefined } as Settings,
  }
  const mailTransport = through ?? selectTransport(own, recipe)
  const deps: CommsFixture['deps'] = {
    ...own,
    jobs: queueInto(waiting),
    mailTransport,
    mailTemplates: createMailTemplates({ sets, overrides: [], theme, product: PRODUCT, workerPool }),
    secrets: createSecrets(SECRETS),
  }
  const stop = async () => {
    await mailTransport.close()
    await workerPool.close()
    rmSync(emails.path, { recursive: true, force: true })
  }
  const mailer = createMailer(createMailSender(deps))
  const messages = createMessageRepository(deps)
  const admin = createSuppressionAdmin(deps)
  const { asOwner } = db
  const fixture: CommsFixture = {
    deps,
    mailer,
    delivery: createDeliveryService(deps, { from: 'Acme <hello@acme.test>', ...recipe }),
    stop: entry => db.database.tenant(TENANT).transaction(() => admin.add(TENANT, { ...STOP, ...entry })),
    waiting,
    later: ms => {
      clock.at += ms
    },
    send: mail =>
      mailer.send({ template: 'shop.hello', to: 'ada@example.test', tenantId: TENANT, data: DATA, ...mail }),
    message: (id, tenantId = TENANT) => messages.find(tenantId, id),
    asOwner,
    dump: async () =>
      JSON.stringify([await asOwner('select * from comms_messages'), await asOwner('select * from comms_suppression')]),
  }
  return { fixture, stop }
}

const STOP: NewSuppression = { email: 'ada@example.test', category: 'all', reason: 'manual', expiresAt: null }
const DATA = { name: 'Ada', link: LINK }

const queueInto = (waiting: Jobs['comms.deliver'][]): JobQueue<Jobs> => ({
  async enqueue(_name, data) {
    waiting.push(data as Jobs['comms.deliver'])
    return `job_${waiting.length}`
  },
  cancel: async () => 0,
})

/** Queries as the owner, who bypasses row-level security. */
async function query(url: string, sql: string, values?: unknown[]): Promise<unknown> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Every migration has to pass the databases of earlier versions, and this release works beside the one that follows it. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import test from 'ava'
import pg from 'pg'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { isRecord } from '../../kernel/index.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { createTestClock } from '../fixtures/clock.ts'
import { type Answers, readAll, signIn } from './reads.ts'
import { type Dump, storedDumps, UPGRADE_RECIPE, UPGRADE_SECRET } from './store.ts'

interface Updated {
  readonly kernel: TestKernel
  readonly answers: Answers
  stop(): Promise<void>
}

const dumps = await storedDumps()
const updated = new Map<string, Updated>()

test.before(async () => {
  for (const dump of dumps) updated.set(dump.name, await update(dump))
})
test.after.always(async () => {
  for (const { stop } of updated.values()) await stop()
})

/**
 * Restores the dump and starts the current version on it, at the time of the dump: nothing in it has expired. A later
 * release then migrates the database, while this one runs. All tests read and write what is left.
 */
async function update({ ids, at, sql, media }: Dump): Promise<Updated> {
  const database = await createTestDatabase({ migrations: [] })
  const data = await mkdtemp(join(tmpdir(), 'larder-upgrade-'))
  let kernel: TestKernel | undefined
  const stop = async () => {
    await kernel?.stop()
    await database.drop()
    await rm(data, { recursive: true, force: true })
  }
  try {
    await cp(media, join(data, 'media'), { recursive: true })
    await restore(database.ownerUrl, sql)
    kernel = await startTestKernel({
      recipe: UPGRADE_RECIPE,
      database: database.ownerUrl,
      clock: createTestClock({ at: Date.parse(at) }),
      env: { LARDER_SECRET: UPGRADE_SECRET, LARDER_DATA: data },
      role: 'web',
    })
    const operator = await signIn(kernel, ids.operatorEmail, ids.password, ids.operatorTenantId)
    // Statements whose plans PostgreSQL keeps must survive the change of their tables.
    await readAll(kernel, ids, operator)
    await query(database.ownerUrl, LATER_RELEASE)
    return { kernel, answers: await readAll(kernel, ids, operator), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Every module of a later release adds a column to each of its tables. */
const LATER_RELEASE = `
  do $$ declare changed regclass; begin
    for changed in select oid::regclass from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    loop execute format('alter table %s add column later text not null default %L', changed, 'later'); end loop;
  end $$;
  insert into larder_migrations (module, name, applied_at, expands, release)
  select module, '9999-later', now(), true, '99.0.0' from larder_migrations group by module`

async function restore(ownerUrl: string, sql: string): Promise<void> {
  // A dump has no roles, and its grants and policies name those of its server.
  const roles = [...new Set(sql.match(/\blarder_(?:app|system)(?:_\d+)*\b/g))].map(
    name => `do $$ begin create role ${name}; exception when duplicate_object then null; end $$`,
  )
  await query(ownerUrl, 'drop schema public cascade; create schema public', ...roles, sql)
}

/** Returns the rows of the last statement. */
async function query(connectionString: string, ...statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

test.serial('there is a dump of version 0.1.0', t => {
  t.regex(dumps[0]?.name ?? '', /0\.1\.0$/)
})

interface Role {
  readonly key: string
  readonly name: string
}
/** Roles that shipped recipes have renamed since. Roles of a recipe have the names of the recipe. */
const NEW_NAMES: Readonly<Record<string, string>> = {
  'tenant.operator': 'Session operator',
  'tenant.user': 'Standard',
}
const renamed = (roles: readonly Role[]) => roles.map(role => ({ ...role, name: NEW_NAMES[role.key] ?? role.name }))

test.serial('an update gives the database roles of its own', async t => {
  for (const { kernel } of updated.values()) {
    const rows = await query(
      kernel.databaseUrl,
      `select d.oid as id, array_agg(distinct r.rolname::text order by r.rolname::text) as names from pg_shdepend s
       join pg_roles r on r.oid = s.refobjid join pg_database d on d.oid = s.dbid
       where s.refclassid = 'pg_authid'::regclass and d.datname = current_database() and r.rolname like 'larder_%'
       group by 1`,
    )
    t.is(rows.length, 1)
    t.deepEqual(
      rows.map(({ names }) => names),
      rows.map(({ id }) => [`larder_app_${id}`, `larder_system_${id}`]),
    )
  }
})

/** Without the fields that only the newer version has. */
const inTheFormOf = (old: unknown, row: unknown): unknown =>
  isRecord(old) && isRecord(row)
    ? Object.fromEntries(
        Object.entries(row).flatMap(([key, value]) => (key in old ? [[key, inTheFormOf(old[key], value)]] : [])),
      )
    : row

/** `billing/0003-plans` is `billing/0003`. */
const numbered = (module: unknown, name: unknown): string => `${module}/${String(name).slice(0, 4)}`

/** Migrations that a text names: `billing/0003`, or `billing/0003 to 0006`. */
const namedMigrations = (text: string): string[] =>
  [...text.matchAll(/\b([a-z]+)\/(\d{4})(?: to (\d{4}))?/g)].flatMap(([, module, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) =>
      numbered(module, String(Number(first) + at).padStart(4, '0')),
    ),
  )

test('the changelog names the migrations since the last release that do not only add', async t => {
  const last = dumps.at(-1) as Dump
  const known = new Set(
    [...last.sql.matchAll(/^\t\('([a-z]+)', '(\d{4}-[a-z0-9-]+)', '/gm)].map(([, ...id]) => id.join('/')),
  )
  t.true(known.size > 40)
  const { kernel } = updated.get(last.name) as Updated
  const applied = await query(kernel.databaseUrl, 'select module, name from larder_migrations where not expands')
  const changelog = await readFile(new URL('CHANGELOG.md', packageRoot), 'utf8')
  const unreleased = changelog.split(/^## /m)[1] ?? ''
  t.deepEqual(
    namedMigrations(unreleased).sort(),
    applied
      .filter(({ module, name }) => !known.has(`${module}/${name}`))
      .map(({ module, name }) => numbered(module, name))
      .sort(),
  )
})

for (const dump of dumps) {
  const { name, ids } = dump
  const after = () => updated.get(name) as Updated

  test.serial(`${name}: every module has data`, t => {
    const empty = Object.entries(dump.answers).filter(([, rows]) => rows.length === 0)
    t.deepEqual(empty, [])
  })

  for (const read of Object.keys(dump.answers))
    test(`${name}: an update keeps the ${read}`, t => {
      // A changed recipe publishes events of its own.
      const kept =
        read === 'roles' ? renamed(dump.answers.roles as unknown as readonly Role[]) : (dump.answers[read] as unknown[])
      const found = after().answers[read] as readonly unknown[]
      t.deepEqual(
        read === 'events'
          ? found.filter(row => kept.some(old => isDeepStrictEqual(row, old)))
          : found.map((row, index) => inTheFormOf(kept[index], row)),
        kept,
      )
    })

  test.serial(`${name}: a person signs in with the password from before the update`, async t => {
    const { kernel } = after()
    const owner = await signIn(kernel, ids.ownerEmail, ids.password, ids.tenantId)
    const { body } = await owner.get('/v1/me')
    t.is(body.user.email, ids.ownerEmail)
  })

  test.serial(`${name}: a file from before the update can be downloaded`, async t => {
    const owner = after().kernel.as(ids.ownerToken, ids.tenantId)
    const { body } = await owner.get(`/v1/media/${ids.mediaId}/download-url`)
    const { pathname, search } = new URL(body.url)
    const response = await fetch(new URL(pathname + search, after().kernel.url))
    t.is(response.headers.get('content-type'), 'image/png')
    t.true((await response.arrayBuffer()).byteLength > 50)
  })

  test.serial(`${name}: rows from before the update can be changed`, async t => {
    const owner = after().kernel.as(ids.ownerToken, ids.tenantId)
    const page = await owner.patch(`/v1/content/pages/${ids.pageId}`, { title: 'After the update' })
    const row = await owner.patch<{ seats: number }>(`/v1/data/courses/${ids.courseId}`, { seats: 15 })
    t.is(page.body.title, 'After the update')
    t.is(row.body.seats, 15)
  })

  test.serial(`${name}: an invitation from before the update is accepted`, async t => {
    const guest = await after().kernel.register('guest@example.test')
    const { status } = await guest.post('/v1/identity/invitations/accept', { token: ids.invitationToken })
    t.is(status, 200)
  })

  test.serial(`${name}: a form from before the update takes submissions`, async t => {
    const { status } = await after().kernel.post(`/v1/forms/${ids.formId}/submit`, {
      data: { email: 'a@example.test' },
    })
    t.is(status, 201)
  })

  test.serial(`${name}: a worker that starts beside a later release processes events and jobs from before`, async t => {
    const { kernel } = after()
    const worker = await startTestKernel({
      recipe: UPGRADE_RECIPE,
      database: kernel.databaseUrl,
      clock: createTestClock({ at: Date.parse(dump.at) }),
      env: { LARDER_SECRET: UPGRADE_SECRET },
      role: 'worker',
    })
    try {
      await t.notThrowsAsync(worker.settled())
      const owner = kernel.as(ids.ownerToken, ids.tenantId)
      const { body } = await owner.get('/v1/communications/messages?limit=200')
      t.true(body.data.some(({ to }) => to === 'pending@example.test'))
    } finally {
      await worker.stop()
    }
  })
}

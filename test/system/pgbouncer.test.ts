import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { type Env, run, temporaryFolder } from '../bin/command.ts'
import { waitFor } from '../fixtures/wait.ts'
import { startDatabaseServer } from '../soak/database.ts'
import { createPgBouncer, type PgBouncer } from './pgbouncer.ts'
import { RECIPE, runPooledRequests, startPooled } from './pooled-requests.ts'

const REQUESTS = 700

/** The settings of a process behind a pooler that checks passwords. */
async function withPasswords(t: ExecutionContext, authentication: string): Promise<Env> {
  const server = await startDatabaseServer(t)
  const pooler = await createPgBouncer(server.url, authentication)
  t.teardown(pooler.close)
  await pooler.start()
  return {
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: server.url,
    LARDER_SECRET: 'a secret that only tests may know of',
    PORT: '0',
  }
}

/** The settings of a process behind the pooler. */
async function pooled(t: ExecutionContext): Promise<{ env: Env; pooler: PgBouncer }> {
  const database = await createTestDatabase({ migrations: [] })
  const pooler = await createPgBouncer(database.ownerUrl)
  t.teardown(async () => {
    await pooler.close()
    await database.drop()
  })
  await pooler.start()
  return {
    pooler,
    env: {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: database.ownerUrl,
      LARDER_SECRET: 'a secret that only tests may know of',
      PORT: '0',
      RATE_LIMITS: 'off',
    },
  }
}

test.serial('processes that share connections of a pooler answer every request with its own rows', async t => {
  const { env } = await pooled(t)
  const { requests, failed, wrong } = await runPooledRequests(t, env, REQUESTS)
  t.true(requests >= REQUESTS)
  t.deepEqual({ failed, wrong }, { failed: [], wrong: [] })
})

test.serial('a process reconnects after the pooler has reset all connections', async t => {
  const { env, pooler } = await pooled(t)
  const cwd = await temporaryFolder(t)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE)
  const { url } = await startPooled(t, 'start', cwd, env)
  const isReady = async () => (await fetch(`${url}/v1/health/readiness`)).status
  t.is(await isReady(), 200)
  await pooler.kill()
  t.is(await isReady(), 503)
  await pooler.start()
  await waitFor(async () => (await isReady()) === 200)
})

test.serial('start and doctor say which setting is missing behind a pooler in transaction mode', async t => {
  const { env } = await pooled(t)
  const { DATABASE_DIRECT_URL: _, ...incomplete } = env
  const cwd = await temporaryFolder(t)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE)
  const started = await run(t, ['start'], cwd, incomplete)
  t.not(started.code, 0)
  t.regex(started.err + started.out, /does not deliver notifications[\s\S]*Set DATABASE_DIRECT_URL/)
  const examined = await run(t, ['doctor'], cwd, incomplete)
  t.is(examined.code, 1)
  t.regex(examined.out, /^fail .*does not deliver notifications\n.*Set DATABASE_DIRECT_URL/m)
  t.regex((await run(t, ['doctor'], cwd, env)).out, /^ok .* delivers notifications$/m)
})

test.serial('a pooler that looks passwords up in PostgreSQL needs no list of logins', async t => {
  const authentication = `auth_type = scram-sha-256
auth_user = larder
auth_query = select usename, passwd from pg_shadow where usename = $1`
  const cwd = await temporaryFolder(t)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE)
  const { url } = await startPooled(t, 'start', cwd, await withPasswords(t, authentication))
  t.is((await fetch(`${url}/v1/health/readiness`)).status, 200)
})

test.serial('a start says that the pooler does not authenticate the login of requests', async t => {
  const env = await withPasswords(t, 'auth_type = scram-sha-256')
  const cwd = await temporaryFolder(t)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE)
  const { code, err } = await run(t, ['start'], cwd, env)
  t.is(code, 1)
  t.regex(
    err,
    /The pooler of DATABASE_URL, .+, rejected the login 'larder_app_\d+': .*authentication failed[\s\S]*auth_query/,
  )
})

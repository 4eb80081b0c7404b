/** The commands of docs/operations.md, with an owner that is no superuser. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { startTestKernel } from '../../testing/index.ts'
import { seed } from '../upgrade/seed.ts'
import { UPGRADE_RECIPE } from '../upgrade/store.ts'
import { type DebianPostgres, startDebianPostgres } from './debian-postgres.ts'

const SECRET = 'the secret of an installation with backups'

async function createDatabase({ query }: DebianPostgres, name: string, owner: string): Promise<void> {
  await query(`create role ${owner} login createrole password 'pw'`)
  await query(`create database ${name} owner ${owner}`)
}

/** The number of rows of every table, and a hash of them. */
async function contentOf({ query }: DebianPostgres, database: string): Promise<Record<string, unknown>[]> {
  const [row] = await query(
    `select string_agg(format('select %L as name, count(*)::int as rows, md5(string_agg(r::text, ''|'' order by r::text)) as hash
       from %I r', tablename, tablename), ' union all ' order by tablename) as sql
     from pg_tables where schemaname = 'public'`,
    database,
  )
  return query(`${row?.sql} order by 1`, database)
}

async function temporaryFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-backup-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a backup of an owner that is no superuser restores every row of every table', async t => {
  const server = await startDebianPostgres(t)
  const folder = await temporaryFolder(t)
  await createDatabase(server, 'original', 'ada')
  const options = { recipe: UPGRADE_RECIPE, env: { LARDER_SECRET: SECRET, LARDER_DATA: folder } }
  const first = await startTestKernel({ ...options, database: server.url('original', 'ada') })
  const ids = await seed(first).finally(() => first.stop())

  const file = join(folder, 'larder.dump')
  const source = server.url('original', 'ada')
  await server.run('pg_dump', ['--enable-row-security', '--no-owner', '--format=custom', `--file=${file}`, source])
  const original = await contentOf(server, 'original')
  t.true(original.length > 80)
  t.true(original.filter(({ rows }) => Number(rows) > 0).length > 50)

  // Another server has none of the roles.
  const other = await startDebianPostgres(t)
  await createDatabase(other, 'restored', 'bob')
  const target = other.url('restored', 'bob')
  const text = await server.run('pg_restore', ['--file=-', file])
  const roles = [...new Set(text.match(/\blarder_(?:app|system)(?:_[0-9]+)*\b/g))]
  t.is(roles.length, 2)
  await other.run('psql', [target, ...roles.flatMap(name => ['-c', `create role ${name}`])])
  const restore = ['--enable-row-security', '--no-owner', '--exit-on-error', `--dbname=${target}`]
  await other.run('pg_restore', [...restore, file])
  t.deepEqual(await contentOf(other, 'restored'), original)

  const second = await startTestKernel({ ...options, database: target, role: 'web' })
  try {
    const owner = second.as(ids.ownerToken, ids.tenantId)
    const { body } = await owner.get<{ data: unknown[] }>('/v1/data/courses?q=weaving')
    t.true(body.data.length > 0, 'the functions of a search see the rows')
  } finally {
    await second.stop()
  }
})

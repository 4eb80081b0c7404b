/** Makes the next dump; see README.md. Run by scripts/upgrade-dump.mjs. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startTestKernel } from '../../testing/index.ts'
import { readAll, signIn } from './reads.ts'
import { addPending, seed } from './seed.ts'
import { UPGRADE_RECIPE, UPGRADE_SECRET } from './store.ts'

/** Events and jobs that gave up: no route of the product makes one on purpose. */
const GIVE_UP = [
  `update larder_deliveries set state = 'dead', attempts = 12, last_error = 'The disk is full', done_at = null
   where id = (select min(id) from larder_deliveries)`,
  `update larder_jobs set state = 'dead', attempts = 5, last_error = 'The printer is on fire'
   where id = (select min(id) from larder_jobs where state = 'done' and key is distinct from '@every')`,
]

/** @param databaseUrl an empty database on the oldest PostgreSQL that Larder supports. @param folder of the new dump. */
export async function writeDump(databaseUrl: string, folder: string): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'larder-upgrade-'))
  const options = {
    recipe: UPGRADE_RECIPE,
    database: databaseUrl,
    env: { LARDER_SECRET: UPGRADE_SECRET, LARDER_DATA: data },
  }
  const database = new pg.Client({ connectionString: databaseUrl })
  database.on('error', () => undefined)
  try {
    await mkdir(folder, { recursive: true })
    await database.connect()
    const working = await startTestKernel(options)
    const ids = await seed(working).finally(() => working.stop())
    for (const statement of GIVE_UP) await database.query(statement)
    const web = await startTestKernel({ ...options, role: 'web' })
    try {
      const operator = await signIn(web, ids.operatorEmail, ids.password, ids.operatorTenantId)
      await addPending(web, ids)
      const answers = await readAll(web, ids, operator)
      await writeFile(join(folder, 'answers.json'), `${JSON.stringify({ at: new Date(), ids, answers }, null, 1)}\n`)
    } finally {
      await web.stop()
    }
    await writeFile(join(folder, 'database.sql'), await dumpOf(databaseUrl))
    await cp(join(data, 'media/files'), join(folder, 'media/files'), { recursive: true })
  } finally {
    await database.end()
    await rm(data, { recursive: true, force: true })
  }
}

/** Statements that any client can send: without commands of psql, which newer releases of `pg_dump` add. */
async function dumpOf(databaseUrl: string): Promise<string> {
  const args = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-comments', `--dbname=${databaseUrl}`]
  const { stdout } = await promisify(execFile)('pg_dump', args, { maxBuffer: 64 * 1024 * 1024 })
  return stdout
    .split('\n')
    .filter(line => !/^(--|\\|$)/.test(line))
    .join('\n')
    .concat('\n')
}

/** `larder backup`, `larder restore` and `larder resume`, after everything else is destroyed. */
import { lstat, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import test from 'ava'
import pg from 'pg'
import { contentOf as contentOfEntry, readArchive } from '../../bin/backup/archive-reader.ts'
import { createArchive } from '../../bin/backup/archive-writer.ts'
import { type ArchiveEnd, type ArchiveHead, END_NAME, HEAD_NAME, signedBy } from '../../bin/backup/manifest.ts'
import type { TestKernel } from '../../testing/index.ts'
import { expectStatus } from '../fixtures/people.ts'
import { waitFor } from '../fixtures/wait.ts'
import { ended, send } from '../modules/collections/imports/fixtures.ts'
import { pngFile } from '../modules/media/files.ts'
import { startReceiver } from '../modules/webhooks/receiver.ts'
import { addPending, type Seeded, seed } from '../upgrade/seed.ts'
import { UPGRADE_RECIPE } from '../upgrade/store.ts'
import {
  type BackupServer,
  contentOf,
  createPlace,
  filesOf,
  larder,
  type Place,
  refusal,
  SECRET,
  schemaOf,
  startIn,
  startServer,
} from './backup-fixtures.ts'
import { spawnLarder, temporaryFolder } from './command.ts'

const OTHER_SECRET = 'the secret of a copy that nobody else knows'

/** An installation with data in every module, and a backup of it. */
let server: BackupServer
let original: Place
let ids: Seeded
let archive: string
let summary: { rows: number; files: number }
const shared = { teardown: (end: () => Promise<void> | void) => void ends.push(end) } as Parameters<
  typeof startServer
>[0]
const ends: (() => Promise<void> | void)[] = []

test.before(async t => {
  archive = join(await temporaryFolder(shared), 'larder.tar.gz')
  server = await startServer(shared)
  original = await createPlace(shared, server, 'original')
  const first = await startIn(original)
  ids = await seed(first).finally(() => first.stop())
  const web = await startIn(original, 'web')
  await addPending(web, ids).finally(() => web.stop())
  const made = await larder(shared, original, ['backup', archive, '--json'])
  if (made.code !== 0) throw new Error(made.err)
  summary = JSON.parse(made.out)
  t.log(made.err)
})
test.after.always(async () => {
  for (const end of ends.reverse()) await end()
})

/** A restored installation that several tests use, one after the other. */
let used: Promise<Place> | undefined
const usedPlace = () => {
  used ??= (async () => {
    const place = await createPlace(shared, server, 'used')
    const { code, err } = await larder(shared, place, ['restore', archive])
    if (code !== 0) throw new Error(err)
    return place
  })()
  return used
}

let places = 0
const newPlace = (t: Parameters<typeof createPlace>[0], owner = 'ada') =>
  createPlace(t, server, `place_${++places}`, owner)
const isEmpty = async (place: Place) =>
  (await server.query(`select 1 from pg_class where relnamespace = 'public'::regnamespace`, place.database)).length ===
  0

async function connect({ url }: Place): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  return client
}

const upload = async (kernel: TestKernel, name: string): Promise<string> => {
  const { type, bytes } = await pngFile(name)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
  const headers = { authorization: `Bearer ${ids.ownerToken}`, 'x-tenant-id': ids.tenantId }
  const response = await fetch(`${kernel.url}/v1/media`, { method: 'POST', headers, body: form })
  return ((await response.json()) as { id: string }).id
}

test.serial(
  'after the loss of server and files, a backup brings back every row, file and right, and work goes on',
  async t => {
    const content = await contentOf(server, original)
    const files = await filesOf(original)
    t.true(Object.keys(content).length > 100)
    t.true(Object.values(content).filter(found => !String(found).startsWith('0 ')).length > 60)
    t.is(summary.files, Object.keys(files).length)
    t.true(summary.files >= 3)
    const other = await startServer(t)
    const restored = await createPlace(t, other, 'restored', 'bob')
    const result = await larder(t, restored, ['restore', archive])
    t.is(result.code, 0, result.err)
    t.deepEqual(await contentOf(other, restored), content)
    t.deepEqual(await filesOf(restored), files)
    t.deepEqual(await schemaOf(other, restored), await schemaOf(server, original))

    const kernel = await startIn(restored)
    try {
      const login = await kernel.post('/v1/auth/login', { email: ids.ownerEmail, password: ids.password })
      expectStatus(200, login)
      const owner = kernel.as(login.body.token, ids.tenantId)
      t.is((await owner.get<{ data: unknown[] }>('/v1/data/courses?q=weaving')).body.data.length, 1)
      t.is((await kernel.as(ids.ownerToken, ids.tenantId).get('/v1/me')).status, 200, 'a login of the original')
      t.is((await owner.post('/v1/data/courses', { title: 'Written after the restore' })).status, 201)
      const { body } = await owner.get<{ url: string }>(`/v1/media/${ids.mediaId}/download-url`)
      t.is((await fetch(body.url.replace(/^https?:\/\/[^/]+/, kernel.url))).status, 200)
      await waitFor(
        async () => (await other.query('select from larder_events where dispatched_at is null', 'restored')).length,
        count => count === 0,
      )
    } finally {
      await kernel.stop()
    }
  },
)

test.serial('larder doctor shows the age of the last backup, and that a restored installation is held', async t => {
  const { out } = await larder(t, await usedPlace(), ['doctor'])
  t.regex(out, /the last backup is of 20/)
  t.regex(out, /was restored: mail, webhooks and automations wait/)
})

test.serial('resume waits for the events of the backup', async t => {
  const { code, err } = await larder(t, await usedPlace(), ['resume'])
  t.is(code, 1)
  t.regex(err, /events and deliveries of the backup are not processed yet/)
})

test.serial('a backup waits for a recipe that is being applied, and a migration waits for a backup', async t => {
  const place = await usedPlace()
  const client = await connect(place)
  t.teardown(() => client.end())
  await client.query(`select pg_advisory_lock(hashtextextended('larder lock reconcile', 0))`)
  const env = envOf(place)
  const backup = spawnLarder(t, ['backup', join(dirname(archive), 'late.tar.gz')], place.folder, env)
  await backup.waitForOutput(/waiting for a migration/)
  await client.query('select pg_advisory_unlock_all()')
  t.is((await backup.ended).code, 0)

  await client.query(`select pg_advisory_lock(hashtextextended('larder backup', 0))`)
  await client.query(`delete from larder_migrations where module = 'postgres' and name = '0016-held-effects'`)
  await client.query('alter table larder_installation drop column held_since, drop column backed_up_at')
  const migrate = spawnLarder(t, ['migrate'], place.folder, env)
  await migrate.waitForOutput(/a backup runs; the migrations wait/)
  await client.query('select pg_advisory_unlock_all()')
  t.is((await migrate.ended).code, 0)
})

test.serial(
  'a backup while people write, delete and import, and a recipe changes a table, is whole and of one moment',
  async t => {
    const place = await usedPlace()
    const kernel = await startIn(place)
    const owner = kernel.as(ids.ownerToken, ids.tenantId)
    const target = join(dirname(archive), 'busy.tar.gz')
    const written: string[] = []
    let isOver = false
    const write = async () => {
      const uploaded: string[] = []
      for (let number = 0; !isOver; number++) {
        const { body, status } = await owner.post<{ id: string }>('/v1/data/courses', {
          title: `Course ${number}`,
        })
        t.is(status, 201)
        written.push(body.id)
        const former = uploaded.length > 2 ? uploaded.shift() : undefined
        uploaded.push(await upload(kernel, `${number}.png`))
        if (former) t.is((await owner.delete(`/v1/media/${former}`)).status, 204)
      }
    }
    const lines = Array.from({ length: IMPORTED }, (_, at) => `Imported ${at}`)
    const importing = async () => {
      while (!isOver) {
        const started = await send(
          { url: kernel.url, token: ids.ownerToken, tenantId: ids.tenantId },
          'courses/imports',
          ['title', ...lines].join('\n'),
        )
        await ended(owner, 'courses', expectStatus(202, started).id)
      }
    }
    const writing = Promise.all([write(), write(), importing()])
    await waitFor(() => written.length > 4)
    const earlier = [...written]
    const recipe = join(place.folder, 'changed.yaml')
    const changed = (await readFile(recipeOf(), 'utf8')).replace('seats:', 'remark: { type: text }\n      seats:')
    await writeFile(recipe, changed)
    const [made, applied] = await Promise.all([
      larder(t, place, ['backup', target]),
      larder(t, place, ['recipe', 'apply', '--yes', recipe]),
    ]).finally(() => {
      isOver = true
    })
    await writing
    await kernel.stop()
    t.is(made.code, 0, made.err)
    t.is(applied.code, 0, applied.err)
    t.true(written.length > earlier.length, 'people wrote meanwhile')

    const copy = await newPlace(t)
    const result = await larder(t, copy, ['restore', target])
    t.is(result.code, 0, result.err)
    const courses = await server.query('select id from data_courses', copy.database)
    const restored = new Set(courses.map(({ id }) => id))
    t.deepEqual(
      earlier.filter(id => !restored.has(id)),
      [],
    )
    const files = await filesOf(copy)
    const items = await server.query(
      `select tenant_id || '/' || id as key from media_items where status = 'ready'`,
      copy.database,
    )
    t.true(items.length > 2)
    t.deepEqual(
      items.filter(({ key }) => !files[`files/${key}`]),
      [],
    )
    const [state] = await server.query(
      `select (select count(*) from data_courses where title like 'Imported %' and title <> 'Imported course')
         = (select coalesce(sum(created_rows), 0) from collections_imports where by_field is null and created_rows <> 1) as imported,
         (select applied::text like '%remark%' from larder_applied_recipe)
         = exists (select from pg_attribute where attrelid = 'data_courses'::regclass and attname = 'remark') as shaped`,
      copy.database,
    )
    t.deepEqual(state, { imported: true, shaped: true })
  },
)

const IMPORTED = 1500

test.serial('while a backup runs, files of deleted items stay', async t => {
  const place = await usedPlace()
  const kernel = await startIn(place)
  t.teardown(() => kernel.stop())
  const backup = await connect(place)
  await backup.query(`select pg_advisory_lock(hashtextextended('larder backup', 0))`)
  const owner = kernel.as(ids.ownerToken, ids.tenantId)
  const path = join(place.folder, 'media', 'files', ids.tenantId, ids.mediaId)
  t.is((await owner.delete(`/v1/media/${ids.mediaId}`)).status, 204)
  const waiting = () =>
    server.query(
      `select from larder_jobs where name = 'media.discard' and state = 'waiting' and run_at > now()`,
      place.database,
    )
  await waitFor(waiting, jobs => jobs.length > 0)
  await t.notThrowsAsync(stat(path))
  await backup.end()
  await server.query(`update larder_jobs set run_at = now() where name = 'media.discard'`, place.database)
  await waitFor(() =>
    stat(path).then(
      () => false,
      () => true,
    ),
  )
  t.pass()
})

const recipeOf = () => new URL('../../../test/upgrade/recipe.yaml', import.meta.url).pathname
const envOf = ({ url, folder }: Place) => ({
  DATABASE_URL: url,
  LARDER_SECRET: SECRET,
  LARDER_DATA: folder,
  LARDER_RECIPE: recipeOf(),
})

test.serial('refuses a database that is not empty', async t => {
  const content = await contentOf(server, original)
  const { code, err } = await larder(t, original, ['restore', archive])
  t.is(code, 1)
  t.regex(err, /is not empty/)
  t.deepEqual(await contentOf(server, original), content)
})

for (const [what, change, reason] of [
  ['an incomplete archive', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1), /ends early/],
  ['an archive without its last bytes', (bytes: Buffer) => bytes.subarray(0, bytes.length - 40), /ends early/],
  ['an archive with a changed byte', flipped, /was changed after it was written/],
  ['a file that is no archive', () => Buffer.from('not an archive'.repeat(100)), /no backup of Larder/],
] as const)
  test.serial(`refuses ${what} before it writes anything`, async t => {
    const place = await newPlace(t)
    const file = join(place.folder, 'changed.tar.gz')
    await writeFile(file, change(await readFile(archive)))
    t.regex(await refusal(place, file), reason)
    t.true(await isEmpty(place))
    t.deepEqual(await filesOf(place), {})
  })

function flipped(bytes: Buffer): Buffer {
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes
}

/** Writes the archive again with another head and end, signed. */
async function rewritten(
  to: string,
  {
    head = found => found,
    end = found => found,
  }: { head?: (head: ArchiveHead) => ArchiveHead; end?: (end: ArchiveEnd) => ArchiveEnd },
  secret = SECRET,
): Promise<string> {
  const writer = await createArchive(to, new Date())
  for await (const entry of readArchive(archive)) {
    const bytes = await contentOfEntry(entry)
    const read = () => JSON.parse(bytes.toString('utf8'))
    const content =
      entry.name === HEAD_NAME
        ? Buffer.from(JSON.stringify(head(read())))
        : entry.name === END_NAME
          ? Buffer.from(JSON.stringify(signedBy([secret], end({ ...read(), sha256: writer.digest() }))))
          : bytes
    await writer.add({ name: entry.name, size: content.length }, content)
  }
  await writer.close()
  return to
}

for (const [what, changes, reason] of [
  [
    'an archive of a newer version',
    { head: (head: ArchiveHead) => ({ ...head, version: '99.0.0' }) },
    /made by version 99\.0\.0/,
  ],
  ['an archive of a later format', { head: (head: ArchiveHead) => ({ ...head, format: 99 }) }, /made by version/],
  [
    'an archive with migrations that it has no files for',
    {
      head: (head: ArchiveHead) => ({
        ...head,
        database: { ...head.database, migrations: [...head.database.migrations, 'media/9999-later'] },
      }),
    },
    /media\/9999-later/,
  ],
  [
    'an archive of another schema',
    {
      head: (head: ArchiveHead) => ({
        ...head,
        database: { ...head.database, schema: { ...head.database.schema, name: 'elsewhere' } },
      }),
    },
    /schema 'elsewhere'/,
  ],
  [
    'rights of roles that the server lacks',
    {
      head: (head: ArchiveHead) => ({
        ...head,
        database: { ...head.database, schema: { ...head.database.schema, roles: ['monitoring'] } },
      }),
    },
    /create role monitoring;/,
  ],
  [
    'an archive whose content has another hash, signed',
    { end: (end: ArchiveEnd) => ({ ...end, sha256: '0'.repeat(64) }) },
    /was changed after it was written/,
  ],
  [
    'files that the disk has no room for',
    { end: (end: ArchiveEnd) => ({ ...end, bytes: 1e18 }) },
    /of disk space left/,
  ],
] as const)
  test.serial(`refuses ${what} before it writes anything`, async t => {
    const place = await newPlace(t)
    const file = await rewritten(join(place.folder, 'rewritten.tar.gz'), changes)
    t.regex(await refusal(place, file), reason)
    t.true(await isEmpty(place))
  })

test.serial('refuses an archive that somebody without the secret has written', async t => {
  const place = await newPlace(t)
  const file = await rewritten(join(place.folder, 'forged.tar.gz'), {}, OTHER_SECRET)
  t.regex(await refusal(place, file), /was changed/)
  t.true(await isEmpty(place))
})

test.serial('refuses another secret; a copy with a secret of its own says what it cannot read', async t => {
  const copy = await newPlace(t)
  t.regex(await refusal(copy, archive, OTHER_SECRET), /another LARDER_SECRET.*--rotate-secret/s)
  t.true(await isEmpty(copy))
  const { code, out, err } = await larder(t, copy, ['restore', archive, '--rotate-secret'], OTHER_SECRET)
  t.is(code, 0, err)
  t.regex(out, /can no longer be decrypted:\n(?: {2}\w+\.\w+: \d+ rows?\n)*? {2}webhooks_secrets\.sealed: \d+ row/)
  t.regex(out, / {2}larder_idempotency\.answer: \d+ row/)
  t.is((await larder(t, copy, ['migrate'], OTHER_SECRET)).code, 0)
  t.regex((await larder(t, copy, ['migrate'])).err, /another LARDER_SECRET/)
  const kernels = [await startIn(original, 'web'), await startIn(copy, 'web', UPGRADE_RECIPE, OTHER_SECRET)]
  for (const kernel of kernels) {
    const { status } = await kernel.as(ids.ownerToken, ids.tenantId).get('/v1/me')
    t.is(status, 200, 'both serve beside each other')
  }
  for (const kernel of kernels) await kernel.stop()
})

test.serial('refuses a storage that has the files, unless they are to be kept', async t => {
  const place = await newPlace(t)
  t.is((await larder(t, place, ['restore', archive])).code, 0)
  const again = { ...(await newPlace(t)), folder: place.folder }
  t.regex(await refusal(again, archive), /already has files of the backup/)
  const [lost = ''] = Object.keys(await filesOf(place))
  await rm(join(place.folder, 'media', lost))
  t.is((await larder(t, again, ['restore', archive, '--keep-files'])).code, 0)
  t.deepEqual(await filesOf(again), await filesOf(original))
})

test.serial('a restore that fails leaves database and storage empty, and can be repeated', async t => {
  const place = await newPlace(t)
  const obstacle = join(place.folder, 'media', 'scratch')
  await mkdir(dirname(obstacle))
  await writeFile(obstacle, 'in the place of a folder')
  const failed = await larder(t, place, ['restore', archive])
  t.is(failed.code, 1)
  t.true(await isEmpty(place))
  await rm(obstacle)
  t.deepEqual(await filesOf(place), {})
  t.is((await larder(t, place, ['restore', archive])).code, 0)
})

test.serial('a restore that is killed leaves the database empty', async t => {
  const place = await newPlace(t)
  const restore = spawnLarder(t, ['restore', archive], place.folder, envOf(place))
  await restore.waitForOutput(/creating the tables/)
  restore.child.kill('SIGKILL')
  await restore.ended
  const sessions = () =>
    server.query(`select from pg_stat_activity where datname = '${place.database}' and pid <> pg_backend_pid()`)
  await waitFor(sessions, found => found.length === 0)
  t.true(await isEmpty(place))
  t.is((await larder(t, place, ['restore', archive, '--keep-files'])).code, 0)
})

test.serial(
  'a backup that is killed or stopped gives no archive its name, and one whose file exists is refused',
  async t => {
    const file = join(dirname(archive), 'stopped.tar.gz')
    const client = await connect(original)
    t.teardown(() => client.end())
    await client.query('begin; lock table webhooks_secrets in access exclusive mode')
    const waiting = () =>
      server.query(`select pid from pg_stat_activity where datname = 'original' and wait_event_type = 'Lock'`)
    const begin = async () => {
      const backup = spawnLarder(t, ['backup', file], original.folder, envOf(original))
      await waitFor(waiting, found => found.length === 1)
      return backup
    }
    const killed = await begin()
    killed.child.kill('SIGKILL')
    await killed.ended
    await t.throwsAsync(stat(file), { code: 'ENOENT' })
    // Its session waits for the lock, and would hold those of a backup.
    for (const { pid } of await waiting()) await server.query(`select pg_terminate_backend(${pid})`)
    const stopped = await begin()
    stopped.child.kill('SIGTERM')
    await stopped.waitForOutput(/Stopping/)
    await client.query('rollback')
    t.is((await stopped.ended).code, 1)
    for (const left of [file, `${file}.part`]) await t.throwsAsync(stat(left), { code: 'ENOENT' })
    const again = await larder(t, original, ['backup', archive])
    t.is(again.code, 1)
    t.regex(again.err, /already exists/)
  },
)

test.serial('a backup says which disk is full, and leaves nothing there', async t => {
  const file = join(dirname(archive), 'full.tar.gz')
  await symlink('/dev/full', `${file}.part`)
  const { code, err } = await larder(t, original, ['backup', file, '--without-files'])
  t.is(code, 1)
  t.regex(err, /has no space left for .*full\.tar\.gz\.\s+Free some space/)
  for (const left of [file, `${file}.part`]) await t.throwsAsync(lstat(left), { code: 'ENOENT' })
  const missing = await larder(t, original, ['backup', join(dirname(archive), 'none', 'larder.tar.gz')])
  t.regex(missing.err, /The folder .*none does not exist/)
})

test.serial('--check says what an archive contains, without a database', async t => {
  const folder = await temporaryFolder(t)
  const { code, out } = await larder(t, { ...original, folder, url: 'postgres://nobody@127.0.0.1:1/none' }, [
    'restore',
    archive,
    '--check',
    '--json',
  ])
  t.is(code, 0)
  t.like(JSON.parse(out), { rows: summary.rows, files: summary.files, product: 'Upgrade' })
})

test.serial('a restored installation sends nothing until it is resumed, and then not what waited', async t => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const place = await newPlace(t)
  t.is((await larder(t, place, ['restore', archive])).code, 0)
  const web = await startIn(place, 'web')
  const owner = web.as(ids.ownerToken, ids.tenantId)
  const endpoint = { url: `${receiver.url}/hook`, events: ['content.page.published'] }
  expectStatus(201, await owner.post('/v1/webhooks/endpoints', endpoint))
  const publish = async (on: TestKernel, slug: string) => {
    const author = on.as(ids.ownerToken, ids.tenantId)
    const { body } = await author.post('/v1/content/pages', { slug, title: slug, body: 'Text' })
    expectStatus(200, await author.post(`/v1/content/pages/${body.id}/publish`))
  }
  await publish(web, 'before')
  await web.stop()

  const kernel = await startIn(place)
  t.teardown(() => kernel.stop())
  const due = () =>
    server.query(
      `select from webhooks_deliveries where status = 'pending' and next_attempt_at <= now() and url = '${endpoint.url}'`,
      place.database,
    )
  await waitFor(due, found => found.length === 1)
  await publish(kernel, 'meanwhile')
  await waitFor(due, found => found.length === 2)
  t.deepEqual(receiver.received, [])
  const resumed = await larder(t, place, ['resume'])
  t.is(resumed.code, 0, resumed.err)
  t.regex(resumed.out, /\d+ that waited were given up/)
  await publish(kernel, 'after')
  const [sent] = await receiver.came(1)
  t.regex(sent?.body ?? '', /after/)
  t.is(receiver.received.length, 1)
  t.regex((await larder(t, place, ['resume'])).out, /is not held/)
})

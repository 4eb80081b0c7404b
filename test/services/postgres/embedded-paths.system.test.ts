import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { accessibleBinaries, binaries, resolveEmbeddedPaths } from '../../../services/postgres/embedded/paths.ts'
import { log } from './fixtures.ts'

const run = promisify(execFile)
const asRoot = process.getuid?.() === 0 ? test.serial : test.serial.skip
let folder: string
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-paths-'))
})
test.afterEach.always(() => rm(folder, { recursive: true, force: true }))

test.serial('keeps the data in the data folder if the server runs as the current user', async t => {
  await chmod(folder, 0o755)
  const { home, bin, user } = await resolveEmbeddedPaths(join(folder, 'data'), log)
  t.is(home, join(folder, 'data', 'postgres'))
  t.regex((await run(join(bin, 'postgres'), ['--version'], { ...user, cwd: '/' })).stdout, /PostgreSQL/)
})

asRoot('uses a stable fallback folder if the server user cannot access the data folder', async t => {
  const { home, user } = await resolveEmbeddedPaths(join(folder, 'data'), log)
  t.false(home.startsWith(`${folder}/`))
  t.is((await resolveEmbeddedPaths(join(folder, 'data'), log)).home, home)
  t.true((user.uid ?? 0) > 0)
})

asRoot('copies and runs binaries from an inaccessible folder without symbolic links', async t => {
  const native = await binaries()
  const closed = join(folder, 'closed', 'package')
  await cp(native, join(closed, 'native'), { recursive: true, verbatimSymlinks: true })
  await cp(join(dirname(native), 'package.json'), join(closed, 'package.json'))
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  for (const { target } of links) await rm(join(closed, target), { force: true })
  await chmod(folder, 0o755)
  await chmod(join(folder, 'closed'), 0o700)
  const shared = join(folder, 'shared')
  await mkdir(shared)

  const { user } = await resolveEmbeddedPaths(join(folder, 'data'), log)
  const bins = await Promise.all([1, 2].map(() => accessibleBinaries(join(closed, 'native'), user, log, shared)))
  t.is(bins[0], bins[1])
  t.true(bins[0]?.startsWith(`${shared}/postgresql-`))
  t.true(
    (await lstat(join(dirname(bins[0] as string), links[0]?.target.replace('native/', '') as string))).isSymbolicLink(),
  )
  t.regex((await run(join(bins[0] as string, 'postgres'), ['--version'], { ...user, cwd: '/' })).stdout, /PostgreSQL/)
})

import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { binaries, prepareGround, reachableBinaries } from '../../../services/postgres/embedded/paths.ts'
import { log } from './kit.ts'

const run = promisify(execFile)
const asRoot = process.getuid?.() === 0 ? test.serial : test.serial.skip
let folder: string
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-ground-'))
})
test.afterEach.always(() => rm(folder, { recursive: true, force: true }))

test.serial('where the server runs as ourselves its data is in the data folder', async t => {
  await chmod(folder, 0o755)
  const { home, bin, ids } = await prepareGround(join(folder, 'data'), log)
  t.is(home, join(folder, 'data', 'postgres'))
  t.regex((await run(join(bin, 'postgres'), ['--version'], { ...ids, cwd: '/' })).stdout, /PostgreSQL/)
})

asRoot('data is put elsewhere, always the same place, where the user of the server may not enter', async t => {
  const { home, ids } = await prepareGround(join(folder, 'data'), log)
  t.false(home.startsWith(`${folder}/`))
  t.is((await prepareGround(join(folder, 'data'), log)).home, home)
  t.true((ids.uid ?? 0) > 0)
})

asRoot('binaries without their links, in a folder that is closed, are copied and run', async t => {
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

  const ids = (await prepareGround(join(folder, 'data'), log)).ids
  const bins = await Promise.all([1, 2].map(() => reachableBinaries(join(closed, 'native'), ids, log, shared)))
  t.is(bins[0], bins[1])
  t.true(bins[0]?.startsWith(`${shared}/postgresql-`))
  t.true(
    (await lstat(join(dirname(bins[0] as string), links[0]?.target.replace('native/', '') as string))).isSymbolicLink(),
  )
  t.regex((await run(join(bins[0] as string, 'postgres'), ['--version'], { ...ids, cwd: '/' })).stdout, /PostgreSQL/)
})

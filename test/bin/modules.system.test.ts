/** Inspects a recipe without a database. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { ModuleReport } from '../../kernel/internal.ts'
import { run, temporaryFolder } from './command.ts'

const NO_DATABASE = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  LARDER_SECRET: 'a secret that only tests may know of',
}

async function project(t: ExecutionContext): Promise<string> {
  const cwd = await temporaryFolder(t)
  await mkdir(join(cwd, 'modules'))
  await writeFile(
    join(cwd, 'modules', 'broken.js'),
    `import { defineModule } from '@larder-dev/larder/kernel'
export default defineModule({ name: 'broken', routes() { throw new Error('it was never wired') } })
`,
  )
  await writeFile(
    join(cwd, 'recipe.yaml'),
    `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules:
  identity: {}
  comms: {}
  messaging: {}
  broken: { use: ./modules/broken.js, optional: true }
`,
  )
  return cwd
}

test('lists modules and routes without a database', async t => {
  const cwd = await project(t)
  const modules = await run(t, ['modules'], cwd, NO_DATABASE)
  t.is(modules.code, 0, modules.err)
  t.regex(modules.out, /^identity +\S+ +\d\d +\d+ +\d+ +\d+ +\S/m)
  t.regex(modules.out, /^broken .* failed: .*it was never wired$/m)
  const routes = await run(t, ['routes'], cwd, NO_DATABASE)
  t.is(routes.code, 0, routes.err)
  t.regex(routes.out, /^POST +\/v1\/auth\/register +public +identity/m)
  t.regex(routes.out, /^SOCKET +\/v1\/realtime +/m)
  // The socket of the module has moved there.
  t.notRegex(routes.out, /^SOCKET +\/v1\/messaging/m)
  const document = await run(t, ['openapi'], cwd, NO_DATABASE)
  t.is(document.code, 0, document.err)
  t.is(JSON.parse(document.out).openapi, '3.1.0')
  t.regex(routes.out, /^PAGE +\/mailbox +communications\.\S+ \| public +comms/m)
})

test('inspecting a recipe creates no database and no data folder', async t => {
  const cwd = await project(t)
  const { code, out, err } = await run(t, ['modules', '--json'], cwd)
  t.is(code, 0, err)
  const identity = (JSON.parse(out) as ModuleReport[]).find(({ name }) => name === 'identity')
  t.true((identity?.provides.length ?? 0) > 0)
  t.deepEqual(identity?.migrations[0], { name: '0001-identity', appliedAt: null })
  t.false(existsSync(join(cwd, '.larder')))
})

test('prints only errors for an invalid recipe', async t => {
  const cwd = await temporaryFolder(t)
  await writeFile(
    join(cwd, 'recipe.yaml'),
    'recipe: 1\nproduct: { key: acme, name: Acme, publicUrl: "http://a.test" }\nmodules: { formz: {} }\n',
  )
  const { code, out, err } = await run(t, ['routes'], cwd, NO_DATABASE)
  t.is(code, 1)
  t.is(out, '')
  t.regex(err, /recipe\.yaml:3:12 +Unknown module "formz"/)
})

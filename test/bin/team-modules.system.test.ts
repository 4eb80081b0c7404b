import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { packageName, packageRoot } from '../../kernel/base/package-root.ts'
import { run, temporaryFolder } from './command.ts'
import { compile, installLarder } from './installed.ts'

const SHOP = fileURLToPath(new URL('examples/shop', packageRoot))

let installed = ''
test.before(async () => {
  installed = await mkdtemp(join(tmpdir(), 'larder-installed-'))
  await installLarder(installed)
})
test.after.always(() => rm(installed, { recursive: true, force: true }))

/** A project that installed only Larder, with the tsconfig.json of the example. */
async function createProject(t: ExecutionContext): Promise<string> {
  const project = await temporaryFolder(t)
  await symlink(join(installed, 'node_modules'), join(project, 'node_modules'))
  await cp(join(installed, 'package.json'), join(project, 'package.json'))
  await cp(join(SHOP, 'tsconfig.json'), join(project, 'tsconfig.json'))
  return project
}

/** Runs a module's own tests. Returns the number of passed tests, 0 if any failed, and the output. */
async function runTests(module: string): Promise<{ passed: number; output: string }> {
  const { NODE_V8_COVERAGE: _, NODE_OPTIONS: __, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: module,
    env: { ...env, NODE_TEST_CONTEXT: undefined },
    timeout: 90_000,
  }).catch((failed: { stdout: string }) => failed)
  const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)`, 'm').exec(stdout)?.[1] ?? -1)
  return { passed: count('fail') === 0 ? count('pass') : 0, output: stdout }
}

for (const name of ['invoices', 'time_sheets'])
  test.serial(`module new ${name} creates a module that compiles and passes its own test`, async t => {
    const project = await createProject(t)
    const { code, out, err } = await run(t, ['module', 'new', name], project)
    t.is(code, 0, err)
    t.regex(out, new RegExp(`use: \\./modules/${name}`))
    t.is(await compile(project), '')
    const { passed, output } = await runTests(join(project, 'modules', name))
    t.is(passed, 4, output)
  })

test.serial('module new --collection creates a module that compiles and passes its own test', async t => {
  const project = await createProject(t)
  const { code, out, err } = await run(t, ['module', 'new', 'time_sheets', '--collection'], project)
  t.is(code, 0, err)
  t.regex(out, /modules: \{ collections: \{\}, time_sheets: \{ use: \.\/modules\/time_sheets \} \}/)
  t.is(await compile(project), '')
  const { passed, output } = await runTests(join(project, 'modules', 'time_sheets'))
  t.is(passed, 4, output)
})

test.serial('the example compiles and passes its own tests in a project that installed Larder', async t => {
  const project = await createProject(t)
  await cp(SHOP, project, { recursive: true })
  t.is(await compile(project), '')
  for (const [module, tests] of [
    ['invoices', 10],
    ['catalog', 3],
  ] as const) {
    const { passed, output } = await runTests(join(project, 'modules', module))
    t.is(passed, tests, output)
  }
})

test.serial('the example compiles in this repository', async t => {
  t.is(await compile(SHOP), '')
})

test.serial('the recipe of the example is valid', async t => {
  const { code, out, err } = await run(t, ['recipe', 'check', join(SHOP, 'recipe.yaml')], await temporaryFolder(t))
  t.is(code, 0, out + err)
})

test.serial('an installed project sees the ports of shipped modules without importing them', async t => {
  const project = await createProject(t)
  await mkdir(join(project, 'modules'))
  const program = `import { type Deps, type Event, job, listener } from '@larder-dev/larder/kernel'
export const listeners = ({ mailer, people }: Deps<'mailer' | 'people'>) => [
  listener('identity.user.created', async ({ tenantId, payload }) => {
    const to: string = payload.email
    await people.members(tenantId, [payload.userId])
    await mailer.send({ template: 'a.b', to, tenantId, data: {} })
  }),
]
export type Created = Event<'identity.user.created'>
// @ts-expect-error: not a port
export type Unknown = Deps<'no_such_port'>
// @ts-expect-error: not a job
export const unknown = job('no.such.job', { run: async () => {} })
`
  await writeFile(join(project, 'modules', 'program.ts'), program)
  t.is(await compile(project), '')
})

/** Every entry of the package that has types, with each module that `./modules/*` matches. */
async function entriesOf(project: string): Promise<string[]> {
  const larder = join(project, 'node_modules', packageName)
  const { exports } = JSON.parse(await readFile(join(larder, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, string | { readonly types: string }>>
  }
  const modules = await readdir(join(larder, 'dist/modules'))
  return Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === 'string'
      ? []
      : ['', ...modules]
          .filter(module => entry.includes('*') === (module !== ''))
          .filter(module => existsSync(join(larder, target.types.replace('*', module))))
          .map(module => packageName + entry.slice(1).replace('*', module)),
  )
}

test.serial('the declarations of the package compile, and need none of Express, Sequelize and pg', async t => {
  const project = await createProject(t)
  const { compilerOptions } = JSON.parse(await readFile(join(project, 'tsconfig.json'), 'utf8'))
  const checked = { ...compilerOptions, skipLibCheck: false, listFiles: true }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: checked, files: ['entries.ts'] }))
  const entries = await entriesOf(project)
  t.true(entries.length > 15)
  await writeFile(join(project, 'entries.ts'), entries.map(entry => `import type {} from '${entry}'\n`).join(''))
  const lines = (await compile(project)).split('\n')
  t.deepEqual(
    lines.filter(line => line.includes('error TS')),
    [],
  )
  t.true(lines.some(line => line.endsWith('/dist/kernel/index.d.ts')))
  t.deepEqual(
    lines.filter(line => /\/node_modules\/(@types\/(express|pg)|express|sequelize|pg)\//.test(line)),
    [],
  )
})

/** Frames of a stack trace: the file and the text from their position to the end of the line. */
async function framesOf(stack: string): Promise<{ file: string; text: string }[]> {
  const places = [...stack.matchAll(/(?:\(|at |file:\/\/)(\/[^():\s]+):(\d+):(\d+)\)?$/gm)]
  return Promise.all(
    places.map(async ([, file = '', line, column]) => {
      const lines = (await readFile(file, 'utf8')).split('\n')
      return { file, text: lines[Number(line) - 1]?.slice(Number(column) - 1) ?? '' }
    }),
  )
}

test.serial('a stack trace names existing lines of a module and of the installed package', async t => {
  const project = await createProject(t)
  await mkdir(join(project, 'modules', 'broken'), { recursive: true })
  await writeFile(
    join(project, 'modules', 'broken', 'module.ts'),
    `import { defineModule, route, Type } from '@larder-dev/larder/kernel'
interface Reply {
  readonly text: string
}
const handle = async (): Promise<Reply> => {
  throw new Error('the planted mistake')
}
const broken = route({ method: 'get', path: '/broken', allow: 'public', replies: { 200: Type.Any() }, handle })
export default defineModule({ name: 'broken', routes: () => [broken] })
`,
  )
  await writeFile(
    join(project, 'trace.test.mjs'),
    `import { pino } from 'pino'
import { startTestKernel } from '@larder-dev/larder/kernel/testing'
const recipe = { modules: { identity: {}, broken: { use: ${JSON.stringify(join(project, 'modules/broken'))} } } }
const kernel = await startTestKernel({ recipe, log: pino({ level: 'error' }) })
await kernel.get('/v1/broken')
await kernel.stop()
`,
  )
  const { NODE_V8_COVERAGE: _, NODE_OPTIONS: __, ...env } = process.env
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['trace.test.mjs'], {
    cwd: project,
    env,
  })
  const output = `${stdout}${stderr}`.replaceAll('\\n', '\n').replaceAll('"', '\n')
  const frames = await framesOf(output.slice(output.indexOf('the planted mistake')))
  t.true(frames[0]?.file.endsWith('modules/broken/module.ts'), output)
  t.true(frames[0]?.text.startsWith("new Error('the planted mistake')"), frames[0]?.text)
  const own = frames.filter(({ file }) => file.includes('node_modules/@larder-dev/larder/'))
  t.true(own.length > 0, output)
  for (const { file, text } of own) {
    t.true(file.endsWith('.ts'), file)
    t.regex(text, /^(?:await )?[\w$.]+\(/, file)
  }
})

/**
 * Clients of the API document, made by generators of other projects: they compile, make ten calls each, and say what
 * collections say about their rows. So does the client of `larder client`.
 */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import anyTest, { type TestFn } from 'ava'
import { clientOf } from '../../bin/client.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { peopleOf } from '../fixtures/people.ts'
import { studio } from '../fixtures/studio.ts'
import { goProgram, npmPackages, PROGRAMS, PYTHON_PROGRAMS, pythonProgram } from './programs.ts'

const run = promisify(execFile)
const calls = (name: string) => fileURLToPath(new URL(`test/peers/clients/${name}`, packageRoot))

/** A product, and what a client needs of it. */
interface Served {
  readonly kernel: TestKernel
  /** The path of the API document. */
  readonly document: string
  /** Arguments of each program. */
  readonly server: readonly [url: string, apiKey: string]
}
interface Context extends Served {
  readonly folder: string
  readonly studio: Served
}
const test = anyTest as TestFn<Context>
test.before(async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-clients-'))
  const kernel = await startTestKernel({ recipe: fileURLToPath(new URL('recipes/full.yaml', packageRoot)) })
  const { apiKey } = await kernel.register('ada@example.test')
  Object.assign(t.context, { folder }, await served(folder, 'openapi', kernel, apiKey))
  const other = await startTestKernel({ recipe: studio })
  // Visitors' rows go to the operator's workspace.
  const operator = await peopleOf(other).operator()
  const made = await operator.post<{ key: string }>('/v1/identity/api-keys', { name: 'Clients' })
  Object.assign(t.context, { studio: await served(folder, 'studio', other, made.body.key) })
})
test.after.always(async t => {
  await t.context.kernel?.stop()
  await t.context.studio?.kernel.stop()
  await rm(t.context.folder, { recursive: true, force: true })
})

async function served(folder: string, name: string, kernel: TestKernel, apiKey: string): Promise<Served> {
  const document = join(folder, `${name}.json`)
  await writeFile(document, JSON.stringify(kernel.kernel.ports.http.openapi()))
  return { kernel, document, server: [kernel.url, apiKey] }
}

/** @param program in `clients`. @param client the name of its package. */
async function pythonCalls(folder: string, { document, server }: Served, program: string, client: string) {
  const path = await pythonProgram(PYTHON_PROGRAMS.clientGenerator)
  const output = join(folder, client)
  const bin = dirname(path)
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  const config = join(folder, `${client}.yaml`)
  await writeFile(config, `package_name_override: ${client}\n`)
  const options = ['--path', document, '--output-path', output, '--config', config, '--meta', 'setup']
  await run(path, ['generate', ...options], { env, maxBuffer: 1e8 })
  await run(join(bin, 'python'), [calls(program), ...server], { env: { ...env, PYTHONPATH: output } })
}

/** @param prepare writes what the program imports into the folder. */
async function typescriptCalls(
  folder: string,
  { server }: Served,
  program: string,
  prepare: (output: string, tool: (name: string) => string) => Promise<unknown>,
) {
  const path = await npmPackages([
    'openapi-typescript@7.13.0',
    'openapi-fetch@0.17.0',
    'typescript@5.9.3',
    '@types/node@20',
  ])
  const output = join(folder, program)
  await mkdir(output)
  await symlink(join(path, 'node_modules'), join(output, 'node_modules'))
  await writeFile(join(output, 'package.json'), JSON.stringify({ type: 'module' }))
  await copyFile(calls(program), join(output, 'calls.ts'))
  const tool = (name: string) => join(path, 'node_modules', '.bin', name)
  await prepare(output, tool)
  const flags = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck']
  await run(tool('tsc'), [...flags, 'calls.ts'], { cwd: output }).catch((error: { stdout: string }) => {
    throw new Error(error.stdout)
  })
  await run(process.execPath, ['calls.js', ...server], { cwd: output })
}
const withTypesOf =
  ({ document }: Served) =>
  (output: string, tool: (name: string) => string) =>
    run(tool('openapi-typescript'), [document, '-o', join(output, 'schema.d.ts')])

async function goCalls(folder: string, { document, server }: Served, program: string) {
  const path = await goProgram(PROGRAMS.oapiCodegen)
  const output = join(folder, program)
  await mkdir(join(output, 'client'), { recursive: true })
  const config = join(output, 'go.yaml')
  // Events are used by webhooks alone, whose schemas it would leave out.
  const options = [
    'package: larder',
    'generate: { models: true, client: true }',
    'output-options: { skip-prune: true }',
  ]
  await writeFile(config, options.join('\n'))
  await run(path, ['-config', config, '-o', join(output, 'client', 'client.go'), document])
  await copyFile(calls(program), join(output, 'main.go'))
  const env = { ...process.env, GOFLAGS: '-modcacherw -mod=mod' }
  await run('go', ['mod', 'init', 'example.test/larder'], { cwd: output, env })
  await run('go', ['mod', 'tidy'], { cwd: output, env })
  await run('go', ['run', '.', ...server], { cwd: output, env })
}

test('a Python client of openapi-python-client', async t => {
  await t.notThrowsAsync(pythonCalls(t.context.folder, t.context, 'calls.py', 'larder_api_client'))
})

test('a Python client says what collections say about their rows', async t => {
  await t.notThrowsAsync(pythonCalls(t.context.folder, t.context.studio, 'studio.py', 'larder_studio_client'))
})

test('a TypeScript client of openapi-typescript', async t => {
  await t.notThrowsAsync(typescriptCalls(t.context.folder, t.context, 'calls.ts.txt', withTypesOf(t.context)))
})

test('a TypeScript client of openapi-typescript says what collections say about their rows', async t => {
  const { folder, studio } = t.context
  await t.notThrowsAsync(typescriptCalls(folder, studio, 'studio.ts.txt', withTypesOf(studio)))
})

test('the client of larder client says what collections say about their rows', async t => {
  const { folder, studio } = t.context
  await t.notThrowsAsync(
    typescriptCalls(folder, studio, 'larder.ts.txt', async output =>
      writeFile(join(output, 'client.ts'), await clientOf(studio.kernel.kernel.ports)),
    ),
  )
})

test('a TypeScript client of orval, with collections and fields whose names orval gives to other types', async t => {
  const { folder } = t.context
  const fields = (names: readonly string[]) =>
    Object.fromEntries(names.map((name, at) => [name, at % 2 ? { type: 'text' } : { type: 'enum', values: ['a'] }]))
  const names = ['orders', 'order_items', 'order_lists', 'deleted_orders', 'jobs', 'messages', 'conversation']
  const kernel = await startTestKernel({
    recipe: {
      extends: 'larder/full',
      modules: { collections: {} },
      collections: Object.fromEntries(
        names.map(name => [
          name,
          {
            trash: '1d',
            history: 3,
            fields: fields(['body', 'params', 'headers', 'status', 'itemStatus', 'items', 'item', 'response', 'data']),
          },
        ]),
      ),
    },
  })
  const document = join(folder, 'orval.json')
  await writeFile(document, JSON.stringify(kernel.kernel.ports.http.openapi()))
  await kernel.stop()
  const path = await npmPackages(['orval@7.13.2', 'typescript@5.9.3'])
  const output = join(folder, 'orval')
  await mkdir(output)
  const tool = (name: string) => join(path, 'node_modules', '.bin', name)
  await run(tool('orval'), ['--input', document, '--output', 'api.ts', '--client', 'fetch'], { cwd: output })
  const flags = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler']
  await t.notThrowsAsync(
    run(tool('tsc'), [...flags, 'api.ts'], { cwd: output }).catch((error: { stdout: string }) => {
      throw new Error(error.stdout)
    }),
  )
})

test('a Go client of oapi-codegen', async t => {
  await t.notThrowsAsync(goCalls(t.context.folder, t.context, 'calls.go'))
})

test('a Go client says what collections say about their rows', async t => {
  await t.notThrowsAsync(goCalls(t.context.folder, t.context.studio, 'studio.go'))
})

/** Clients that generators of other projects make of the API document: they compile, and make ten calls each. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import anyTest, { type TestFn } from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { goProgram, npmPackages, PROGRAMS, PYTHON_PROGRAMS, pythonProgram } from './programs.ts'

const run = promisify(execFile)
const calls = (name: string) => fileURLToPath(new URL(`test/peers/clients/${name}`, packageRoot))

interface Context {
  kernel: TestKernel
  folder: string
  /** The path of the API document. */
  document: string
  /** Arguments of each program. */
  server: readonly [url: string, apiKey: string]
}
const test = anyTest as TestFn<Context>
test.before(async t => {
  const kernel = await startTestKernel({ recipe: fileURLToPath(new URL('recipes/full.yaml', packageRoot)) })
  const folder = await mkdtemp(join(tmpdir(), 'larder-clients-'))
  const document = join(folder, 'openapi.json')
  await writeFile(document, JSON.stringify(kernel.kernel.ports.http.openapi()))
  const { apiKey } = await kernel.register('ada@example.test')
  Object.assign(t.context, { kernel, folder, document, server: [kernel.url, apiKey] })
})
test.after.always(async t => {
  await t.context.kernel?.stop()
  await rm(t.context.folder, { recursive: true, force: true })
})

test('a Python client of openapi-python-client', async t => {
  const { folder, document, server } = t.context
  const path = await pythonProgram(PYTHON_PROGRAMS.clientGenerator)
  const output = join(folder, 'python')
  const bin = dirname(path)
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  await writeFile(join(folder, 'python.yaml'), 'package_name_override: larder_api_client\n')
  await run(
    path,
    [
      'generate',
      '--path',
      document,
      '--output-path',
      output,
      '--config',
      join(folder, 'python.yaml'),
      '--meta',
      'setup',
    ],
    { env, maxBuffer: 1e8 },
  )
  await run(join(bin, 'python'), [calls('calls.py'), ...server], { env: { ...env, PYTHONPATH: output } })
  t.pass()
})

test('a TypeScript client of openapi-typescript', async t => {
  const { folder, document, server } = t.context
  const path = await npmPackages([
    'openapi-typescript@7.13.0',
    'openapi-fetch@0.17.0',
    'typescript@5.9.3',
    '@types/node@20',
  ])
  const output = join(folder, 'typescript')
  await mkdir(output)
  await symlink(join(path, 'node_modules'), join(output, 'node_modules'))
  await writeFile(join(output, 'package.json'), JSON.stringify({ type: 'module' }))
  await copyFile(calls('calls.ts.txt'), join(output, 'calls.ts'))
  const tool = (name: string) => join(path, 'node_modules', '.bin', name)
  await run(tool('openapi-typescript'), [document, '-o', join(output, 'schema.d.ts')])
  const flags = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck']
  await run(tool('tsc'), [...flags, 'calls.ts'], { cwd: output }).catch((error: { stdout: string }) => {
    throw new Error(error.stdout)
  })
  await run(process.execPath, ['calls.js', ...server], { cwd: output })
  t.pass()
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
  const { folder, document, server } = t.context
  const path = await goProgram(PROGRAMS.oapiCodegen)
  const output = join(folder, 'go')
  await mkdir(join(output, 'client'), { recursive: true })
  const config = join(folder, 'go.yaml')
  // Events are used by webhooks alone, whose schemas it would leave out.
  const options = [
    'package: larder',
    'generate: { models: true, client: true }',
    'output-options: { skip-prune: true }',
  ]
  await writeFile(config, options.join('\n'))
  await run(path, ['-config', config, '-o', join(output, 'client', 'client.go'), document])
  await copyFile(calls('calls.go'), join(output, 'main.go'))
  const env = { ...process.env, GOFLAGS: '-modcacherw -mod=mod' }
  await run('go', ['mod', 'init', 'example.test/larder'], { cwd: output, env })
  await run('go', ['mod', 'tidy'], { cwd: output, env })
  await run('go', ['run', '.', ...server], { cwd: output, env })
  t.pass()
})

/** Providers of OpenFeature for several languages evaluate flags by OFREP. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import anyTest, { type TestFn } from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { mavenLibraries, npmPackages, PROGRAMS_FOLDER, PYTHON_PROGRAMS, pythonEnvironment } from './programs.ts'

const run = promisify(execFile)
const client = (name: string) => fileURLToPath(new URL(`test/peers/clients/${name}`, packageRoot))

const FEATURES = `
  plain: { default: true }
  "off": { default: true, enabled: false }
  theme: { default: light, rules: [{ when: { country: DE }, value: dark, variant: night }] }
  share: { default: 10, rules: [{ when: { country: DE }, value: 99.5 }] }
  count: { default: 3 }
  layout: { default: { columns: 1 }, rules: [{ when: { country: DE }, value: { columns: 2 } }] }
`
const EXPECTED = [
  ['plain', true, 'default'],
  ['off', true, 'default'],
  ['theme', 'dark', 'night'],
  ['share', 99.5, 'rule-1'],
  ['count', 3, 'default'],
  ['layout', { columns: 2 }, 'rule-1'],
  ['missing', false, null],
  ['plain', true, 'default'],
  ['off', true, 'default'],
  ['theme', 'light', 'default'],
  ['share', 10, 'default'],
  ['count', 3, 'default'],
  ['layout', { columns: 1 }, 'default'],
  ['missing', false, null],
]

interface Context {
  kernel: TestKernel
  folder: string
  /** Arguments of each program. */
  server: readonly [url: string, token: string]
}
const test = anyTest as TestFn<Context>
test.before(async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-openfeature-'))
  const recipe = join(folder, 'recipe.yaml')
  await writeFile(
    recipe,
    `recipe: 1\nproduct: { key: acme, name: Acme, publicUrl: "https://acme.test" }\nmodules: { identity: {}, features: {} }\nfeatures:${FEATURES}`,
  )
  const kernel = await startTestKernel({ recipe })
  const { token } = await kernel.register('ada@example.test')
  Object.assign(t.context, { kernel, folder, server: [`${kernel.url}/v1/features`, token] })
})
test.after.always(async t => {
  await t.context.kernel?.stop()
  await rm(t.context.folder, { recursive: true, force: true })
})

test("Python's provider reads values of all types", async t => {
  const bin = await pythonEnvironment(PYTHON_PROGRAMS.ofrep)
  const { stdout } = await run(join(bin, 'python'), [client('ofrep.py'), ...t.context.server])
  t.deepEqual(JSON.parse(stdout), EXPECTED)
})

test("Java's provider reads values of all types", async t => {
  const { folder, server } = t.context
  const library = 'dev.openfeature.contrib.providers:ofrep:0.0.2'
  const libraries = join(await mavenLibraries([library, 'dev.openfeature:sdk:1.22.0']), '*')
  const output = join(folder, 'java')
  await run('javac', ['-cp', libraries, '-d', output, client('Ofrep.java')])
  const { stdout } = await run('java', ['-cp', `${libraries}:${output}`, 'Ofrep', ...server])
  t.deepEqual(JSON.parse(stdout), EXPECTED)
})

test("npm's provider for browsers reads values of all types", async t => {
  const { folder, server } = t.context
  const packages = ['@openfeature/ofrep-web-provider@0.4.3', '@openfeature/web-sdk@1.10.0']
  const path = await npmPackages(packages)
  const output = join(folder, 'web')
  await mkdir(output)
  await symlink(join(path, 'node_modules'), join(output, 'node_modules'))
  await writeFile(join(output, 'package.json'), JSON.stringify({ type: 'module' }))
  await copyFile(client('ofrep-web.js'), join(output, 'ofrep-web.js'))
  const { stdout } = await run(process.execPath, ['ofrep-web.js', ...server], { cwd: output })
  t.deepEqual(JSON.parse(stdout), EXPECTED)
})

test("Rust's provider reads values of all types", async t => {
  const { folder, server } = t.context
  const output = join(folder, 'rust')
  await mkdir(join(output, 'src'), { recursive: true })
  const dependencies = [
    'open-feature = "=0.3.0"',
    'open-feature-ofrep = "=0.1.2"',
    'serde_json = "1"',
    'tokio = { version = "1", features = ["full"] }',
    'reqwest = { version = "0.13", default-features = false }',
  ]
  const manifest = ['[package]', 'name = "flags"', 'version = "0.1.0"', 'edition = "2021"', '[dependencies]']
  await writeFile(join(output, 'Cargo.toml'), [...manifest, ...dependencies].join('\n'))
  await copyFile(client('ofrep.rs.txt'), join(output, 'src', 'main.rs'))
  const env = { ...process.env, CARGO_TARGET_DIR: join(PROGRAMS_FOLDER, 'cargo') }
  const { stdout } = await run('cargo', ['run', '--quiet', '--', ...server], { cwd: output, env, maxBuffer: 1e8 })
  t.deepEqual(JSON.parse(stdout), EXPECTED)
})

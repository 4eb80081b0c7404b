/** `larder module new` with every combination of its options. */
import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { writeModule } from '../../bin/new.ts'
import { type Base, neededModules, partNames, type Shape } from '../../bin/skeleton.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { run, temporaryFolder } from './command.ts'
import { compile, installLarder } from './installed.ts'

const root = fileURLToPath(packageRoot)
const bases: readonly Base[] = ['tables', 'collection', 'bare']
const subsets = Array.from({ length: 2 ** partNames.length }, (_, bits) =>
  partNames.filter((_, at) => bits & (1 << at)),
)
const shapes: readonly Shape[] = bases.flatMap(base => subsets.map(parts => ({ base, parts })))

test('modules of all combinations of options compile, are valid and formatted, and pass their own tests', async t => {
  t.timeout(900_000)
  const project = await temporaryFolder(t)
  await installLarder(project)
  await cp(join(root, 'examples/shop/tsconfig.json'), join(project, 'tsconfig.json'))
  for (const [at, shape] of shapes.entries()) await writeModule(`part${at}`, project, shape)
  t.is(await compile(project), '')

  const needed = [...new Set(shapes.flatMap(neededModules))].map(name => `  ${name}: {}\n`)
  const created = shapes.map((_, at) => `  part${at}: { use: ./modules/part${at} }\n`)
  const product = 'product: { key: parts, name: Parts, publicUrl: "https://parts.test" }'
  const recipe = ['recipe: 1\n', `${product}\n`, 'modules:\n', '  identity: {}\n', ...needed, ...created]
  await writeFile(join(project, 'recipe.yaml'), recipe.join(''))
  const check = await run(t, ['recipe', 'check', '--strict'], project)
  t.is(check.code, 0, check.out + check.err)

  const { formatter, javascript, linter } = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'))
  await writeFile(join(project, 'biome.json'), JSON.stringify({ root: true, formatter, javascript, linter }))
  const biome = join(root, 'node_modules/.bin/biome')
  const linted = await promisify(execFile)(biome, ['check', 'modules', '--error-on-warnings'], { cwd: project }).catch(
    (failed: { stdout: string; stderr: string }) => failed,
  )
  t.false(linted instanceof Error, linted.stdout + linted.stderr)

  // One process for each base imports Larder once, instead of 24 processes.
  const files = bases.map(base => `${base}.test.js`)
  for (const [at, base] of bases.entries())
    await writeFile(
      join(project, files[at] ?? ''),
      shapes
        .map((shape, at) => (shape.base === base ? `import './modules/part${at}/part${at}.test.js'\n` : ''))
        .join(''),
    )
  const { NODE_V8_COVERAGE: _, NODE_OPTIONS: __, ...env } = process.env
  const words = ['--test', '--test-reporter=tap', '--test-concurrency=2', ...files]
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    cwd: project,
    env: { ...env, NODE_TEST_CONTEXT: undefined },
    maxBuffer: 2 ** 26,
  }).catch((failed: { stdout: string }) => failed)
  t.is(Number(/^# fail (\d+)/m.exec(stdout)?.[1]), 0, stdout)
  t.true(Number(/^# pass (\d+)/m.exec(stdout)?.[1]) > 2 * shapes.length, stdout)
})

test('module new creates what its options name, and names the modules that the recipe needs', async t => {
  const project = await temporaryFolder(t)
  const { code, out, err } = await run(t, ['module', 'new', 'order_mail', '--bare', '--listener'], project)
  t.is(code, 0, err)
  t.regex(out, /modules: \{ comms: \{\}, order_mail: \{ use: \.\/modules\/order_mail \} \}/)
  t.regex(await readFile(join(project, 'modules/order_mail/module.ts'), 'utf8'), /needs: \['mailer'\],\n {2}listeners,/)
})

test('module new refuses a module that is bare and has a collection', async t => {
  const { code, err } = await run(t, ['module', 'new', 'both', '--bare', '--collection'], await temporaryFolder(t))
  t.is(code, 2)
  t.regex(err, /'--collection' cannot be used with option '--bare'/)
})

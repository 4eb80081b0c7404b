import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { codeRoot, packageRoot } from '../../kernel/base/package-root.ts'
import { folder, run } from './command.ts'

const EXPORTS = { './kernel': './code/kernel/contract.js', './kernel/testing': './code/kernel/testing.js' }

/** A folder in which nothing but larder can be resolved: the build under test. */
async function teamFolder(t: ExecutionContext): Promise<string> {
  const team = await folder(t)
  const larder = join(team, 'node_modules', 'larder')
  await mkdir(larder, { recursive: true })
  await writeFile(join(larder, 'package.json'), JSON.stringify({ name: 'larder', type: 'module', exports: EXPORTS }))
  await symlink(fileURLToPath(codeRoot), join(larder, 'code'))
  return team
}

/** Runs a module's own tests as a team would; resolves with what they said. */
async function testsOf(module: string): Promise<{ passed: number; said: string }> {
  const { NODE_V8_COVERAGE: _, NODE_OPTIONS: __, ...env } = process.env
  const node = ['--test', '--test-reporter=tap']
  const { stdout } = await promisify(execFile)(process.execPath, node, {
    cwd: module,
    env: { ...env, NODE_TEST_CONTEXT: undefined },
    timeout: 90_000,
  }).catch((failed: { stdout: string }) => failed)
  const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)`, 'm').exec(stdout)?.[1] ?? -1)
  return { passed: count('fail') === 0 ? count('pass') : 0, said: stdout }
}

for (const name of ['invoices', 'time_sheets'])
  test.serial(`module new ${name} writes a module that boots in a recipe and passes its own test`, async t => {
    const team = await teamFolder(t)
    const { code, out, err } = await run(t, ['module', 'new', name], team)
    t.is(code, 0, err)
    t.regex(out, new RegExp(`use: \\./modules/${name}`))
    const { passed, said } = await testsOf(join(team, 'modules', name))
    t.is(passed, 5, said)
  })

test.serial('the module of the example passes its own test', async t => {
  const team = await teamFolder(t)
  await cp(fileURLToPath(new URL('examples/shop', packageRoot)), team, { recursive: true })
  const { passed, said } = await testsOf(join(team, 'modules', 'invoices'))
  t.is(passed, 6, said)
})

test.serial('the recipe of the example is good', async t => {
  const recipe = fileURLToPath(new URL('examples/shop/recipe.yaml', packageRoot))
  const { code, out, err } = await run(t, ['recipe', 'check', recipe], await folder(t))
  t.is(code, 0, out + err)
})

test.serial('the example compiles against the types of the kernel and of the shipped modules', async t => {
  const tsc = fileURLToPath(new URL('node_modules/.bin/tsc', packageRoot))
  const project = fileURLToPath(new URL('examples/shop', packageRoot))
  const { stdout } = await promisify(execFile)(tsc, ['-p', project, '--pretty', 'false']).catch(
    (failed: { stdout: string }) => failed,
  )
  t.is(stdout, '')
})

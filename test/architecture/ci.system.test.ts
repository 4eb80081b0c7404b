import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'

/** Runs `.ci/run` in a temporary folder, where `npm` is a script of the test. */
async function run(t: ExecutionContext, npm: string): Promise<{ code: number; lines: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-ci-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'scripts'))
  await mkdir(join(folder, 'tools'))
  await cp(fileURLToPath(new URL('.ci', packageRoot)), join(folder, '.ci'), { recursive: true })
  await writeFile(join(folder, 'scripts/system.mjs'), '')
  for (const [name, text] of [
    ['npm', npm],
    ['npx', 'exit 0'],
  ]) {
    await writeFile(join(folder, 'tools', name as string), `#!/bin/bash\n${text}\n`)
    await chmod(join(folder, 'tools', name as string), 0o755)
  }
  const env = { ...process.env, PATH: `${join(folder, 'tools')}:${process.env.PATH}` }
  return new Promise(resolve =>
    execFile(join(folder, '.ci/run'), { env }, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, lines: stdout.trimEnd().split('\n') }),
    ),
  )
}
const npm = (forTest: string, forSystem = "echo '  ✔ system › works'") =>
  `case "$*" in "test --ignore-scripts") ${forTest};; *test:system*) ${forSystem};; *) exit 0;; esac`

test('the last line has the total number of tests of both runs', async t => {
  const { code, lines } = await run(t, npm("printf '  ✔ a › one\\n  ✔ a › two\\n'"))
  t.is(lines.at(-1), '3 passed, 0 failed')
  t.is(code, 0)
})

test('a failing test fails the run', async t => {
  const { code, lines } = await run(t, npm("printf '  ✔ a › one\\n  ✘ [fail]: a › two\\n'; exit 1"))
  t.is(lines.at(-1), '2 passed, 1 failed')
  t.is(code, 1)
})

test('a run that crashes or prints nothing fails', async t => {
  t.is((await run(t, npm('exit 7'))).lines.at(-1), '1 passed, 1 failed')
  t.is((await run(t, npm("echo '  ✔ a › one'", 'true'))).lines.at(-1), '1 passed, 1 failed')
})

test('a failing step fails the run, and the remaining steps run', async t => {
  const broken = `[ "$1" = ci ] && exit 1; ${npm("echo '  ✔ a › one'")}`
  const { code, lines } = await run(t, broken)
  t.is(lines.at(-1), '2 passed, 1 failed')
  t.is(code, 1)
})

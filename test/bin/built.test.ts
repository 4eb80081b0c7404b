/** What `larder` runs: one file, and what V8 made of it at the build. */
import { cp, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { codeRoot } from '../../kernel/root.ts'
import { folder, run } from './command.ts'

const BUILT = new URL('larder/', codeRoot)
const RECIPE =
  'recipe: 1\nproduct: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }\nmodules: { identity: {}, comms: {} }\n'

test('the Node that built it need not compile it again', t => {
  const load = createRequire(import.meta.url)(fileURLToPath(new URL('load.js', BUILT))) as { wasKnown: boolean }
  t.true(load.wasKnown)
})

for (const [what, spoil] of [
  ['of another Node', (file: string) => rm(file)],
  ['of a build that was cut short', (file: string) => writeFile(file, 'half')],
] as const)
  test(`beside the file of what is known ${what} it compiles anew`, async t => {
    const copy = join(await folder(t), 'larder')
    await cp(BUILT, copy, { recursive: true })
    const known = (await readdir(copy)).find(name => name.endsWith('.bin'))
    await spoil(join(copy, known ?? ''))
    const load = createRequire(import.meta.url)(join(copy, 'load.js')) as {
      wasKnown: boolean
      code: { program: () => unknown }
    }
    t.false(load.wasKnown)
    t.is(typeof load.code.program, 'function')
  })

test('settings of V8 do not keep it from starting', async t => {
  const cwd = await folder(t)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE)
  const { code, out } = await run(t, ['recipe', 'check'], cwd, {
    NODE_OPTIONS: '--max-old-space-size=200 --stack-trace-limit=50',
  })
  t.is(code, 0)
  t.regex(out, /is good/)
})

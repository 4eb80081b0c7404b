/** What `larder` runs: two files, and what V8 made of them at the build. */
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { codeRoot } from '../../kernel/root.ts'
import { folder, run } from './command.ts'

const BUILT = new URL('larder/', codeRoot)
const RECIPE =
  'recipe: 1\nproduct: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }\nmodules: { identity: {}, comms: {} }\n'

type Load = typeof import('../../bin/built/load.ts')
const load = (folder: string): Load => createRequire(import.meta.url)(join(folder, 'load.js'))

test('the Node that built it need not compile it again', t => {
  const { packages, files } = load(fileURLToPath(BUILT))
  t.deepEqual(wereKnown(files()), [true])
  t.is(typeof packages().sequelize, 'function')
  t.deepEqual(wereKnown(files()), [true, true])
})

const wereKnown = (files: ReturnType<Load['files']>) => files.map(({ wasKnown }) => wasKnown)

for (const [what, spoil] of [
  ['of another Node', (file: string) => rm(file)],
  ['of a build that was cut short', (file: string) => writeFile(file, 'half')],
] as const)
  test(`beside files of what is known ${what} it compiles anew`, async t => {
    const copy = join(await folder(t), 'larder')
    await cp(BUILT, copy, { recursive: true })
    for (const name of await readdir(copy)) if (name.endsWith('.bin')) await spoil(join(copy, name))
    const { code, packages, files } = load(copy)
    t.is(typeof code.program, 'function')
    t.is(typeof packages().sequelize, 'function')
    t.deepEqual(wereKnown(files()), [false, false])
  })

test('a check of a recipe reads no package that only a server needs', async t => {
  const cwd = await folder(t)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE.replace('comms: {}', 'comms: {}, formz: {}'))

  await writeFile(
    join(cwd, 'opened.cjs'),
    `const fs = require('node:fs')
const read = fs.readFileSync
fs.readFileSync = (file, ...rest) => {
  if (String(file).endsWith('.cjs')) fs.appendFileSync(${JSON.stringify(join(cwd, 'opened'))}, file + '\\n')
  return read(file, ...rest)
}`,
  )
  const { code, err } = await run(t, ['recipe', 'check'], cwd, { NODE_OPTIONS: `--require ${join(cwd, 'opened.cjs')}` })
  t.is(code, 1)
  t.regex(err, /no module 'formz'/)
  const opened = (await readFile(join(cwd, 'opened'), 'utf8')).trim().split('\n')
  t.deepEqual(
    opened.map(file => basename(file)).filter(name => name !== 'opened.cjs'),
    ['code.cjs'],
  )
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

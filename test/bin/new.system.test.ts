import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { objectionTo, writeModule } from '../../bin/new.ts'
import { skeleton } from '../../bin/skeleton.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'

test('bad and taken names are refused with a sentence', t => {
  for (const name of ['', 'Invoices', '1st', 'in-voices', '../up', 'a b', 'invoices.ts', 'é', 'x'.repeat(33)])
    t.regex(objectionTo(name) ?? '', /cannot name a module|longer than/, name)
  for (const name of ['platform', 'larder_x', 'pg_x', 'comms']) t.regex(objectionTo(name) ?? '', /is taken/, name)
  for (const name of ['invoices', 'time_sheets', 'a1']) t.is(objectionTo(name), undefined)
})

test('no placeholder is left in what is written', async t => {
  const files = await skeleton('time_sheets')
  t.true(files.has('migrations/0001-items.ts'))
  t.true(files.has('time_sheets.test.js'))
  for (const [path, text] of files) t.notRegex(path + text, /__(name|Name|camel)__/, path)
  t.regex(files.get('module.ts') ?? '', /gives: \{ timeSheets: createTimeSheets \}/)
})

test('an existing folder is left as it is', async t => {
  const base = await mkdtemp(join(tmpdir(), 'larder-new-'))
  t.teardown(() => rm(base, { recursive: true }))
  const folder = await writeModule('invoices', base)
  t.true((await readdir(folder)).includes('module.ts'))
  const before = await readFile(join(folder, 'module.ts'), 'utf8')
  await t.throwsAsync(writeModule('invoices', base), { message: /is there already/ })
  t.is(await readFile(join(folder, 'module.ts'), 'utf8'), before)
})

test('what is written is right to the compiler, by the types that are published', async t => {
  const base = await mkdtemp(join(tmpdir(), 'larder-new-'))
  t.teardown(() => rm(base, { recursive: true }))
  await writeModule('invoices', base)
  const root = fileURLToPath(packageRoot)
  const compilerOptions = {
    rootDir: '/',
    noEmit: true,
    typeRoots: [`${root}node_modules/@types`],
    paths: { 'larder/kernel': [`${root}dist/kernel/index.d.ts`] },
  }
  const config = { extends: `${root}tsconfig.json`, compilerOptions, include: ['modules/**/*.ts'], exclude: [] }
  await writeFile(join(base, 'tsconfig.json'), JSON.stringify(config))
  await writeFile(join(base, 'package.json'), '{ "type": "module" }')
  const { stdout } = await promisify(execFile)(`${root}node_modules/.bin/tsc`, ['-p', base, '--pretty', 'false']).catch(
    (failed: { stdout: string }) => failed,
  )
  t.is(stdout, '')
})

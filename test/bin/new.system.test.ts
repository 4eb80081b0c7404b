import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { moduleNameFault, writeModule } from '../../bin/new.ts'
import { skeleton } from '../../bin/skeleton.ts'

test('rejects invalid and reserved module names', t => {
  for (const name of ['', 'Invoices', '1st', 'in-voices', '../up', 'a b', 'invoices.ts', 'é', 'x'.repeat(33)])
    t.regex(moduleNameFault(name) ?? '', /Invalid module name|longer than/, name)
  for (const name of ['platform', 'larder_x', 'pg_x', 'comms', 'jobs'])
    t.regex(moduleNameFault(name) ?? '', /is reserved/, name)
  for (const name of ['invoices', 'time_sheets', 'a1']) t.is(moduleNameFault(name), undefined)
})

test('replaces every placeholder', async t => {
  const files = await skeleton('time_sheets')
  t.true(files.has('time_sheets.test.js'))
  for (const [path, text] of files) t.notRegex(path + text, /__(name|Name|camel)__/, path)
  t.regex(files.get('module.ts') ?? '', /provides: \{\n +timeSheets: /)
})

test('writes the parts of a module with a table', async t => {
  const files = [...(await skeleton('invoices')).keys()]
  for (const file of ['module', 'ports', 'records', 'events', 'problems', 'resources'])
    t.true(files.includes(`${file}.ts`), file)
  for (const folder of ['routes', 'migrations'])
    t.true(
      files.some(path => path.startsWith(`${folder}/`)),
      folder,
    )
  t.true(files.includes('locales/de.yaml'))
})

test('does not overwrite an existing module', async t => {
  const base = await mkdtemp(join(tmpdir(), 'larder-new-'))
  t.teardown(() => rm(base, { recursive: true }))
  const folder = await writeModule('invoices', base)
  t.true((await readdir(folder)).includes('module.ts'))
  const before = await readFile(join(folder, 'module.ts'), 'utf8')
  await t.throwsAsync(writeModule('invoices', base), { message: /already exists/ })
  t.is(await readFile(join(folder, 'module.ts'), 'utf8'), before)
})

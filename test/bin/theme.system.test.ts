import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { themeNameFault, writeTheme } from '../../bin/theme.ts'
import { startTestKernel } from '../../testing/index.ts'
import { run, temporaryFolder } from './command.ts'

test('rejects invalid, long and reserved theme names', t => {
  for (const name of ['', 'Acme', '1st', '../up', 'a b', 'acme.yaml', 'é', '-x'])
    t.regex(themeNameFault(name) ?? '', /Invalid theme name/, name)
  t.regex(themeNameFault('x'.repeat(33)) ?? '', /longer than 32/)
  t.regex(themeNameFault('default') ?? '', /ships with Larder/)
  for (const name of ['acme', 'dark-mode', 'a1']) t.is(themeNameFault(name), undefined)
})

test('a new theme boots and styles its pages', async t => {
  const base = await temporaryFolder(t)
  const ended = await run(t, ['theme', 'new', 'acme'], base)
  t.is(ended.code, 0, ended.err)
  t.regex(ended.out, /theme: \{ use: \.\/themes\/acme \}/)
  const kernel = await startTestKernel({
    folder: base,
    recipe: { theme: { use: './themes/acme' }, modules: { identity: {} } },
  })
  t.teardown(() => kernel.stop())
  const { body } = await kernel.get<string>('/sign-in', { headers: { accept: 'text/html' } })
  const css = (await kernel.get<string>(/href="(\/assets\/larder\.[^"]+)"/.exec(body)?.[1] ?? '')).body
  t.regex(css, /--accent:#0a7d4f/)
  t.regex(css, /border-top: 3px solid var\(--accent\)/)
  t.is((await kernel.get('/nothing', { headers: { accept: 'text/html' } })).status, 404)
})

test('overwrites an existing theme only with --force', async t => {
  const base = await temporaryFolder(t)
  const made = await writeTheme('acme', base, { force: false })
  const own = join(made, 'assets', 'own.css')
  await writeFile(own, 'mine')
  await writeFile(join(made, 'theme.yaml'), 'changed')
  await t.throwsAsync(writeTheme('acme', base, { force: false }), { message: /already exists/ })
  t.is(await readFile(join(made, 'theme.yaml'), 'utf8'), 'changed')
  await writeTheme('acme', base, { force: true })
  t.regex(await readFile(join(made, 'theme.yaml'), 'utf8'), /extends: default/)
  t.is(await readFile(own, 'utf8'), 'mine')
})

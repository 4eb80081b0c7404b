import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import test from 'ava'
import { importFile } from '../../../kernel/recipe/import.ts'
import { check, FINDER, failure, finderOf, folderWith, HEAD, people, platform, problemsOf } from './fixtures.ts'

const INVOICES = `
import { defineModule, Problem, Type } from '@larder-dev/larder/kernel'
import { title } from './words.ts'
import type { Nothing } from 'a-package-that-is-not-there'

export default defineModule({
  name: 'invoices',
  options: Type.Object({ hours: Type.Integer({ default: 8 }) }),
  permissions: { 'invoices.invoice.read': title as string },
  migrations: new URL('./migrations/', import.meta.url),
  problems: { Problem } as never,
  summary: import.meta.dirname,
})
`
const module = (body: string) => `import { defineModule } from '@larder-dev/larder/kernel'\n${body}`
const files = (more: Record<string, string>) => ({
  'recipe.yaml': `${HEAD}modules:\n  invoices: { use: ./modules/invoices, options: { hours: 6 } }\n`,
  'modules/invoices/module.ts': INVOICES,
  'modules/invoices/words.ts': `export const title: string = 'Read'`,
  ...more,
})

test('loads a custom module in TypeScript from a folder without a larder package', async t => {
  const { modules } = await check(t, files({}))
  const invoices = modules.find(({ key }) => key === 'invoices')
  t.like(invoices, { options: { hours: 6 }, source: './modules/invoices', optional: false })
  t.deepEqual(invoices?.module.permissions, { 'invoices.invoice.read': 'Read' })
})

test('import.meta of a custom module refers to its own file', async t => {
  const { modules, file } = await check(t, files({}))
  const invoices = modules.find(({ key }) => key === 'invoices')?.module
  const folder = join(file, '../modules/invoices')
  t.is(invoices?.migrations?.href, pathToFileURL(`${folder}/migrations/`).href)
  t.is(invoices?.summary, folder)
})

test('a custom module imports the running kernel, not a copy', async t => {
  const { modules } = await check(t, files({}))
  const theirs = (modules.find(({ key }) => key === 'invoices')?.module.problems as { Problem?: unknown } | undefined)
    ?.Problem
  const { Problem } = await import('../../../kernel/base/problem.ts')
  t.is(theirs, Problem)
})

test('loads migrations of a custom module in TypeScript and JavaScript', async t => {
  const folder = folderWith(t, {
    '0001-a.ts': `import { newId } from '@larder-dev/larder/kernel'\nexport const up = async (m: { query(sql: string): Promise<void> }): Promise<string> => newId('inv')`,
    '0002-b.js': `export const up = () => 'plain'`,
  })
  const first = await importFile(pathToFileURL(join(folder, '0001-a.ts')))
  t.regex(await (first.up as () => Promise<string>)(), /^inv_/)
  const second = await importFile(pathToFileURL(join(folder, '0002-b.js')))
  t.is((second.up as () => string)(), 'plain')
})

test('reloads a changed file', async t => {
  const folder = folderWith(t, { 'a.js': 'export const value = 1' })
  const url = pathToFileURL(join(folder, 'a.js'))
  t.is((await importFile(url)).value, 1)
  writeFileSync(url, 'export const value = 2')
  t.is((await importFile(url)).value, 2)
})

test('finds an npm package and its dependencies from the folder of the recipe', async t => {
  const { modules } = await check(t, {
    'recipe.yaml': `${HEAD}modules:\n  sla: { use: "@acme/sla" }\n`,
    'node_modules/@acme/sla/package.json':
      '{ "name": "@acme/sla", "version": "1.0.0", "type": "module", "exports": { "import": "./main.js" } }',
    'node_modules/@acme/sla/main.js': module(
      `import words from 'words'\nexport default defineModule({ name: 'sla', summary: words.hello })`,
    ),
    'node_modules/words/package.json': '{ "name": "words", "version": "1.0.0", "main": "index.cjs" }',
    'node_modules/words/index.cjs': `module.exports = { hello: 'Hello' }`,
  })
  t.is(modules.find(({ key }) => key === 'sla')?.module.summary, 'Hello')
})

const broken: Record<string, [source: string, message: RegExp]> = {
  'throws when it is imported': ['throw new Error("no luck")', /Cannot load .*: no luck$/],
  'has no default export': ['export const a = 1', /No default export in .*$/],
  'exports something else': ['export default { name: "invoices" }', /The default export of .* is not a module$/],
  'is not JavaScript': ['export default {', /module\.ts:1:\d+ .*end of file/i],
  'imports a missing package': [
    'import a from "not-there"\nexport default a',
    /module\.ts:1:\d+ could not resolve "not-there"/,
  ],
  'imports a private file of larder': [
    'import a from "@larder-dev/larder/kernel/wire"\nexport default a',
    /larder has no entry point "@larder-dev\/larder\/kernel\/wire"/,
  ],
}
for (const [name, [source, message]] of Object.entries(broken)) {
  test(`reports a module that ${name} at its key in the recipe`, async t => {
    const { problems } = await failure(t, files({ 'modules/invoices/module.ts': source }))
    t.is(problems.length, 1)
    t.like(problems[0], { line: 4, column: 20, path: 'modules.invoices.use' })
    t.regex(problems[0]?.message ?? '', message)
  })

  test(`starts without an optional module that ${name}`, async t => {
    const checked = await check(t, {
      ...files({ 'modules/invoices/module.ts': source }),
      'recipe.yaml': `${HEAD}modules:\n  invoices: { use: ./modules/invoices, optional: true }\n  people: {}\ntheirs: { a: 1 }\nroles: { tenant.x: { name: X, permissions: ["invoices.*"] } }\n`,
    })
    t.deepEqual(
      checked.modules.map(({ key }) => key),
      ['platform', 'people'],
    )
    t.is(checked.failed[0]?.key, 'invoices')
    t.regex(checked.failed[0]?.reason ?? '', message)
  })
}

test('reports a module that is missing or invalid', async t => {
  const recipe = `${HEAD}modules:\n  a: { use: ./none }\n  b: { use: ./empty }\n  c: { use: no-such-package }\n  d: { use: 5 }\n  e: { use: ./b, optionl: true }\n`
  const problems = await problemsOf(t, {
    'recipe.yaml': recipe,
    'empty/readme': '',
    'b/module.js': module(`export default defineModule({ name: 'e' })`),
  })
  t.deepEqual(
    problems.map(line => line.replace(/\(\/.*\)/, '(…)')),
    [
      'recipe.yaml:4:13 Module not found: ./none (…)',
      'recipe.yaml:5:13 Folder "./empty" has no module.ts or module.js',
      'recipe.yaml:6:13 Cannot load package no-such-package: could not resolve "no-such-package"',
      'recipe.yaml:7:13 "use" must be a path or a package name',
      'recipe.yaml:7:13 "modules.d.use" must be a string, not 5',
      'recipe.yaml:8:18 Unknown key "optionl" in "modules.e"',
    ],
  )
})

test('validates the options of a custom module under `options`', async t => {
  const recipe = `${HEAD}modules:\n  invoices: { use: ./modules/invoices, options: { huors: 6 } }\n`
  t.deepEqual(await problemsOf(t, files({ 'recipe.yaml': recipe })), [
    'recipe.yaml:4:51 Unknown key "huors" in "modules.invoices.options"',
  ])
})

test('a custom module can replace a shipped one', async t => {
  const { modules } = await check(
    t,
    {
      'recipe.yaml': `${HEAD}modules:\n  people: { use: ./people }\n`,
      'people/index.mjs': module(`export default defineModule({ name: 'people', summary: 'ours' })`),
    },
    { finder: finderOf(platform, people) },
  )
  t.is(modules.find(({ key }) => key === 'people')?.module.summary, 'ours')
})

test('leaves out an optional module whose ports are missing or already provided', async t => {
  const recipe = `${HEAD}modules:\n  people: {}\n  lonely: { use: ./lonely.js, optional: true }\n  twice: { use: ./twice.js, optional: true }\n`
  const { failed, modules } = await check(t, {
    'recipe.yaml': recipe,
    'lonely.js': module(`export default defineModule({ name: 'lonely', needs: ['friend'] })`),
    'twice.js': module(
      `export default defineModule({ name: 'twice', provides: { people: () => ({}), friend: () => ({}) } })`,
    ),
  })
  t.deepEqual(
    modules.map(({ key }) => key),
    ['platform', 'people'],
  )
  t.deepEqual(failed.map(({ key }) => key).sort(), ['lonely', 'twice'])
})

test('does not report ports of a module that was not found as missing', async t => {
  const problems = await problemsOf(t, `${HEAD}modules:\n  poeple: {}\n  post: { from: a }\n`, { finder: FINDER })
  t.deepEqual(problems, ['recipe.yaml:4:3 Unknown module "poeple"'])
})

test('stack traces show the source line of a custom module', async t => {
  const folder = folderWith(t, {})
  mkdirSync(join(folder, 'far'))
  writeFileSync(
    join(folder, 'far/fail.ts'),
    `interface A {\n  b: string\n}\nexport const fail = (a: A): never => {\n  throw new Error(a.b)\n}\n`,
  )
  cpSync(join(folder, 'far/fail.ts'), join(folder, 'far/other.ts'))
  const { fail } = await importFile(pathToFileURL(join(folder, 'far/fail.ts')))
  const error = t.throws(() => (fail as (a: { b: string }) => never)({ b: 'oh' }))
  t.regex(error?.stack ?? '', /far\/fail\.ts:5:\d+/)
})

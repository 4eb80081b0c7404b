/** Compiles generated clients with the options of strict projects, and runs the commands that generate them. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { generateClient, generateTypes } from '../../bin/client/generate.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { run, temporaryFolder } from '../bin/command.ts'
import { coursesDocument } from './courses-document.ts'

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  noEmit: true,
  target: 'es2022',
}
const IN_NODE = { ...STRICT, module: 'nodenext', lib: ['es2022'], types: ['node'] }
const IN_BROWSER = {
  ...STRICT,
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
}
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const modules = fileURLToPath(new URL('node_modules/', packageRoot))
const access = { permissions: ['courses.course.read'], roles: [] }
const topic = {
  name: 'courses.changes',
  summary: 'Changed courses.',
  params: { type: 'object', properties: { level: { type: 'string' } } },
  message: { $ref: '#/components/schemas/Course' },
}

/** The errors of the compiler. @param files name → text. */
async function compile(t: ExecutionContext, files: Readonly<Record<string, string>>, options: object): Promise<string> {
  const folder = await temporaryFolder(t)
  await mkdir(join(folder, 'node_modules'))
  for (const name of ['@types', 'ws', 'undici-types'])
    await symlink(join(modules, name), join(folder, 'node_modules', name))
  const project = { compilerOptions: options, files: Object.keys(files) }
  const all = { ...files, 'package.json': '{"type":"module"}', 'tsconfig.json': JSON.stringify(project) }
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text)
  return new Promise(done => execFile(process.execPath, [TSC, '-p', folder], (_, out) => done(out)))
}

const usageOf = (name: string) => readFile(new URL(`test/client/${name}.ts.txt`, packageRoot), 'utf8')
const client = generateClient({ ...access, document: coursesDocument, topics: [topic], helpers: [] })

for (const [where, options] of Object.entries({ 'Node.js': IN_NODE, 'a browser': IN_BROWSER }))
  test(`types rows, filters, errors and topics in ${where}`, async t => {
    t.is(await compile(t, { 'client.ts': client, 'usage.ts': await usageOf('usage') }, options), '')
  })

test('generates types that compile without a runtime', async t => {
  const types = generateTypes({ ...access, document: coursesDocument, events: {} })
  t.is(await compile(t, { 'types.ts': types }, { ...IN_BROWSER, lib: ['es2022'] }), '')
})

test('writes, checks and updates the client of the full recipe', async t => {
  const cwd = await temporaryFolder(t)
  await cp(fileURLToPath(new URL('recipes/full.yaml', packageRoot)), join(cwd, 'recipe.yaml'))
  const secret = 'a secret that only tests may know of'
  const offline = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', LARDER_SECRET: secret }
  const args = ['client', '--out', 'src/client.ts']
  const missing = await run(t, [...args, '--check'], cwd, offline)
  t.is(missing.code, 1)
  t.regex(missing.err, /src\/client\.ts is out of date/)
  const written = await run(t, args, cwd, offline)
  t.is(written.code, 0, written.err)
  t.is((await run(t, [...args, '--check'], cwd, offline)).code, 0)

  const text = await readFile(join(cwd, 'src/client.ts'), 'utf8')
  t.is(await compile(t, { 'client.ts': text, 'usage.ts': await usageOf('recipe-usage') }, IN_NODE), '')
  await writeFile(join(cwd, 'src/client.ts'), `${text}\n`)
  t.is((await run(t, [...args, '--check'], cwd, offline)).code, 1)

  const types = await run(t, ['types', 'recipe.yaml'], cwd, offline)
  t.is(types.code, 0, types.err)
  t.is(await compile(t, { 'types.ts': types.out }, { ...IN_BROWSER, lib: ['es2022'] }), '')
})

test('rejects --check without a file', async t => {
  const { code, err } = await run(t, ['client', '--check'], await temporaryFolder(t))
  t.is(code, 2)
  t.regex(err, /--check needs --out/)
})

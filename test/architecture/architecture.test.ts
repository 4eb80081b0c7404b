import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { BOUNDED_MEMORY } from './bounded-memory.ts'
import { CROSS_TENANT_PLACES } from './cross-tenant-places.ts'
import {
  ANATOMY_EXCEPTIONS,
  CYCLE_EXCEPTIONS,
  IMPORT_EXCEPTIONS,
  PART_CYCLE_EXCEPTIONS,
  PRIVATE_HANDLES,
  UPWARD_EXCEPTIONS,
} from './exceptions.ts'
import {
  BROWSER_FILES,
  beyondPublic,
  CLIENT_RUNTIME,
  domainCycles,
  fileCycles,
  forbiddenImports,
  importsOf,
  modulePartOf,
  packageCycles,
  partCycles,
  upwardFeatures,
  upwardImports,
  upwardInModules,
} from './imports.ts'

import {
  concretePorts,
  internalPorts,
  misnumberedMigrations,
  outsideAnatomy,
  serviceBags,
  unusedPorts,
} from './module-anatomy.ts'
import {
  barrels,
  beyondKernel,
  boundedMemory,
  crossTenantPlaces,
  handmadeLocks,
  handwrittenInserts,
  importsTest,
  loginInserts,
  moduleNamesInKernel,
  numberedValues,
  ownUnitsWithoutReason,
  positionalResults,
  privateHandles,
  spreadLiterals,
  suppressions,
  terminatesForeignConnections,
  togetherOverStatements,
  undeclaredSealedColumns,
  wakesWorkers,
  withoutErrorListener,
  withoutSubject,
} from './source-rules.ts'

import { compareStatements, namesWorkspace, statementsIn } from './statements.ts'
import { STATEMENTS_WITHOUT_WORKSPACE, TABLES_WITHOUT_WORKSPACE } from './statements-without-workspace.ts'
import { GLOBAL_STYLES, globalStyles, mismatchedStyles, unusedGlobals } from './style-rules.ts'

const filesIn = (top: string): string[] =>
  readdirSync(fileURLToPath(new URL(`${top}/`, packageRoot)), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) =>
      `${parentPath}/${name}`.slice(fileURLToPath(packageRoot).length).replace(/\/+/g, '/'),
    )
const styleSheets = new Map(
  filesIn('modules/console/app')
    .filter(path => path.endsWith('.css'))
    .map(path => [path, readFileSync(new URL(path, packageRoot), 'utf8')] as const),
)
const DOCUMENT = 'modules/console/app/index.html'
const consoleDocument = [DOCUMENT, readFileSync(new URL(DOCUMENT, packageRoot), 'utf8')] as const
const sourcesIn = (...tops: string[]) =>
  new Map(
    tops
      .flatMap(filesIn)
      .filter(path => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
      .map(path => [path, readFileSync(new URL(path, packageRoot), 'utf8')] as const),
  )
const sources = sourcesIn('kernel', 'services', 'modules', 'bin', 'testing')
const kernel = new Map([...sources].filter(([path]) => path.startsWith('kernel/')))
const moduleSources = new Map([...sources].filter(([path]) => path.startsWith('modules/')))
const serviceSources = new Map(
  [...moduleSources].filter(([path]) => ['services', 'realtime'].includes(modulePartOf(path))),
)
const modules = readdirSync(new URL('modules/', packageRoot))
const tables = [...sources]
  .filter(([path]) => /^modules\/\w+\/migrations\//.test(path))
  .flatMap(([, text]) => [...text.matchAll(/(?:create table (?:if not exists )?|Table\(\s*')(\w+)/gi)])
  .flatMap(([, name]) => name ?? [])

const serviceTables = [...sources]
  .filter(([path]) => path.startsWith('services/'))
  .flatMap(([, text]) => [...text.matchAll(/\b(larder_\w+)\b/g)].flatMap(([, name]) => name ?? []))

const planted = (files: Record<string, string>) => new Map(Object.entries(files))
const importing = (from: string, to: string) => planted({ [from]: `import type { a } from '${to}'` })

test('reads the sources', t => {
  t.true(sources.size > 500)
  t.true(kernel.size > 80)
  t.true(tables.length > 40)
  t.true([...sources.keys()].filter(path => path.endsWith('.tsx')).length > 150)
})

test('kernel, services, modules and entry points import only permitted packages', t => {
  t.deepEqual(forbiddenImports(sources, IMPORT_EXCEPTIONS), [])
})

test('the kernel imports no library of its services, not even types of one', t => {
  t.deepEqual(
    IMPORT_EXCEPTIONS.filter(exception => exception.startsWith('kernel/')),
    [],
  )
})

test('the kernel files that the console imports in browsers import nothing', t => {
  t.deepEqual(
    BROWSER_FILES.flatMap(path => importsOf(path, sources.get(path) as string)),
    [],
  )
})

test('the runtime of generated clients imports only itself', t => {
  const runtime = [...sources].filter(([path]) => path.startsWith(CLIENT_RUNTIME))
  const imports = runtime.flatMap(([path, text]) => importsOf(path, text))
  t.true(imports.length > 0)
  t.deepEqual(
    imports.filter(({ to }) => !to.startsWith(CLIENT_RUNTIME)),
    [],
  )
})

test('imports within a module point downward: pages, routes, recipe, services, records and domain', t => {
  t.deepEqual(upwardInModules(sources, UPWARD_EXCEPTIONS), [])
})

test('the parts of a module do not import each other in a cycle', t => {
  t.deepEqual(partCycles(sources, PART_CYCLE_EXCEPTIONS), [])
  const named = new Set(partCycles(sources))
  t.deepEqual(
    PART_CYCLE_EXCEPTIONS.filter(group => !named.has(group)),
    [],
    'exceptions that are not needed',
  )
  const ring = planted({
    'modules/a/services.ts': `import { b } from './recipe/b.ts'`,
    'modules/a/services/c.ts': `import { d } from '../recipe/sections.ts'`,
    'modules/a/recipe/b.ts': `import { c } from '../services/c.ts'`,
    'modules/a/recipe/sections.ts': 'export const d = 1',
  })
  t.deepEqual(partCycles(ring), ['modules/a/recipe, modules/a/services'])
})

test('a feature of a module imports only the features below it', t => {
  t.deepEqual(upwardFeatures(sources), [])
  for (const [from, to] of [
    ['modules/identity/users/users.ts', '../sign-in/records/login.ts'],
    ['modules/identity/sign-in/logins.ts', '../operators/records/admin.ts'],
    ['modules/identity/sign-in/routes/auth.ts', '../../services.ts'],
  ] as const)
    t.is(upwardFeatures(importing(from, to)).length, 1, from)
  for (const [from, to] of [
    ['modules/identity/operators/directory.ts', '../users/users.ts'],
    ['modules/identity/sign-in/routes/auth.ts', '../services.ts'],
    ['modules/identity/jobs.ts', './services.ts'],
  ] as const)
    t.deepEqual(upwardFeatures(importing(from, to)), [], from)
})

test('folders in the domain of a module do not import each other in a cycle', t => {
  t.deepEqual(domainCycles(sources), [])
  const ring = planted({
    'modules/a/domain/fields/a.ts': `import type { b } from '../changes/b.ts'`,
    'modules/a/domain/changes/b.ts': 'export const b = 1',
    'modules/a/domain/changes/c.ts': `import { a } from '../fields/a.ts'`,
  })
  t.deepEqual(domainCycles(ring), [['modules/a/domain/changes', 'modules/a/domain/fields']])
})

test('files do not import each other in a cycle, types included', t => {
  const found = fileCycles(sources).map(files => files.join(', '))
  t.deepEqual(
    found.filter(cycle => !CYCLE_EXCEPTIONS.some(path => cycle.includes(path))),
    [],
  )
})

test('files of the console import no higher layer and no other area, types included', t => {
  t.deepEqual(upwardImports(sources), [])
})

test('shipped screens of the console import what those of a team can, and their own folder', t => {
  t.deepEqual(beyondPublic(sources), [])
})

test('style sheets of the console belong to a component, which uses each of their classes', t => {
  t.deepEqual(globalStyles(styleSheets), [])
  t.deepEqual(
    GLOBAL_STYLES.filter(path => !styleSheets.has(path)),
    [],
  )
  t.deepEqual(mismatchedStyles(sources, styleSheets), [])
  t.deepEqual(unusedGlobals(new Map([...sources, consoleDocument]), styleSheets), [])
})

test('the types of screens need no package but React', t => {
  const found = new Set<string>()
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    for (const { to } of importsOf(path, readFileSync(new URL(path, packageRoot), 'utf8')))
      if (to.startsWith('dist/')) visit(to.replace(/\.tsx?$/, '.d.ts'))
      else found.add(to)
  }
  visit('dist/modules/console/types/modules/console/app/public.d.ts')
  t.deepEqual([...found], ['react'])
})

test('packages do not import each other in a cycle', t => {
  t.deepEqual(packageCycles(sources), [])
})

test('the kernel mentions no module, module path or module table', t => {
  t.deepEqual(moduleNamesInKernel(kernel, modules, tables), [])
})

test('base, contract, recipe and runtime know no SQL, table, DNS or browser', t => {
  const own = new Map([...kernel].filter(([path]) => !path.startsWith('kernel/records/')))
  t.deepEqual(beyondKernel(own, serviceTables), [])
  const lines = [
    'query(`select id\n from a`)',
    "if (error.code === '23505')",
    "const table = 'larder_jobs'",
    "['Firefox', 1]",
    '// An SQL expression.',
    "const a = 'select a plan'",
  ]
  t.deepEqual(beyondKernel(planted({ 'kernel/base/a.ts': lines.join('\n') }), ['larder_jobs']), [
    'kernel/base/a.ts: select id\n from',
    'kernel/base/a.ts: 23505',
    'kernel/base/a.ts: Firefox',
    'kernel/base/a.ts: larder_jobs',
    'kernel/base/a.ts: SQL',
  ])
})

test('services mention no module and no module path', t => {
  const services = new Map([...sources].filter(([path]) => path.startsWith('services/')))
  // The paths of the built-in routes, the content encoding `identity`, and OpenTelemetry's names of attributes.
  const own =
    /: (messaging\.(consumer|message|batch|operation|destination)\.|\/v1\/health|\/v1\/platform\/(openapi|asyncapi)\.json$|\/assets\/|identity$)/
  t.deepEqual(
    moduleNamesInKernel(services, modules).filter(found => !own.test(found)),
    [],
  )
})

test('modules consist of the files and folders of the module anatomy', t => {
  const found = outsideAnatomy(filesIn('modules'))
  t.log(`${ANATOMY_EXCEPTIONS.filter(entry => !found.includes(entry)).length} exceptions can go`)
  t.deepEqual(
    found.filter(entry => !ANATOMY_EXCEPTIONS.includes(entry)),
    [],
  )
})

test('migrations of a module are numbered consecutively', t => {
  t.deepEqual(misnumberedMigrations([...filesIn('modules'), ...filesIn('services')]), [])
})

test('ports.ts contains handwritten types only', t => {
  t.deepEqual(
    concretePorts(sources).filter(fault => !fault.startsWith('modules/streams/ports.ts derives')),
    [],
  )
})

test('no port is internal to its module', t => {
  t.deepEqual(internalPorts(sources), [])
  const planted = new Map([['modules/a/ports.ts', '/** Internal to this module. */\nstore: Store']])
  t.deepEqual(internalPorts(planted), ['modules/a/ports.ts'])
})

test('each port of a module is used by another module, or documented for those of teams', async t => {
  const paths = [...sources.keys()].filter(path => /^(modules|services)\/\w+\/(module|service)\.ts$/.test(path))
  const imported = await Promise.all(
    paths.map(path => import(new URL(`../../${path.replace(/ts$/, 'js')}`, import.meta.url).href)),
  )
  const documentation = readFileSync(new URL('docs/modules.md', packageRoot), 'utf8')
  const found = unusedPorts(
    imported.map(({ default: definition }) => definition),
    modules,
    documentation,
  )
  t.deepEqual(found, [])
  t.deepEqual(unusedPorts([{ name: 'a', provides: { one: 1, two: 2 } }], ['a'], '| `two` | two |'), ['a provides one'])
})

test('no bag of services is passed around', t => {
  t.deepEqual(serviceBags(sources), [])
  const bag = planted({ 'modules/a/services/a.ts': 'interface Collaborators { readonly store: Store }' })
  t.deepEqual(serviceBags(bag), ['modules/a/services/a.ts declares Collaborators'])
})

test('only the public entry points re-export', t => {
  t.deepEqual(barrels(sources), [])
})

test('no file suppresses type errors or contains debug output', t => {
  t.deepEqual(suppressions(sources), [])
})

test('no literal is spread into the literal around it', t => {
  t.deepEqual(spreadLiterals(sourcesIn('kernel', 'services', 'modules', 'bin', 'testing', 'test', 'bench')), [])
  const spread = '...'
  for (const packed of [
    `f({ ${spread}{ a }, c })`,
    `f({\n  ${spread}{ a },\n})`,
    `f(${spread}[1], 3)`,
    `[${spread}[a, (b)]]`,
  ])
    t.is(spreadLiterals(planted({ 'kernel/a.ts': packed })).length, 1, packed)
  for (const used of [
    `[${spread}[a, b].map(f)]`,
    `({ ${spread}(a ? { b } : {}) })`,
    `[${spread}([a] as const).map(f)]`,
    `[${spread}(a ? [b] : [])]`,
    `({ ${spread}a })`,
  ])
    t.deepEqual(spreadLiterals(planted({ 'kernel/a.ts': used })), [], used)
})

test('a route with its own unit of work gives the reason beside it', t => {
  t.deepEqual(ownUnitsWithoutReason(sources), [])
  const route = (before: string) => planted({ 'modules/a/routes/a.ts': `${before}\n  unit: 'own',` })
  t.deepEqual(ownUnitsWithoutReason(route("allow: 'public',")), ['modules/a/routes/a.ts:2'])
  t.deepEqual(ownUnitsWithoutReason(route('// Takes seconds.')), [])
})

test('one function ends every sign-in: nothing else inserts a login of a person or sets its cookie', t => {
  t.deepEqual(loginInserts(moduleSources).sort(), [
    // An operator who acts as a user, which has rules of its own.
    'modules/identity/sign-in/impersonation/impersonations.ts inserts logins',
    'modules/identity/sign-in/login-inserts.ts inserts logins',
    'modules/identity/sign-in/sign-in-completion.ts imports login-inserts.ts',
    'modules/identity/sign-in/sign-in-completion.ts sets the cookie',
  ])
  for (const [code, rule] of [
    ['await loginTable.insert(unit, login)', 'inserts logins'],
    ['unit.query(`insert into identity_logins (id)`)', 'inserts logins'],
    ["import { createLoginInserts } from '../services/sign-in/login-inserts.ts'", 'imports login-inserts.ts'],
    ['return { headers: cookies.signedIn(secret) }', 'sets the cookie'],
  ] as const)
    t.deepEqual(loginInserts(planted({ 'modules/a/b.ts': code })), [`modules/a/b.ts ${rule}`])
})

test('modules take locks by their names', t => {
  // One statement with the settings of a claim.
  t.deepEqual(handmadeLocks(moduleSources), ['modules/webhooks/services/delivery-queue.ts'])
  const locking = 'unit.query("select pg_advisory_xact_lock(hashtext($1))", [id])'
  t.deepEqual(handmadeLocks(planted({ 'modules/a/services/a.ts': locking })), ['modules/a/services/a.ts'])
})

test('a module or a service lists each column that it encrypts', t => {
  t.deepEqual(undeclaredSealedColumns(sources), [])
  const storing = {
    'modules/a/services/b.ts': 'const values = sealedValues({ secrets, log }, B_COLUMN)',
    'modules/a/services/c.ts': 'const values = sealedValues(deps, C_COLUMN)',
    'modules/a/services/d.ts': "secrets.encrypt('purpose', text)",
    'modules/a/module.ts': 'sealedColumns: () => [B_COLUMN],',
  }
  t.deepEqual(undeclaredSealedColumns(planted(storing)), [
    'modules/a/services/c.ts seals C_COLUMN, which is not in sealedColumns',
    'modules/a/services/d.ts calls secrets.encrypt',
  ])
})

test('no module wakes workers', t => {
  t.deepEqual(wakesWorkers(moduleSources), [])
  t.deepEqual(wakesWorkers(planted({ 'modules/a/services/a.ts': 'events.wakeWorkers()' })), ['modules/a/services/a.ts'])
})

test('nothing uses a package past its public interface', t => {
  t.deepEqual(privateHandles(sources), PRIVATE_HANDLES)
  for (const handle of [
    'Strategy.prototype.authenticate.call(this)',
    'Reflect.get(log, symbols.streamSym)',
    "Symbol.for('undici.globalDispatcher.1')",
    'new (handlebars as unknown as { Compiler: new () => Compiler }).Compiler()',
    'zip.readEntryCursor as unknown as number',
  ])
    t.is(privateHandles(planted({ 'modules/a/services/a.ts': handle })).length, 1, handle)
  for (const own of ["Symbol.for('larder.reply')", 'Object.prototype.hasOwnProperty', 'rows as unknown as Row[]'])
    t.deepEqual(privateHandles(planted({ 'modules/a/services/a.ts': own })), [], own)
})

test('services of modules name the results of several statements', t => {
  t.deepEqual(positionalResults(serviceSources), [])
  const using = (statement: string) => planted({ 'modules/a/services/a.ts': statement })
  t.deepEqual(positionalResults(using('const [, found] = await unit.all([a, b])')), [
    'modules/a/services/a.ts: [, found]',
  ])
  t.deepEqual(positionalResults(using('const [own, all] = await Promise.all([a, b])')), [
    'modules/a/services/a.ts: [own, all]',
  ])
  t.deepEqual(positionalResults(using('const [lock, ...results] = await unit.all(steps)')), [])
})

test('a statement with more than six values names them', t => {
  t.deepEqual(numberedValues(sourcesIn('kernel', 'services', 'modules', 'bin', 'testing', 'examples')), [])
  const using = (text: string) => numberedValues(planted({ 'modules/a/services/a.ts': text }))
  t.deepEqual(using('insert into a values ($1, $6, $7::text, $7, $12)'), [
    'modules/a/services/a.ts: $7',
    'modules/a/services/a.ts: $12',
  ])
  t.deepEqual(using('insert into a values ($1, $6, $name) -- $$7 a$7'), [])
})

test('modules write records with their tables, not column by column', t => {
  t.deepEqual(handwrittenInserts(moduleSources), [])
  const using = (text: string) => handwrittenInserts(planted({ 'modules/a/services/a.ts': text }))
  for (const text of [
    "unit.query('insert into a_items (id, title) values ($1, $2)', [id, title])",
    'const A = statement(`insert into a_items\n  (id,\n title)\n  values ($id, $title) on conflict do nothing`)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
    "unit.query(`insert into a_items (${COLUMNS}) values ($1, now() + interval '1 day')`)",
    'unit.query(`\n INSERT INTO a_items (id, total) VALUES ($1, $2) on conflict (id) do update set total = excluded.total`)',
  ])
    t.deepEqual(using(text), ['modules/a/services/a.ts inserts into a_items'], text)
  for (const text of [
    "unit.query('insert into a_marks (id) values ($1) on conflict do nothing', [id])",
    'unit.query(`insert into a_items (id, title) select id, title from a_others`)',
    'unit.query(`with c as (select 1) insert into a_items (id, seq) values ($1, (select seq from c))`)',
    'unit.query(`insert into a_totals (id, total) values ($1, 1) on conflict (id) do update set total = a_totals.total + 1`)',
    'unit.query(`insert into a_totals as t (id, n) values ($1, 1) on conflict (id) do update set n = t.n + excluded.n`)',
    '// insert into a_items (id, title) values ($1, $2)',
  ])
    t.deepEqual(using(text), [], text)
})

test('a comment has a subject', t => {
  t.deepEqual(withoutSubject(sourcesIn('kernel', 'services', 'modules', 'bin', 'testing', 'examples')), [])
  const found = (text: string, path = 'modules/a/domain/a.ts') => withoutSubject(planted({ [path]: text })).length
  for (const comment of ['/** Of a plan. */', '/**\n * For the export.\n */', '  // For it', 'const a = 1 // Of b'])
    t.is(found(comment), 1, comment)
  for (const comment of ['/** A plan\n * For it. */', '  // A plan.\n  // For it.', "'http://For'", '/** Offers. */'])
    t.is(found(comment), 0, comment)
  t.is(found('/** For the export. */', 'modules/a/migrations/0002-a.ts'), 0)
})

test('several statements are sent with `unit.all`, not with `together`', t => {
  t.deepEqual(togetherOverStatements(sources), [])
  const using = (text: string) => togetherOverStatements(planted({ 'modules/a/services/a.ts': text }))
  t.deepEqual(using("together({ lock: unit.query('a', [b, c]), row: unit.query<Row>(`d`) })"), [
    'modules/a/services/a.ts: lock, row',
  ])
  t.deepEqual(using("together({ lock: unit.query('a'), user: users.get(id) })"), [])
})

test('each PostgreSQL connection has an error listener', t => {
  t.deepEqual(withoutErrorListener(sources), [])
  t.deepEqual(withoutErrorListener(sourcesIn('test')), [])
  const opened = `const client = new pg.${'Client'}(url)`
  t.is(withoutErrorListener(planted({ 'kernel/a.ts': opened })).length, 1)
  t.is(withoutErrorListener(planted({ 'kernel/a.ts': `${opened}\nclient.on('error', log)` })).length, 0)
})

test('tests end connections to their own database only', t => {
  // System tests start servers of their own.
  const tests = new Map([...sourcesIn('test')].filter(([path]) => !path.endsWith('.system.test.ts')))
  t.deepEqual(terminatesForeignConnections(tests), [])
  const ending = `select pg_terminate_backend(${'pid'}) from pg_stat_activity`
  t.deepEqual(terminatesForeignConnections(planted({ 'test/a.ts': ending })), ['test/a.ts'])
  const own = `${ending} where datname = current_database()`
  t.deepEqual(terminatesForeignConnections(planted({ 'test/a.ts': own })), [])
})

test('only test files import `test`', t => {
  t.deepEqual(importsTest(sourcesIn('test')), [])
  t.deepEqual(importsTest(planted({ 'test/cases.ts': "import test from 'ava'" })), ['test/cases.ts'])
})

test('the audited list contains every unit of work across tenants and its reasons', t => {
  const found = Object.fromEntries([...crossTenantPlaces(sources)].sort(([a], [b]) => (a < b ? -1 : 1)))
  t.deepEqual(found, CROSS_TENANT_PLACES)
  t.deepEqual(
    Object.entries(found).filter(([, reasons]) => reasons.includes('?')),
    [],
  )
})

test('the audited list contains every file with memory that is bounded by hand', t => {
  t.deepEqual(
    boundedMemory(sources).filter(path => !(path in BOUNDED_MEMORY)),
    [],
  )
})

const FORBIDDEN: readonly (readonly [from: string, to: string, target?: string])[] = [
  ['kernel/base/a.ts', '../contract/index.ts', 'kernel/contract/index.ts'],
  ['kernel/contract/a.ts', '../recipe/index.ts', 'kernel/recipe/index.ts'],
  ['kernel/recipe/a.ts', '../runtime/index.ts', 'kernel/runtime/index.ts'],
  ['kernel/recipe/a.ts', '../base/units.ts', 'kernel/base/units.ts'],
  ['kernel/contract/a.ts', '../records/index.ts', 'kernel/records/index.ts'],
  ['kernel/recipe/a.ts', '../records/index.ts', 'kernel/records/index.ts'],
  ['kernel/runtime/a.ts', '../records/index.ts', 'kernel/records/index.ts'],
  ['kernel/runtime/a.ts', '../../services/bus/ports.ts', 'services/bus/ports.ts'],
  ['kernel/runtime/a.ts', '../../modules/forms/ports.ts', 'modules/forms/ports.ts'],
  ['kernel/runtime/a.ts', '../../bin/program.ts', 'bin/program.ts'],
  ['kernel/runtime/a.ts', '@larder-dev/larder/kernel'],
  ['kernel/contract/a.ts', 'express'],
  ['kernel/contract/a.ts', 'pg'],
  ['kernel/contract/a.ts', 'sequelize'],
  ['kernel/contract/a.ts', 'ws'],
  ['kernel/base/a.ts', 'node:dns/promises'],
  ['kernel/base/a.ts', 'node:tls'],
  ['kernel/records/a.ts', 'undici'],
  ['services/http/a.ts', '../jobs/ports.ts', 'services/jobs/ports.ts'],
  ['services/http/a.ts', '../../modules/forms/ports.ts', 'modules/forms/ports.ts'],
  ['services/http/a.ts', '../../kernel/index.ts', 'kernel/index.ts'],
  ['modules/forms/routes/a.ts', '../../content/ports.ts', 'modules/content/ports.ts'],
  ['modules/forms/a.ts', '../../services/http/ports.ts', 'services/http/ports.ts'],
  ['modules/forms/a.ts', '../../kernel/base/index.ts', 'kernel/base/index.ts'],
  ['modules/forms/a.ts', '@larder-dev/larder/kernel/testing'],
  ['bin/a.ts', '../kernel/recipe/check.ts', 'kernel/recipe/check.ts'],
  ['bin/a.ts', '../services/http/server.ts', 'services/http/server.ts'],
  ['bin/a.ts', '../services/http/service.ts', 'services/http/service.ts'],
  ['bin/a.ts', '../modules/forms/module.ts', 'modules/forms/module.ts'],
  ['testing/a.ts', '../kernel/runtime/kernel.ts', 'kernel/runtime/kernel.ts'],
]
for (const [from, to, target = to] of FORBIDDEN)
  test(`rejects a planted import of ${to} in ${from}`, t => {
    t.deepEqual(forbiddenImports(importing(from, to)), [`${from} imports ${target}`])
  })

const ALLOWED = [
  ['kernel/contract/a.ts', '../base/index.ts'],
  ['kernel/runtime/plan/a.ts', '../../recipe/index.ts'],
  ['kernel/runtime/plan/a.ts', '../settings.ts'],
  ['kernel/records/a.ts', '../contract/index.ts'],
  ['kernel/index.ts', './contract/index.ts'],
  ['services/http/a.ts', '@larder-dev/larder/kernel'],
  ['services/http/a.ts', 'express'],
  ['modules/forms/routes/a.ts', '../domain/b.ts'],
  ['bin/composition.ts', '../services/bus/service.ts'],
  ['bin/a.ts', '../kernel/recipe/index.ts'],
  ['testing/index.ts', '../bin/composition.ts'],
] as const
for (const [from, to] of ALLOWED)
  test(`allows ${from} to import ${to}`, t => {
    t.deepEqual(forbiddenImports(importing(from, to)), [])
  })

test('an exception allows exactly one import', t => {
  const files = importing('bin/a.ts', '../services/http/server.ts')
  t.deepEqual(forbiddenImports(files, ['bin/a.ts imports services/http/server.ts']), [])
  t.is(forbiddenImports(files, ['bin/b.ts imports services/http/server.ts']).length, 1)
})

test('finds a planted cycle of files and of packages, type imports included', t => {
  const ring = planted({
    'kernel/base/a.ts': `import { b } from '../contract/b.ts'`,
    'kernel/contract/b.ts': `import type { c } from '../recipe/c.ts'`,
    'kernel/recipe/c.ts': `export type A = import('../base/a.ts').A`,
    'kernel/recipe/d.ts': `import { a } from '../base/a.ts'`,
  })
  t.deepEqual(fileCycles(ring), [['kernel/base/a.ts', 'kernel/contract/b.ts', 'kernel/recipe/c.ts']])
  t.deepEqual(packageCycles(ring), [['kernel/base', 'kernel/contract', 'kernel/recipe']])
  const entry = planted({
    'kernel/index.ts': `export * from '../services/bus/service.ts'`,
    'services/bus/service.ts': `import { defineService } from '@larder-dev/larder/kernel'`,
  })
  t.deepEqual(fileCycles(entry), [['kernel/index.ts', 'services/bus/service.ts']])
})

test('finds a planted import of a higher layer and of another area of the console', t => {
  const app = 'modules/console/app'
  for (const [from, to] of [
    ['data/a.ts', '../components/B.tsx'],
    ['components/A.tsx', '../resource/B.tsx'],
    ['resource/A.tsx', '../screens/registry.ts'],
    ['resource/A.tsx', '../shell/B.tsx'],
    ['screens/forms/A.tsx', '../registry.ts'],
    ['screens/forms/A.tsx', '../media/B.tsx'],
    ['unknown/a.ts', '../data/b.ts'],
  ] as const)
    t.is(upwardImports(importing(`${app}/${from}`, to)).length, 1, `${from} imports ${to}`)
  for (const [from, to] of [
    ['screens/forms/A.tsx', './B.tsx'],
    ['screens/forms/A.tsx', '../../public.ts'],
    ['shell/A.tsx', '../screens/registry.ts'],
    ['shared.ts', './public.ts'],
  ] as const)
    t.deepEqual(upwardImports(importing(`${app}/${from}`, to)), [], `${from} imports ${to}`)
})

test('finds a planted import of a shipped screen that no screen of a team could have', t => {
  const area = 'modules/console/app/screens/forms'
  for (const [from, to] of [
    ['A.tsx', '../../data/api.ts'],
    ['A.tsx', '../../data/local-text.ts'],
    ['A.tsx', '../media/B.tsx'],
    ['A.tsx', '@tanstack/react-query'],
    ['a.ts', '../../data/api.ts'],
    ['a.ts', '../../data/local-text.ts'],
    ['a.ts', '../../data/api-types.ts'],
    ['a.ts', '../../pure.ts'],
    ['a.ts', '../../../../../kernel/base/folding.ts'],
    ['a.ts', '@larder-dev/larder/kernel'],
  ] as const)
    t.is(beyondPublic(importing(`${area}/${from}`, to)).length, 1, `${from} imports ${to}`)
  for (const [from, to] of [
    ['A.tsx', '../../public.ts'],
    ['A.tsx', './B.tsx'],
    ['A.tsx', 'react'],
    ['a.ts', '@larder-dev/larder/console'],
  ] as const)
    t.deepEqual(beyondPublic(importing(`${area}/${from}`, to)), [], `${from} imports ${to}`)
})

test('finds a planted global style sheet, and planted classes without a definition or a use', t => {
  const folder = 'modules/console/app/components'
  const sheets = planted({
    [`${folder}/card.css`]: '.card {}\n.tone, .gone { color: red }\n.cm-line {}',
    [`${folder}/Card.module.css`]: '.card:hover > :global(.button) {}\n@media (width < 9px) { .old {} }',
  })
  const component = `import styles from './Card.module.css'\nconst Card = <p className={styles.card}>{styles.big}</p>`
  const computed = "const Card = <p className={isOpen ? 'card tone' : 'card'} />"
  t.deepEqual(unusedGlobals(planted({ [`${folder}/Old.tsx`]: computed }), sheets), [
    `${folder}/card.css has .gone, which nothing uses`,
  ])
  t.deepEqual(globalStyles(sheets), [`${folder}/card.css`])
  t.deepEqual(mismatchedStyles(planted({ [`${folder}/Card.tsx`]: component }), sheets), [
    `${folder}/Card.module.css lacks .big`,
    `${folder}/Card.module.css has .old, which nothing uses`,
  ])
})

test('finds planted names of modules, paths and tables in the kernel', t => {
  const lines = [
    `const a = 'identity'`,
    `const b = '/v1/auth/register'`,
    `redirect('/sign-in')`,
    `allow: 'identity.member.read'`,
    'query(`select 1 from tenants`)',
    `const modules = ['platform']`,
    `type Scope = 'tenant' | 'platform'`,
    `// 'identity' in a comment`,
  ]
  t.deepEqual(
    moduleNamesInKernel(planted({ 'kernel/a.ts': lines.join('\n') }), ['identity', 'platform'], ['tenants']),
    [
      'kernel/a.ts: identity',
      'kernel/a.ts: /v1/auth/register',
      'kernel/a.ts: /sign-in',
      'kernel/a.ts: identity.member.read',
      'kernel/a.ts: select 1 from tenants',
      'kernel/a.ts: platform',
    ],
  )
})

const UPWARD = [
  ['modules/forms/services/a.ts', '../routes/forms.ts'],
  ['modules/forms/services/a.ts', '../recipe/apply.ts'],
  ['modules/forms/services/a.ts', '../services.ts'],
  ['modules/forms/records/a.ts', '../realtime/forms.ts'],
  ['modules/forms/domain/a.ts', '../services/forms.ts'],
  ['modules/forms/routes/a.ts', '../pages/forms.ts'],
  ['modules/forms/recipe/a.ts', '../routes/forms.ts'],
  ['modules/forms/listeners.ts', './routes/forms.ts'],
  ['modules/forms/events.ts', './routes/forms.ts'],
  ['modules/identity/users/users.ts', './routes/account.ts'],
  ['modules/identity/workspaces/tenants.ts', './routes.ts'],
  ['modules/identity/sign-in/routes/auth.ts', '../codes/pages.ts'],
  ['modules/identity/sign-in/codes/records.ts', './email-codes.ts'],
  ['modules/identity/sign-in/logins.ts', '../services.ts'],
] as const
for (const [from, to] of UPWARD)
  test(`finds a planted import of ${to} in ${from}`, t => {
    t.is(upwardInModules(importing(from, to)).length, 1)
  })

test('imports of the same layer, of a lower one and of the sections of the recipe are not upward', t => {
  for (const [from, to] of [
    ['modules/forms/pages/a.ts', '../routes/forms.ts'],
    ['modules/forms/recipe/a.ts', '../services/forms.ts'],
    ['modules/forms/domain/a.ts', '../records/form.ts'],
    ['modules/forms/domain/a.ts', '../recipe/sections.ts'],
    ['modules/forms/services/a.ts', '../problems.ts'],
    ['modules/identity/sign-in/codes/pages.ts', '../email-codes.ts'],
    ['modules/identity/accounts/account.ts', '../sign-in/records/login.ts'],
  ] as const)
    t.deepEqual(upwardInModules(importing(from, to)), [], from)
})

test('finds planted files outside the module anatomy', t => {
  const paths = ['modules/a/module.ts', 'modules/a/services/b.ts', 'modules/a/helpers.ts', 'modules/a/lib/c.ts']
  t.deepEqual(outsideAnatomy(paths), ['modules/a/helpers.ts', 'modules/a/lib'])
})

test('finds planted migrations with a repeated or skipped number', t => {
  const paths = ['0001-a', '0002-b', '0002-c', '0004-d'].map(name => `modules/a/migrations/${name}.ts`)
  t.deepEqual(misnumberedMigrations([...paths, 'modules/b/migrations/0001-b.ts']), ['modules/a/migrations/0002-c.ts'])
})

test('finds planted values and derived types in ports.ts', t => {
  const files = planted({
    'modules/a/ports.ts': 'export const a = 1',
    'modules/b/ports.ts': 'export type B = ReturnType<typeof createB>',
    'modules/c/ports.ts': 'export interface C {}',
    'modules/d/services/ports.ts': 'export const d = 1',
  })
  t.deepEqual(concretePorts(files), [
    'modules/a/ports.ts exports a value',
    'modules/b/ports.ts derives a type with ReturnType',
  ])
})

test('finds a planted barrel and suppression', t => {
  const barrel = `/** All. */\nexport * from '../b/a.ts'\nexport { b } from '../b/b.ts'`
  t.is(barrels(planted({ 'modules/a/index.ts': barrel })).length, 1)
  t.is(barrels(planted({ 'kernel/base/index.ts': barrel })).length, 0)
  const lines = ['const a: any = 1', '// @ts-ignore', '// TODO later', 'try {} catch {}', 'console.log(1)']
  t.is(suppressions(planted({ 'kernel/a.ts': lines.join('\n') })).length, lines.length)
  t.is(suppressions(planted({ 'bin/a.ts': 'console.log(1)' })).length, 0)
})

test('finds planted memory that is bounded by hand', t => {
  const found = boundedMemory(
    planted({
      'modules/a/b.ts': 'if (seen.size >= MAX_SEEN) seen.clear()',
      'modules/a/c.ts': 'if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest)',
      'modules/a/d.ts': 'const seen = caches.keep(new Map())\nif (seen.size >= MAX_SEEN) seen.clear()',
      'modules/a/e.ts': 'if (seen.size > MAX_SEEN) throw problems.too_many()',
    }),
  )
  t.deepEqual(found, ['modules/a/b.ts', 'modules/a/c.ts'])
})

/** Tables of migrations, by the call that creates them. */
const tablesOf = (kind: RegExp): ReadonlySet<string> =>
  new Set(
    [...sources]
      .filter(([path]) => /\/migrations\/\d{4}-/.test(path))
      .flatMap(([, text]) => [...text.matchAll(kind)].flatMap(([, name]) => name ?? [])),
  )
const ofWorkspaces = tablesOf(/\b(?:tenantTable|sharedTable)\(\s*'(\w+)'/g)
const runningSources = new Map(
  [...sources].filter(
    ([path]) => /^(?:services|modules)\//.test(path) && !/\/migrations\/|\/console\/app\//.test(path),
  ),
)

test('the audited list has each table without workspaces', t => {
  const found = [...tablesOf(/\bsystemTable\(\s*'(\w+)'/g)]
  t.true(ofWorkspaces.size > 50 && found.length > 40)
  t.deepEqual(Object.keys(TABLES_WITHOUT_WORKSPACE).sort(), found.sort())
})

test('the audited list has each statement that does not name its workspace', t => {
  const { listed, missing, stale } = compareStatements(
    statementsIn(runningSources, ofWorkspaces),
    STATEMENTS_WITHOUT_WORKSPACE,
  )
  t.true(listed > 200)
  t.deepEqual(
    missing,
    [],
    'name the workspace, or add the beginning with its reason to statements-without-workspace.ts',
  )
  t.deepEqual(stale, [])
})

test('finds planted statements without a workspace', t => {
  const found = statementsIn(
    planted({
      'modules/a/services/a.ts': [
        "const A = 'delete from notes where id = $1' // delete from notes",
        `const pattern = /select from notes "/; const B = \`select \${columns} from notes where \${isOpen(\`x\`)} and id = $1\``,
        "const C = 'select from notes where tenant_id = $1'",
        'const D = "update others set a = 1"; const E = "notes"',
      ].join('\n'),
    }),
    new Set(['notes']),
  )
  t.deepEqual(
    found.filter(each => !namesWorkspace(each)).map(({ text }) => text),
    ['delete from notes where id = $1', 'select …columns from notes where … and id = $1'],
  )
  const starts = { 'modules/a/services/a.ts': { unit: ['delete from notes', 'select gone'] } }
  t.deepEqual(compareStatements(found, starts), {
    listed: 1,
    missing: ['modules/a/services/a.ts: select …columns from notes where … and id = $1'],
    stale: ['modules/a/services/a.ts: select gone'],
  })
})

test('finds planted units of work across tenants, with or without a reason', t => {
  const places = crossTenantPlaces(
    planted({
      'modules/a/b.ts': [
        `const WHY = 'applies to all'`,
        `// systemDatabase.acrossTenants(…)`,
        `systemDatabase.acrossTenants('no tenant at sign-in').query('select 1')`,
        `systemDatabase.acrossTenants('sweeps expired rows').query('')`,
        `systemDatabase.acrossTenants(WHY).query('')`,
        `systemDatabase.acrossTenants(why).query('')`,
      ].join('\n'),
      'modules/a/c.ts': 'database.tenant(id).query("select 1")',
    }),
  )
  t.deepEqual([...places], [['modules/a/b.ts', ['no tenant at sign-in', 'sweeps expired rows', 'applies to all', '?']]])
})

test('finds imports in every form', t => {
  const forms = [
    `import a from '../b/x.ts'`,
    `import type { A } from '../b/x.ts'`,
    `import '../b/x.ts'`,
    `export { a } from '../b/x.ts'`,
    `export type * from '../b/x.ts'`,
    `  const a = await import('../b/x.ts')`,
    `type A = import('../b/x.ts').A`,
    `import {\n  a,\n  b,\n} from '../b/x.ts'`,
  ]
  for (const form of forms) t.is(importsOf('kernel/a/a.ts', form)[0]?.to, 'kernel/b/x.ts', form)
})

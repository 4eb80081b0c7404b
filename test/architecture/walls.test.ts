import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { SYSTEM_PLACES } from './system-places.ts'
import { barrels, circles, excuses, importsOf, systemPlaces, tooLong, trespasses, unheard } from './walls.ts'

const sourcesIn = (...tops: string[]) =>
  new Map(
    tops.flatMap(top => {
      const folder = fileURLToPath(new URL(`${top}/`, packageRoot))
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(path => path.endsWith('.ts') && !path.endsWith('.d.ts'))
        .map(path => [`${top}/${path}`, readFileSync(`${folder}${path}`, 'utf8')] as const)
    }),
  )
const house = sourcesIn('kernel', 'modules', 'bin')
const planted = (files: Record<string, string>) => new Map(Object.entries(files))

test('a module imports the kernel and itself, the kernel itself alone, the command line no module', t => {
  t.true(house.size > 40)
  t.deepEqual(trespasses(house), [])
})

test('no files load each other in a circle', t => {
  t.deepEqual(circles(house), [])
})

test('no file only passes on what others export', t => {
  t.deepEqual(barrels(house), [])
})

test('no file is longer than 250 lines', t => {
  t.deepEqual(tooLong(house), [])
})

test('no file hides a mistake from the compiler, or work from its reader', t => {
  t.deepEqual(excuses(house), [])
})

test('no connection to PostgreSQL can end the process, nor that of a test', t => {
  t.deepEqual(unheard(house), [])
  t.deepEqual(unheard(sourcesIn('test')), [])
  const opened = `const client = new pg.${'Client'}(url)`
  t.is(unheard(planted({ 'kernel/a.ts': opened })).length, 1)
  t.is(unheard(planted({ 'kernel/a.ts': `${opened}\nclient.on('error', log)` })).length, 0)
})

test('every unit of work across tenants is in the list, with its reason', t => {
  const found = Object.fromEntries([...systemPlaces(house)].sort(([a], [b]) => a.localeCompare(b)))
  for (const [path, reasons] of Object.entries(found)) t.log(`${path}: ${reasons.join('; ')}`)
  t.deepEqual(found, SYSTEM_PLACES)
  for (const reasons of Object.values(found)) t.false(reasons.includes('?'))
})

test('a planted import through a wall is seen', t => {
  const seen = trespasses(
    planted({
      'kernel/a.ts': `import { b } from '../modules/b/module.ts'`,
      'kernel/b.ts': `export * from '../bin/larder.ts'`,
      'modules/c/service.ts': `import type { D } from '../d/ports.ts'\nimport {\n  e,\n} from '../house/e.ts'`,
      'modules/c/lazy.ts': `const d = await import('../d/service.ts')\nimport '../../kernel/contract.ts'`,
      'bin/f.ts': `import forms from '../modules/forms/module.ts'`,
    }),
  )
  t.deepEqual(seen, [
    'kernel/a.ts imports modules/b/module.ts',
    'kernel/b.ts imports bin/larder.ts',
    'modules/c/service.ts imports modules/d/ports.ts',
    'modules/c/lazy.ts imports modules/d/service.ts',
    'bin/f.ts imports modules/forms/module.ts',
  ])
})

test('a planted circle is seen, and one of types alone is none', t => {
  const ring = (word: string) =>
    planted({
      'kernel/a.ts': `import { b } from '../house/b.ts'`,
      'kernel/b.ts': `import { c } from '../house/c.ts'`,
      'kernel/c.ts': `import ${word}{ a } from '../house/a.ts'`,
    })
  t.deepEqual(circles(ring('')), ['kernel/a.ts → kernel/b.ts → kernel/c.ts → kernel/a.ts'])
  t.deepEqual(circles(ring('type ')), [])
})

test('a planted barrel, long file and excuse are seen', t => {
  t.is(
    barrels(
      planted({ 'kernel/index.ts': `/** All. */\nexport * from '../house/a.ts'\nexport { b } from '../house/b.ts'` }),
    ).length,
    1,
  )
  t.is(tooLong(planted({ 'kernel/long.ts': 'const a = 1\n'.repeat(251) })).length, 1)
  const lines = ['const a: any = 1', '// @ts-ignore', '// TODO later', 'try {} catch {}', 'console.log(1)']
  t.is(excuses(planted({ 'kernel/a.ts': lines.join('\n') })).length, lines.length)
  t.is(excuses(planted({ 'bin/a.ts': 'console.log(1)' })).length, 0)
})

test('a planted unit across tenants is seen, with its reason or without', t => {
  const places = systemPlaces(
    planted({
      'modules/a/b.ts': [
        `const WHY = 'one for all'`,
        `// database.system(…)`,
        `database.system('sign-in knows no tenant').query('select 1')`,
        `database.system(WHY).query('')`,
        `database.system(why).query('')`,
      ].join('\n'),
      'modules/a/c.ts': 'database.tenant(id).query("select 1")',
    }),
  )
  t.deepEqual([...places], [['modules/a/b.ts', ['sign-in knows no tenant', 'one for all', '?']]])
})

test('an import is found whatever its form', t => {
  const forms = [
    `import a from '../house/x.ts'`,
    `import type { A } from '../house/x.ts'`,
    `import '../house/x.ts'`,
    `export { a } from '../house/x.ts'`,
    `export type * from '../house/x.ts'`,
    `  const a = await import('../house/x.ts')`,
    `import {\n  a,\n  b,\n} from '../house/x.ts'`,
  ]
  for (const form of forms) t.is(importsOf('kernel/a.ts', form)[0]?.to, 'kernel/x.ts', form)
})

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import type { Sources } from './imports.ts'
import { INTERNAL_NAMES } from './internal-names.ts'

const read = (path: string): string => readFileSync(new URL(path, packageRoot), 'utf8')
const modules: Sources = new Map(
  readdirSync(fileURLToPath(new URL('modules/', packageRoot)), { recursive: true, encoding: 'utf8' })
    .map(path => `modules/${path}`.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.ts') || path.endsWith('.tsx'))
    .map(path => [path, read(path)]),
)

const listed = (): string[] =>
  INTERNAL_NAMES.flatMap(({ names }) =>
    Object.entries(names).flatMap(([module, each]) => each.map(name => `${module}: ${name}`)),
  ).sort()

/** `module: name`, for each name that a module imports from the entry for services. */
function internalImports(sources: Sources): string[] {
  const found = [...sources].flatMap(([path, text]) => {
    const [, module] = path.split('/')
    const imports = text.matchAll(/^import(?: type)?\s*\{([^}]*)\}\s*from\s*'@larder-dev\/larder\/kernel\/internal'/gm)
    return [...imports].flatMap(([, list = '']) => namesOf(list).map(name => `${module}: ${name}`))
  })
  return [...new Set(found)].sort()
}

const namesOf = (list: string): string[] =>
  list
    .split(',')
    .map(
      part =>
        part
          .replace(/\btype /, '')
          .split(' as ')[0]
          ?.trim() ?? '',
    )
    .filter(name => name !== '')

/** Names of the public entry without a line in the reference. */
const undocumented = (entry: string, reference: string): string[] =>
  [...entry.matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
    .flatMap(([, list = '']) => namesOf(list))
    .filter(name => !reference.includes(`\n| \`${name}\` | `))

test('modules import names for services only where the list gives a reason', t => {
  t.deepEqual(
    internalImports(modules).filter(found => !listed().includes(found)),
    [],
  )
  const planted = new Map([
    ['modules/a/b.ts', "import {\n  type Guard,\n  covers as c,\n} from '@larder-dev/larder/kernel/internal'"],
  ])
  t.deepEqual(internalImports(planted), ['a: Guard', 'a: covers'])
})

test('the list has no name that its module no longer imports', t => {
  const found = internalImports(modules)
  t.deepEqual(
    listed().filter(name => !found.includes(name)),
    [],
  )
})

test('modules import the whole of no entry', t => {
  const whole =
    /(?:import|export) (?:type )?\*.* from '@larder-dev\/larder\/kernel|\bimport\('@larder-dev\/larder\/kernel/
  t.deepEqual(
    [...modules].filter(([, text]) => whole.test(text)).map(([path]) => path),
    [],
  )
})

test('each exported name has a line in the reference', t => {
  const entry = read('kernel/index.ts')
  t.false(entry.includes('export *'))
  t.deepEqual(undocumented(entry, read('docs/reference/module-contract.md')), [])
  t.deepEqual(undocumented('export { a, type B }', '\n| `a` | value | The first. |'), ['B'])
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { checkFile, readSettings } from '../../../bin/composition.ts'
import { RecipeError } from '../../../kernel/recipe/index.ts'
import { describeRecipe } from '../../../kernel/runtime/describe-recipe.ts'
import { type LoadedEntry, loadFactories } from '../../../kernel/runtime/factories.ts'
import { serviceWiringProblems } from '../../../kernel/runtime/service-wiring.ts'
import { fake } from '../recipe/fixtures.ts'

type Factory = (deps: Record<string, { (): void; at: number }>) => unknown

async function problemsOf(spec: Record<string, unknown>) {
  const entry = { key: 'notes', module: fake({ name: 'notes', ...spec }), options: {}, sections: {}, source: 'larder' }
  return serviceWiringProblems(
    await loadFactories({ ...entry, optional: false }),
    (_entry: LoadedEntry, factory, view) => Reflect.apply(factory, undefined, [view]),
  )
}
const reads =
  (...names: string[]): Factory =>
  deps =>
    names.map(name => deps[name])

test('private services that need each other in a circle are one problem, with the path of the circle', async t => {
  const services = { store: reads('sender'), list: reads('store'), sender: reads('list') }
  const problems = await problemsOf({ services })
  t.deepEqual(
    problems.map(({ code, message }) => [code, message]),
    [['circular_services', 'Private services of "notes" need each other: store → sender → list → store']],
  )
})

test('a circle through a port of the module is a problem', async t => {
  const [problem] = await problemsOf({ services: { store: reads('notes') }, provides: { notes: reads('store') } })
  t.is(problem?.code, 'circular_services')
})

test('a service that reads another one only when it is called needs no circle', async t => {
  const store: Factory = deps => () => deps.sender?.()
  t.deepEqual(await problemsOf({ services: { store, sender: reads('store') } }), [])
})

test('a name that is neither a port nor a service is a problem that names the nearest one', async t => {
  const [problem] = await problemsOf({ needs: ['clock'], services: { store: reads('clokc', 'clock') } })
  t.is(problem?.code, 'unknown_dependency')
  t.regex(problem?.message ?? '', /"store" of "notes" needs "clokc"/)
  t.is(problem?.fix, 'Did you mean "clock"?')
})

test('a private service with the name of a port is a problem', async t => {
  const [problem] = await problemsOf({ needs: ['clock'], services: { clock: () => 1 } })
  t.is(problem?.code, 'duplicate_name')
})

test('a factory that throws on placeholders counts with what it read before', async t => {
  const store: Factory = ({ sender, clock }) => {
    if (sender && clock?.at !== 0) throw new Error('not the hour')
  }
  const [problem] = await problemsOf({ needs: ['clock'], services: { store, sender: reads('store') } })
  t.is(problem?.code, 'circular_services')
})

test('services that a function imports are examined, too', async t => {
  const [problem] = await problemsOf({ services: async () => ({ store: reads('stroe') }) })
  t.is(problem?.code, 'unknown_dependency')
})

/** A start examines only the definitions of others. */
test('the services and modules that ship with Larder have no such mistakes', async t => {
  const checked = await checkFile(resolve('recipes/full.yaml'), {})
  for (const entry of await Promise.all([...checked.services, ...checked.modules].map(loadFactories))) {
    const recipe = { ...checked, folder: dirname(checked.file), sections: entry.sections }
    const problems = serviceWiringProblems(entry, ({ options }, factory, view) =>
      Reflect.apply(factory, undefined, [view, options, recipe]),
    )
    t.deepEqual(problems, [], entry.key)
  }
})

const MODULE = (services: string) => `import { defineModule } from '@larder-dev/larder/kernel'
export default defineModule({ name: 'notes', services: { ${services} } })`

async function describe(t: ExecutionContext, services: string, extra = '') {
  const folder = mkdtempSync(join(tmpdir(), 'larder-services-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'modules/notes'), { recursive: true })
  writeFileSync(join(folder, 'modules/notes/module.js'), MODULE(services))
  const recipe = `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules:
  notes: { use: ./modules/notes${extra} }
`
  const file = join(folder, 'larder.yaml')
  writeFileSync(file, recipe)
  const env = { LARDER_DATA: join(folder, '.larder') }
  const checked = await checkFile(file, env)
  return describeRecipe({ checked, settings: readSettings(env), log: pino({ level: 'silent' }) })
}

test('mistakes are reported together, at the line where the recipe names the module, before anything is created', async t => {
  const services = '"a": ({ b }) => b, "b": ({ a }) => a, "c": ({ misspelled }) => misspelled'
  const error = await t.throwsAsync(describe(t, services), { instanceOf: RecipeError })
  t.deepEqual(
    error?.problems.map(({ code, line, path }) => [code, line, path]),
    [
      ['unknown_dependency', 4, 'modules.notes'],
      ['circular_services', 4, 'modules.notes'],
    ],
  )
})

test('an optional module with such a mistake is left out', async t => {
  const reports = await describe(t, '"a": ({ b }) => b, "b": ({ a }) => a', ', optional: true')
  t.regex(reports.find(({ name }) => name === 'notes')?.reason ?? '', /could not be wired: .*a → b → a/)
})

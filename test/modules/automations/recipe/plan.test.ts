/** What `plan` says about automations and their runs, and what `apply` does with them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { stringify } from 'yaml'
import { checkFile, readSettings } from '../../../../bin/composition.ts'
import { toolLog } from '../../../../bin/log.ts'
import { bootKernel, planRecipe } from '../../../../kernel/runtime/index.ts'
import type { TestKernel } from '../../../../testing/index.ts'
import { connectOwner } from '../../collections/fixtures.ts'
import { deskRecipe, startDesk } from '../fixtures.ts'

type Automations = Readonly<Record<string, object>>
const waiting = (text = 'late') => ({
  on: 'collections.tickets.created',
  steps: [{ wait: '2d' }, { 'desk.note': { text } }],
})

/** Plans and applies changed recipes on the database of a kernel. */
function changes(t: ExecutionContext, kernel: TestKernel) {
  const folder = mkdtempSync(join(tmpdir(), 'larder-automations-plan-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const env = {
    DATABASE_URL: kernel.databaseUrl,
    LARDER_SECRET: 'a secret that only tests may know of',
    LARDER_DATA: join(folder, '.larder'),
  }
  const log = toolLog('silent')
  async function check(automations: Automations, fields: object) {
    const product = { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080' }
    const recipe = { recipe: 1, product, ...deskRecipe(automations) }
    const tickets = { ...recipe.collections.tickets, fields: { ...recipe.collections.tickets.fields, ...fields } }
    const file = join(folder, 'recipe.yaml')
    writeFileSync(file, stringify({ ...recipe, collections: { ...recipe.collections, tickets } }))
    return checkFile(file, env)
  }
  return {
    async plan(automations: Automations, fields: object = {}) {
      const planned = await planRecipe({ checked: await check(automations, fields), settings: readSettings(env), log })
      return planned.changes.filter(({ of }) => of === 'automations').map(({ of: _, ...change }) => change)
    },
    async apply(automations: Automations, answers: Readonly<Record<string, string>> = {}) {
      const checked = await check(automations, {})
      const settings = readSettings(env)
      const migrated = await bootKernel({ checked, settings, role: 'migrate', confirmed: true, answers, log, env })
      await migrated.stop()
    },
  }
}
async function open(t: ExecutionContext, automations: Automations, tickets: readonly object[]) {
  const kernel = await startDesk(automations)
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  for (const ticket of tickets) await ada.post('/v1/data/tickets', ticket)
  await kernel.automations.settle()
  return kernel
}
const statesOf = async (kernel: TestKernel) =>
  (await kernel.automations.runs()).map(({ automation, state }) => `${automation} ${state}`)

test('plan counts the open runs of a removed automation, and apply cancels them if the operator says so', async t => {
  const kernel = await open(t, { gone: waiting(), kept: waiting() }, [{ title: 'a' }, { title: 'b' }])
  const { plan, apply } = changes(t, kernel)
  t.deepEqual(await plan({ gone: waiting(), kept: waiting() }), [])
  t.deepEqual(await plan({ kept: waiting() }), [
    {
      change: 'remove',
      subject: 'automation gone',
      detail: 'has 2 open runs',
      asks: {
        key: 'automations.gone',
        question: '2 open runs of automation gone',
        answers: [
          { value: 'finish', title: 'let them finish' },
          { value: 'cancel', title: 'cancel them' },
        ],
      },
    },
  ])
  await apply({ kept: waiting() })
  t.deepEqual((await statesOf(kernel)).sort(), ['gone waiting', 'gone waiting', 'kept waiting', 'kept waiting'])
  await apply({ kept: waiting() }, { 'automations.gone': 'cancel' })
  t.deepEqual((await statesOf(kernel)).sort(), ['gone cancelled', 'gone cancelled', 'kept waiting', 'kept waiting'])
  t.deepEqual(await plan({ kept: waiting() }), [])
})

test('a renamed automation keeps its runs, and a changed one the definition of those that are open', async t => {
  const kernel = await open(t, { former: waiting() }, [{ title: 'a' }])
  const { plan, apply } = changes(t, kernel)
  t.deepEqual(await plan({ former: waiting('changed') }), [
    { change: 'change', subject: 'automation former', detail: 'its former definition holds for 1 open run' },
  ])
  const renamed = { later: { ...waiting(), was: 'former' }, added: waiting() }
  t.deepEqual(await plan(renamed), [
    {
      change: 'change',
      subject: 'automation later',
      detail: 'renamed from former; its former definition holds for 1 open run',
    },
    { change: 'add', subject: 'automation added' },
  ])
  await apply(renamed)
  t.deepEqual(await statesOf(kernel), ['later waiting'])
  await apply(renamed)
  t.deepEqual(await statesOf(kernel), ['later waiting'])
  t.deepEqual(await plan(renamed), [])
})

test('plan names what open runs need and the recipe no longer has', async t => {
  const uses = {
    on: 'collections.tickets.created',
    steps: [{ wait: '2d' }, { 'desk.note': { text: '{{row.secret}}' } }],
  }
  const kernel = await open(t, { uses }, [{ title: 'a' }])
  const { plan } = changes(t, kernel)
  const found = await plan({ uses: waiting() }, { secret: undefined })
  const [runs] = found.filter(({ subject }) => subject === 'runs of automation uses')
  t.is(runs?.change, 'change')
  t.is(runs?.detail, `1 open run can't finish: row has no field "secret"`)
  t.is(runs?.asks?.key, 'automations.uses')
})

test('apply deletes the schedules and moments that the recipe no longer has', async t => {
  const remind = (by: string) => ({
    before: { field: 'tickets.due', by },
    steps: [{ 'desk.note': { text: 'due' } }],
  })
  const kernel = await open(t, { kept: remind('1h'), gone: remind('1h'), changed: remind('1h') }, [
    { title: 'a', due: '2099-05-01T10:00:00Z' },
  ])
  await kernel.settled()
  const owner = await connectOwner(t, kernel.databaseUrl)
  await changes(t, kernel).apply({ kept: remind('1h'), changed: remind('2h') })
  for (const table of ['dates', 'schedules'])
    t.deepEqual(
      await owner.query(`select automation from automations_${table} where automation <> 'changed' order by 1`),
      [{ automation: 'kept' }],
      table,
    )
  t.is((await owner.query(`select 1 from automations_dates where automation = 'changed'`)).length, 0)
  t.is((await owner.query(`select 1 from automations_schedules where automation = 'changed'`)).length, 1)
})

test('plan counts the moments of existing rows', async t => {
  const due = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const kernel = await open(t, {}, [
    { title: 'a', due: due(5) },
    { title: 'b', due: due(6) },
    { title: 'past', due: due(-5) },
    { title: 'none' },
  ])
  const { plan } = changes(t, kernel)
  const remind = { before: { field: 'tickets.due', by: '1h' }, steps: [{ 'desk.note': { text: 'due' } }] }
  t.deepEqual(await plan({ remind }), [
    { change: 'add', subject: 'automation remind', detail: 'plans 2 moments of existing rows' },
  ])
})

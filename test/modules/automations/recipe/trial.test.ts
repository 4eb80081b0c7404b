/** What automations would do with a sample, without a database. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { stringify } from 'yaml'
import { checkFile, readSettings } from '../../../../bin/composition.ts'
import { toolLog } from '../../../../bin/log.ts'
import type { Ports } from '../../../../kernel/index.ts'
import { inspectRecipe } from '../../../../kernel/runtime/index.ts'
import { deskRecipe } from '../fixtures.ts'

type Tools = Ports['automations']

interface Given {
  readonly env?: Readonly<Record<string, string>>
  readonly modules?: object
}

/** Calls `use` with the ports of a recipe with these automations. */
async function withPorts<T>(
  t: ExecutionContext,
  automations: Readonly<Record<string, object>>,
  use: (ports: Readonly<Ports>) => T,
  { env = {}, modules = {} }: Given = {},
): Promise<Awaited<T>> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-trial-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'recipe.yaml')
  const desk = deskRecipe(automations)
  const product = { key: 'acme', name: 'Acme', publicUrl: 'http://localhost:8080' }
  writeFileSync(file, stringify({ recipe: 1, product, ...desk, modules: { ...desk.modules, ...modules } }))
  const checked = await checkFile(file, env)
  return await inspectRecipe({ checked, settings: readSettings(env), log: toolLog('silent') }, use)
}
const withTools = <T>(
  t: ExecutionContext,
  automations: Readonly<Record<string, object>>,
  use: (tools: Tools) => Promise<T>,
  given?: Given,
) => withPorts(t, automations, ports => use(ports.automations), given)

const created = { on: 'collections.tickets.created' }
const note = (text: string) => ({ 'desk.note': { text } })
const event = (row: object, more: object = {}) => ({
  type: 'collections.tickets.created',
  payload: { row, ...more },
})
const rejection = async (t: ExecutionContext, work: () => unknown): Promise<string> =>
  (await t.throwsAsync(async () => work()))?.message ?? ''

test('a trial prints the inputs of steps with the values of the sample', async t => {
  const steps = [
    { ...note('{{row.title}} of {{workspace.name}}'), as: 'made' },
    { wait: '36h' },
    { ask: { role: 'tenant.owner', text: 'Close {{row.title}}?', choices: ['close', 'keep'] }, as: 'answer' },
    { 'desk.close': { ticket: '$row' }, when: { 'steps.answer.choice': 'close' } },
    { ...note('kept {{steps.made.id}}'), when: { 'steps.answer.choice': 'keep' } },
    { 'desk.note': { text: 'tag {{item}}' }, each: '$row.tags' },
  ]
  const trial = await withTools(t, { all: { ...created, steps } }, tools =>
    tools.test('all', {
      event: event({ id: 'tic_1', title: 'Broken', tags: ['a', 'b'] }),
      steps: { answer: { choice: 'keep' }, made: { id: 'note 7' } },
    }),
  )
  t.true(trial.starts)
  t.deepEqual(
    trial.steps.map(({ action, state, input }) => ({ action, state, input })),
    [
      { action: 'desk.note', state: 'done', input: { text: 'Broken of Example' } },
      { action: 'wait', state: 'done', input: { for: '36h' } },
      {
        action: 'ask',
        state: 'done',
        input: { role: 'tenant.owner', text: 'Close Broken?', choices: ['close', 'keep'], timeout: '7d' },
      },
      { action: 'desk.close', state: 'passed', input: undefined },
      { action: 'desk.note', state: 'done', input: { text: 'kept note 7' } },
      { action: 'desk.note', state: 'done', input: [{ text: 'tag a' }, { text: 'tag b' }] },
    ],
  )
})

test('a trial invents what a step returns and assumes the first answer', async t => {
  const steps = [
    { ...note('x'), as: 'made' },
    { ask: { role: 'tenant.owner', text: 'Well?', choices: ['first', 'second'] }, as: 'answer' },
    note('{{steps.made.id}} {{steps.answer.choice}}'),
  ]
  const { steps: tried } = await withTools(t, { all: { ...created, steps } }, tools =>
    tools.test('all', event({ title: 'x' })),
  )
  t.regex(String((tried[2]?.input as { text: string } | undefined)?.text), /^\w{26} first$/)
})

test('a trial says why a sample starts nothing', async t => {
  const automations = {
    high: { ...created, when: { 'row.priority': 'high' }, steps: [note('x')] },
    changed: { on: 'collections.tickets.updated', changed: ['status'], steps: [note('x')] },
  }
  await withTools(t, automations, async tools => {
    const reasonOf = async (key: string, sample: object) => (await tools.test(key, sample)).reason
    t.is(
      await reasonOf('high', event({ title: 'x', priority: 'low' })),
      `The condition row.priority: "high" doesn't match: row.priority is "low"`,
    )
    t.is(
      await reasonOf('high', event({ title: 'x', priority: 'high' }, { bulk: true })),
      'Imported, seeded and restored rows start it only with imports: true',
    )
    t.is(
      await reasonOf('changed', { type: 'collections.tickets.updated', payload: { row: {}, changed: ['title'] } }),
      'None of the fields status has changed',
    )
  })
})

test('a trial ends at a step that would fail, with the mistake', async t => {
  const automations = {
    row: { ...created, steps: [{ 'desk.close': { ticket: '$row' } }, note('{{row.title}}'), note('never')] },
    list: { ...created, steps: [{ ...note('{{item}}'), each: '$row.tags' }] },
    fields: {
      ...created,
      steps: [{ 'collections.create': { collection: 'notes', values: { text: '$row.title' } } }],
    },
    time: { ...created, steps: [{ wait: { until: '$row.due' } }] },
  }
  await withTools(t, automations, async tools => {
    const lastOf = async (key: string, row: object) => (await tools.test(key, event(row))).steps.at(-1)
    const { position, state, detail } = (await lastOf('row', { title: 'x'.repeat(300) })) ?? {}
    t.deepEqual({ position, state }, { position: 1, state: 'failed' })
    t.regex(String(detail), /^text .*200/)
    t.is((await lastOf('list', { tags: 'none' }))?.detail, '$row.tags is no list')
    t.regex(String((await lastOf('fields', {}))?.detail), /^values\.text /)
    t.is((await lastOf('time', {}))?.detail, '$row.due is no time')
  })
})

test('a trial shows no values of the environment and no secret outputs', async t => {
  const steps = [
    { 'desk.token': {}, as: 'made' },
    { 'desk.call': { text: `\${DESK_TOKEN} {{steps.made.token}}` } },
    { 'desk.echo': { text: '{{steps.made.token}}' } },
  ]
  const trial = await withTools(
    t,
    { secret: { ...created, steps } },
    tools => tools.test('secret', event({ title: 'x' })),
    { env: { DESK_TOKEN: 'very-secret-value' } },
  )
  t.notRegex(JSON.stringify(trial), /very-secret/)
  t.deepEqual(
    trial.steps.map(({ input }) => input),
    [{}, { text: '[redacted]' }, { text: '[redacted]' }],
  )
})

test('a trial names each mistake in a sample', async t => {
  const automations = {
    created: { ...created, steps: [{ ...note('x'), as: 'made' }] },
    refund: {
      button: {
        on: 'tickets',
        label: 'Refund',
        roles: ['tenant.owner'],
        input: { amount: { type: 'integer', required: true } },
      },
      steps: [note('{{input.amount}}')],
    },
  }
  await withTools(t, automations, async tools => {
    const wrong = (sample: unknown, key = 'created') => rejection(t, () => tools.test(key, sample))
    t.regex(await wrong({}, 'creatd'), /^Unknown automation "creatd"\. Did you mean "created"\?$/)
    t.regex(await wrong([]), /^The sample must be an object\. To print a sample, run larder automation samples created/)
    t.regex(await wrong({}), /^event is missing/)
    t.regex(await wrong({ evnt: {} }), /Unknown key "evnt"\. Did you mean "event"\?/)
    t.regex(
      await wrong({ type: 'collections.tickets.creatd', payload: {} }),
      /starts with collections\.tickets\.created, not with collections\.tickets\.creatd\. Did you mean/,
    )
    t.regex(await wrong(event({ title: 'x', count: 'many' })), /^event\.payload\.row\.count must be a whole number/m)
    t.regex(await wrong(event({ titel: 'x' })), /^event\.payload\.row\.titel .*did you mean "title"/m)
    t.regex(await wrong({ event: event({}), row: { secret: 7 } }), /^row\.secret must be/m)
    t.regex(await wrong({ event: event({}), steps: { mad: {} } }), /No step has the name "mad"\. Did you mean "made"\?/)
    t.regex(await wrong({ row: {}, input: { amount: 'ten' } }, 'refund'), /^input\.amount must be a whole number/m)
    t.regex(await wrong({ row: {}, input: { amont: 1 } }, 'refund'), /^input\.amont .*did you mean "amount"/m)
    t.regex(await wrong({ input: { amount: 1 } }, 'refund'), /^row is missing: a row of tickets/m)
  })
})

test('the sample of every event and every other trigger is accepted by a trial', async t => {
  const types = [
    'integer',
    'money',
    'number',
    'boolean',
    'date',
    'datetime',
    'email',
    'url',
    'longtext',
    'json',
    'text',
  ]
  const input = () =>
    Object.fromEntries(
      types.map(type => [type, { type, required: true, ...(type === 'money' && { currency: 'EUR' }) }]),
    )
  const wait = () => ({ steps: [{ wait: '1d' }] })
  const modules = { billing: {}, messaging: {}, webhooks: {}, media: {}, content: {}, forms: {}, sessions: {} }
  const events = await withPorts(
    t,
    {},
    ({ registry }) => registry.declared().flatMap(({ module }) => Object.keys(module.events ?? {})),
    { modules },
  )
  const others = {
    schedule: { every: '0 8 * * *', ...wait() },
    rows: { every: '0 8 * * *', each: { collection: 'tickets', filter: { status: 'open' } }, ...wait() },
    workspaces: { every: '0 8 * * *', each: 'workspaces', ...wait() },
    date: { before: { field: 'tickets.due', by: '1h' }, when: { 'row.status': { ne: 'solved' } }, ...wait() },
    button: { button: { on: 'tickets', label: 'Press', roles: ['tenant.owner'], input: input() }, ...wait() },
    hook: { hook: { verify: 'secret', secret: `\${HOOK}`, header: 'x-secret', input: input() }, ...wait() },
    updated: {
      on: ['collections.tickets.updated', 'collections.tickets.deleted'],
      when: { 'row.priority': 'high', 'row.count': { gte: 10 } },
      ...wait(),
    },
  }
  const env = { HOOK: 'a secret of sixteen letters' }
  const byEvent = Object.fromEntries(events.map((on, index) => [`event-${index}`, { on, ...wait() }]))
  await withTools(
    t,
    { ...others, ...byEvent },
    async tools => {
      for (const key of [...Object.keys(others), ...Object.keys(byEvent)]) {
        const trial = await tools.test(key, JSON.parse(JSON.stringify(tools.sample(key))))
        t.true(trial.starts, `${key}: ${trial.reason}`)
      }
      t.is(
        (tools.sample('updated', 'collections.tickets.deleted').event as { type: string }).type,
        'collections.tickets.deleted',
      )
    },
    { env, modules },
  )
  t.true(events.length > 60, String(events.length))
})

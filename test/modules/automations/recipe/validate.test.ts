import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { recipeProblems, toLine } from '../../recipe-problems.ts'

const desk = fileURLToPath(new URL('../desk/module.js', import.meta.url))
const HEAD = `modules:
  identity: {}
  comms: {}
  collections: {}
  automations: {}
  desk: { use: ${desk} }
collections:
  tickets:
    fields:
      title: { type: text }
      count: { type: integer }
      status: { type: enum, values: [open, solved] }
      due: { type: datetime }
      day: { type: date }
      secret: { type: text, private: true }
  notes: { fields: { text: { type: text } } }
automations:
  check:
`
/** The problems of an automation, without its line. */
async function check(t: ExecutionContext, automation: string): Promise<string[]> {
  const lines = automation.trim().split('\n')
  const problems = await recipeProblems(t, `${HEAD}${lines.map(line => `    ${line}\n`).join('')}`)
  return problems.filter(({ code }) => code !== 'local_sender').map(toLine)
}
const steps = (step: string, trigger = 'on: collections.tickets.created') => `${trigger}\nsteps:\n  - ${step}`

test('accepts what the types allow', async t => {
  const found = await check(
    t,
    `on: collections.tickets.updated
changed: [status]
when: { row.status: solved, row.count: { gte: 3 } }
steps:
  - desk.note: { text: "{{row.title}} of {{workspace.name}}", count: $row.count }
    as: note
  - wait: { until: $row.due }
  - ask: { role: tenant.owner, text: "Close {{row.title}}?", choices: [yes_, no_] }
    as: answer
  - desk.close: { ticket: $row }
    when: { steps.answer.choice: yes_ }
  - comms.mail: { template: identity.welcome, to: $row.createdBy, data: { name: $steps.note.id, email: $previous.status, verified: true, link: $product.publicUrl } }`,
  )
  t.deepEqual(found, [])
})

test('accepts a row that an action returned', async t => {
  const found = await check(
    t,
    `on: collections.tickets.created
steps:
  - collections.create: { collection: notes, values: { text: "{{row.title}}" } }
    as: made
  - collections.update: { row: $steps.made, set: { text: x } }`,
  )
  t.deepEqual(found, [])
})

const CASES: readonly (readonly [title: string, automation: string, expected: RegExp])[] = [
  [
    'an unknown field of a row that an action returned',
    `on: collections.tickets.created
steps:
  - collections.create: { collection: notes, values: { text: x } }
    as: made
  - collections.update: { row: $steps.made, set: { texts: x } }`,
    /unknown_field .*Unknown field "texts" of collection "notes"/,
  ],
  [
    'an output that is no row where a row belongs',
    `on: collections.tickets.created
steps:
  - desk.note: { text: x }
    as: note
  - desk.close: { ticket: $steps.note }`,
    /no_row .*ticket must be a row/,
  ],
  ['a text where a row belongs', steps('desk.close: { ticket: $row.title }'), /no_row .*ticket must be a row/],
  [
    'a private field of the last row of a deleted one',
    steps('desk.note: { text: $row.secret }', 'on: collections.tickets.deleted'),
    /row has no field "secret"/,
  ],
  [
    'a private field of the previous row',
    steps('desk.note: { text: $previous.secret }', 'on: collections.tickets.updated'),
    /previous has no field "secret"/,
  ],
  [
    'an unknown field of a row',
    steps('desk.note: { text: $row.titel }'),
    /unknown_field recipe.yaml:\d+:\d+ row has no field "titel" → Did you mean "title"\?/,
  ],
  [
    'an unknown field in a text',
    steps('desk.note: { text: "New {{row.titel}}" }'),
    /row has no field "titel" → Did you mean "title"\?/,
  ],
  [
    'a text where a number belongs',
    steps('desk.note: { text: x, count: $row.title }'),
    /wrong_type .*\$row.title is a text, but a whole number belongs here/,
  ],
  [
    'a written text where a number belongs',
    steps('desk.note: { text: x, count: many }'),
    /invalid_value .*count must be a whole number/,
  ],
  [
    'a number where a text belongs',
    steps('desk.note: { text: $row.count }'),
    /\$row.count is a whole number, but a text belongs here → Write "\{\{row.count\}\}"/,
  ],
  [
    'an unknown event',
    steps('wait: 1d', 'on: collections.ticket.created'),
    /unknown_event .*Did you mean "collections.tickets.created"/,
  ],
  [
    'an unknown action',
    steps('desk.notes: { text: x }'),
    /unknown_action .*Unknown action "desk.notes" → Did you mean "desk.note"\?/,
  ],
  [
    'an unknown input',
    steps('desk.note: { text: x, txt: y }'),
    /unknown_key .*Unknown key "txt" → Did you mean "text"\?/,
  ],
  ['a missing input', steps('desk.note: {}'), /missing_key .*Missing key "text"/],
  [
    'an unknown value of a condition',
    steps('wait: 1d', 'on: collections.tickets.created\nwhen: { row.status: opne }'),
    /invalid_condition .*row.status must be one of open, solved → Did you mean "open"\?/,
  ],
  [
    'the output of a step that is not named',
    steps('desk.note: { text: $steps.before.id }'),
    /steps has no field "before"/,
  ],
  [
    'an unknown role of an ask',
    steps('ask: { role: tenant.boss, text: x, choices: [a] }'),
    /unknown_role .*"tenant.boss"/,
  ],
  ['two triggers', steps('wait: 1d', 'on: collections.tickets.created\nevery: "0 8 * * *"'), /invalid_trigger/],
  ['no trigger', 'steps: [ { wait: 1d } ]', /invalid_trigger .*has no trigger/],
  [
    'an unknown date',
    steps('wait: 1d', 'before: { field: tickets.dew, by: 1h }'),
    /unknown_field .*Did you mean "tickets.due"/,
  ],
  [
    'a date without a time of day',
    steps('wait: 1d', 'before: { field: tickets.day, by: 1h }'),
    /missing_key .*Add at: "09:00"/,
  ],
  [
    'an unknown time zone',
    steps('wait: 1d', 'every: "0 8 * * *"\ntimeZone: Europe/Berlim'),
    /invalid_time_zone .*Did you mean "Europe\/Berlin"/,
  ],
  ['a schedule that runs each minute', steps('wait: 1d', 'every: "* * * * *"'), /invalid_schedule .*5 minutes/],
  ['a cron expression of six fields', steps('wait: 1d', 'every: "0 0 8 1 * *"'), /invalid_schedule .*five fields/],
  ['a day that no month has', steps('wait: 1d', 'every: "0 8 31 2 *"'), /invalid_schedule/],
  ['a step with two actions', steps('{ desk.note: { text: x }, wait: 1d }'), /invalid_step/],
  [
    'an each that is no list',
    steps('{ desk.note: { text: $item }, each: $row.title }'),
    /wrong_type .*\$row.title is no list/,
  ],
  ['a row that is no row', steps('desk.close: { ticket: tickets }'), /no_row .*must be a row/],
]
for (const [title, automation, expected] of CASES)
  test(`rejects ${title}`, async t => {
    const found = await check(t, automation)
    t.true(
      found.some(line => expected.test(line)),
      found.join('\n') || 'no problem',
    )
  })

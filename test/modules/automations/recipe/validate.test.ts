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
const button = (input: string, step = 'wait: 1d') =>
  `button: { on: tickets, label: Press, roles: [tenant.owner], input: ${input} }\nsteps:\n  - ${step}`
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

test('accepts a step that may not have run under its own condition, or if it exists', async t => {
  const found = await check(
    t,
    `on: collections.tickets.created
steps:
  - desk.note: { text: x }
    as: made
    when: { row.status: open }
  - desk.note: { text: $steps.made.id }
    when: { row.status: open }
  - desk.note: { text: $steps.made.id }
    when: { steps.made: { exists: true } }
  - wait: { until: $row.day }`,
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
    'an unknown value of an alternative',
    steps('wait: 1d', 'on: collections.tickets.created\nwhen: { or: [{ not: { row.status: opne } }] }'),
    /invalid_condition .*row.status must be one of open, solved → Did you mean "open"\?/,
  ],
  [
    'alternatives that are no list, deep in a condition',
    steps('wait: 1d', 'on: collections.tickets.created\nwhen: { not: { not: { or: { row.status: open } } } }'),
    /invalid_condition .*or must have a list of conditions/,
  ],
  [
    'the output of a step that is not named',
    steps('desk.note: { text: $steps.before.id }'),
    /unknown_step .*No earlier step has the name "before"/,
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
  [
    'a later step',
    steps('desk.note: { text: $steps.made.id }\n  - desk.note: { text: x }\n    as: made'),
    /unknown_step .*No earlier step has the name "made"/,
  ],
  [
    'a misspelled step',
    steps('desk.note: { text: x }\n    as: made\n  - desk.note: { text: $steps.maed.id }'),
    /unknown_step .*Did you mean "made"\?/,
  ],
  [
    'a step that has a condition',
    steps(
      'desk.note: { text: x }\n    as: made\n    when: { row.status: open }\n  - desk.note: { text: $steps.made.id }',
    ),
    /warning conditional_step .*The step "made" has a condition/,
  ],
  [
    'a step that can fail',
    steps('desk.note: { text: x }\n    as: made\n    onError: continue\n  - desk.note: { text: $steps.made.id }'),
    /warning conditional_step .*The step "made" can fail/,
  ],
  ['a wait of more than 400 days', steps('wait: 401d'), /invalid_value .*at most 400 days/],
  ['a wait of more than 400 days in hours', steps('wait: 9601h'), /invalid_value .*at most 400 days/],
  [
    'a question that is open for more than 400 days',
    steps('ask: { role: tenant.owner, text: x, choices: [a], timeout: 500d }'),
    /invalid_value .*at most 400 days/,
  ],
  ['a wait until a word', steps('wait: { until: tomorrow }'), /until must be like 2026/],
  [
    'a question to operators',
    steps('ask: { role: platform.admin, text: x, choices: [a] }'),
    /unknown_role .*"platform.admin"/,
  ],
  [
    'a mail to a word',
    steps('comms.mail: { template: identity.welcome, to: nobody }'),
    /to must be an address, or a person/,
  ],
  [
    'a date with a time where a date belongs',
    steps('collections.update: { row: $row, set: { day: $row.due } }'),
    /wrong_type .*\$row.due is a date with a time, but a date belongs here/,
  ],
  [
    'a written word where a time belongs',
    steps('collections.update: { row: $row, set: { due: tomorrow } }'),
    /due must be like 2026/,
  ],
  ['a quoted number', steps('collections.update: { row: $row, set: { count: "3" } }'), /count must be a whole number/],
  [
    'a word in a condition on a time',
    steps('wait: 1d', 'on: collections.tickets.created\nwhen: { row.due: { gt: tomorrow } }'),
    /invalid_condition .*row.due must be like/,
  ],
  [
    'a placeholder without an end',
    steps('desk.note: { text: "{{row.title" }'),
    /invalid_placeholder .*\{\{row.title is no value/,
  ],
  [
    'a value within a text',
    steps('desk.note: { text: "New $row.title" }'),
    /warning literal_value .*→ Write \{\{row.title\}\}/,
  ],
  [
    'a misspelled word of a step',
    steps('{ wait: 1d, whne: { row.status: open } }'),
    /unknown_key .*Did you mean "when"\?/,
  ],
  [
    'each of a wait',
    steps('{ wait: 1d, each: $row.secret }'),
    /invalid_option .*"each" belongs to a step with an action/,
  ],
  [
    'the row of a deleted event',
    steps('desk.close: { ticket: $row }', 'on: collections.tickets.deleted'),
    /row_gone .*The row of a deleted event is gone/,
  ],
  [
    'a field of a row in an event',
    steps('desk.note: { text: $event.payload.row.titel }'),
    /event.payload.row has no field "titel" → Did you mean "title"/,
  ],
  [
    'an earlier name that another automation has',
    `was: check\n${steps('wait: 1d')}`,
    /invalid_was .*still has the automation "check"/,
  ],
  [
    'a button on rows that its role can not read',
    'button: { on: tickets, label: Press, roles: [tenant.member] }\nsteps: [ { wait: 1d } ]',
    /warning unreadable_rows .*The role "tenant.member" can't read rows of tickets/,
  ],
  ['an unknown type of an input', button('{ amount: { type: integr } }'), /unknown_type .*Did you mean "integer"/],
  [
    'an enum without values as an input',
    button('{ amount: { type: enum } }'),
    /missing_key .*A field of type enum needs values/,
  ],
  ['money without a currency as an input', button('{ amount: { type: money } }'), /missing_key .*needs currency/],
  [
    'a misspelled option of an input',
    button('{ amount: { type: integer, mni: 1 } }'),
    /unknown_key .*Did you mean "min"/,
  ],
  ['a text as a bound of an input', button('{ amount: { type: integer, min: "1" } }'), /min must be a number/],
  [
    'a reference to an unknown collection as an input',
    button('{ note: { type: reference, to: nots } }'),
    /unknown_collection .*Did you mean "notes"/,
  ],
  [
    'a misspelled input',
    button('{ amount: { type: integer } }', 'desk.note: { text: x, count: $input.amont }'),
    /input has no field "amont" → Did you mean "amount"/,
  ],
  [
    'an email of a form where a number belongs',
    button('{ who: { type: email } }', 'desk.note: { text: x, count: $input.who }'),
    /wrong_type .*\$input.who is a text, but a whole number/,
  ],
  [
    'an input of a hook with another type',
    `hook: { verify: secret, secret: a secret of sixteen, input: { n: { type: number } } }\nsteps:\n  - desk.note: { text: $input.n }`,
    /wrong_type .*\$input.n is a number, but a text/,
  ],
]
for (const [title, automation, expected] of CASES)
  test(`rejects ${title}`, async t => {
    const found = await check(t, automation)
    t.true(
      found.some(line => expected.test(line)),
      found.join('\n') || 'no problem',
    )
  })

/** The circles that the check of these automations reports. */
async function circlesOf(t: ExecutionContext, automations: string): Promise<string[]> {
  const problems = await recipeProblems(t, HEAD.replace('  check:\n', automations))
  return problems.filter(({ code }) => code === 'circular_automations').map(toLine)
}
const update = (set: string, changed = '') =>
  `on: collections.tickets.updated${changed}\n    steps: [ { collections.update: { row: $row, set: ${set} } } ]`

test('warns of three automations that start one another', async t => {
  const found = await circlesOf(
    t,
    `  first:
    on: collections.tickets.created
    steps: [ { collections.create: { collection: notes, values: { text: x } } } ]
  second:
    on: collections.notes.created
    steps: [ { collections.update: { row: $row, set: { text: y } } } ]
  third:
    on: collections.notes.updated
    steps: [ { collections.create: { collection: tickets, values: { title: z } } } ]
`,
  )
  t.is(found.length, 1)
  t.regex(found[0] ?? '', /^warning circular_automations .*first → second → third → first/)
})

test('warns of no circle if the fields that start an automation are others than those that are set', async t => {
  const changed = '\n    changed: [status]'
  t.is((await circlesOf(t, `  own:\n    ${update('{ title: x }')}\n`)).length, 1)
  t.is((await circlesOf(t, `  own:\n    ${update('{ status: solved }', changed)}\n`)).length, 1)
  t.deepEqual(await circlesOf(t, `  own:\n    ${update('{ title: x }', changed)}\n`), [])
})

test('rejects a name that a list of the API has', async t => {
  const recipe = `${HEAD.replace('  check:', '  runs:')}    on: collections.tickets.created\n    steps: [{ wait: 1d }]\n`
  const problems = await recipeProblems(t, recipe)
  t.regex(problems.map(toLine).join('\n'), /invalid_key .*can't have the name "runs" → .*Choose another name/)
})

import test from 'ava'
import { recipeProblems, toLine } from '../../../modules/recipe-problems.ts'

const RECIPE = `theme: { use: ./theme }
modules: { identity: {}, content: { templates: [list] }, collections: {} }
collections:
  teams: { fields: { name: { type: text } } }
  tickets:
    fields: { title: { type: text, required: true }, notes: { type: markdown }, level: { type: enum, values: [a, b] }, price: { type: money, currency: EUR }, owner: { type: member }, double: { type: computed, expression: "price * 2", of: integer }, secret: { type: text, private: true }, team: { type: reference, to: teams } }
`
const page = (body: string, query = 'rows: { collection: tickets, expand: [team] }') => ({
  'theme/theme.yaml': 'extends: default\n',
  'theme/pages/content.list.hbs': `---\ndata:\n  ${query}\n---\n${body}\n`,
})
const lines = async (...[t, files]: [Parameters<typeof recipeProblems>[0], Readonly<Record<string, string>>]) =>
  (await recipeProblems(t, RECIPE, { files })).map(toLine)

test('accepts the names of the page, of its queries and of their rows', async t => {
  const body = `{{heading}}{{body}}{{product.name}}{{text 'Hello'}}{{rows.data.length}}
{{#each rows.data as |row index|}}{{row.title}}{{title}}{{this.id}}{{team.name}}{{../page.title}}{{index}}{{@index}}{{/each}}
{{#with product}}{{anything}}{{/with}}{{#each rows.data}}{{markdown notes}}{{truncate notes 20}}{{/each}}
{{#if (and (not heading) (gt rows.data.length 3))}}{{default heading 'x'}}{{/if}}`
  t.deepEqual(await lines(t, page(body)), [])
})

const MISTAKES: readonly (readonly [body: string, expected: RegExp])[] = [
  [
    '{{#each rows.data}}{{titel}}{{/each}}',
    /content\.list\.hbs:5:22 Unknown name "titel" in tickets. Did you mean "title"\?/,
  ],
  ['{{#each rows.data}}{{secret}}{{/each}}', /Unknown name "secret" in tickets/],
  ['{{rows.title}}', /Unknown name "title" in a list of tickets, whose rows are in data/],
  ['{{#each rows.data}}{{team.nmae}}{{/each}}', /Unknown name "nmae" in teams/],
  ['{{headng}}', /Unknown name "headng" in the data of this template. Did you mean "heading"\?/],
  ['{{shout heading}}', /unknown helper shout/],
  ['{{#if heading}}', /ends inside a block/],
  [
    '{{#each rows.data}}{{markdown title}}{{/each}}',
    /content\.list\.hbs:5:31 The helper markdown needs a field of the type markdown/,
  ],
  ['{{rows.nextUrl}}', /Unknown name "nextUrl" in a list of tickets/],
  ['<p title="{{markdown heading}}">', /an attribute can't contain/],
  ['{{date}}', /helper date needs a value/],
]
for (const [body, expected] of MISTAKES)
  test(`reports the page template ${body}`, async t => {
    const [line = '', ...rest] = await lines(t, page(body))
    t.regex(line, /^error invalid_template /)
    t.regex(line, expected)
    t.deepEqual(rest, [])
  })

test('reports the queries of a page template', async t => {
  const [unknown] = await lines(t, page('', 'rows: { collection: ticket }'))
  t.is(
    unknown,
    'error invalid_template content.list.hbs:3:3 Data.rows: unknown collection "ticket". Did you mean "tickets"?',
  )
  const [field] = await lines(t, page('', 'rows: { collection: tickets, filter: { titel: a } }'))
  t.regex(field ?? '', /content\.list\.hbs:3:3 .*titel/)
})

test('accepts a list with pages, and reports a wrong parameter', async t => {
  const paginated = (paginate: string) => `rows: { collection: tickets, paginate: ${paginate} }`
  t.deepEqual(
    await lines(t, page('{{> pagination list=rows}}{{rows.nextUrl}}{{rows.firstUrl}}', paginated('page'))),
    [],
  )
  t.regex((await lines(t, page('', paginated('"a b"'))))[0] ?? '', /paginate has the wrong type/)
  const both = 'rows: { collection: tickets, paginate: page, one: true }'
  t.regex((await lines(t, page('', both)))[0] ?? '', /one and paginate exclude each other/)
})

const formPage = (form: string, body = "{{> row-form form=forms.note button='Send'}}") => ({
  'theme/theme.yaml': 'extends: default\n',
  'theme/pages/content.list.hbs': `---
data:
  team: { collection: teams, one: true }
  rows: { collection: tickets }
forms:
  note: ${form}
---
${body}`,
})

test('accepts a form with typed fields, and values of the visitor, the address and the data', async t => {
  const set = '{ team: $data.team.id, owner: $member, title: "Hello", secret: $query.secret }'
  const form = `{ create: tickets, fields: [notes, level, price], set: ${set}, redirect: /thanks }`
  t.deepEqual(await lines(t, formPage(form)), [])
})

const FORM_MISTAKES: readonly (readonly [form: string, expected: RegExp])[] = [
  ['{ fields: [title] }', /content\.list\.hbs:6:3 Forms\.note: it must be a map with the key create/],
  ['{ create: tickts, fields: [title] }', /unknown collection "tickts"\. Did you mean "tickets"\?/],
  ['{ create: tickets, fields: [title, titel] }', /unknown field "titel" in tickets\. Did you mean "title"\?/],
  ['{ create: tickets, fields: [title], sett: {} }', /unknown key "sett"\. Did you mean "set"\?/],
  ['{ create: tickets, fields: title }', /fields must be a list of fields/],
  ['{ create: tickets, fields: [notes] }', /the required field "title" is neither in fields nor in set/],
  ['{ create: tickets, fields: [title, team] }', /"team" can't be typed, because it is a reference/],
  ['{ create: tickets, fields: [title, double] }', /"double" can't be written/],
  ['{ create: tickets, fields: [title], set: { title: x } }', /"title" is given twice/],
  ['{ create: tickets, fields: [title], set: { price: much } }', /set\.price must be an integer/],
  ['{ create: tickets, fields: [title], set: { owner: $mebmer } }', /set\.owner must be \$member/],
  ['{ create: tickets, fields: [title], set: { team: $data.tema.id } }', /unknown name "tema" in data/],
  ['{ create: tickets, fields: [title], set: { team: $data.team.nmae } }', /unknown name "nmae" in teams/],
  ['{ create: tickets, fields: [title], set: { team: $data.rows.data.id } }', /"id" is a name in a list/],
  ['{ create: tickets, fields: [title], redirect: "//evil.test" }', /redirect must be a path of this site/],
  ['{ create: tickets, fields: [title], redirect: "https://evil.test" }', /redirect must be a path of this site/],
]
for (const [form, expected] of FORM_MISTAKES)
  test(`reports the form ${form}`, async t => {
    const [first, ...rest] = await lines(t, formPage(form))
    t.regex(first ?? '', expected)
    t.deepEqual(rest, [])
  })

const OPEN = RECIPE.replace(
  '  tickets:',
  '  notes: { fields: { text: { type: text } }, access: { create: { anyone: true } } }\n  tickets:',
)
const withKey = (form: string, key: string) =>
  Object.fromEntries(
    Object.entries(formPage(form)).map(([name, text]) => [name, text.replace('forms:', `${key}\nforms:`)]),
  )
const openForm = (workspace: string) => `{ create: notes, fields: [text], workspace: ${workspace} }`
const openLines = async (...[t, files]: Parameters<typeof lines>) =>
  (await recipeProblems(t, OPEN, { files })).map(toLine)

test('accepts a form that names the workspace of its rows, and sites that embed it', async t => {
  for (const workspace of ['acme', `ten_${'0'.repeat(26)}`, '$path.team', '$query.team', '$data.team.name'])
    t.deepEqual(await openLines(t, withKey(openForm(workspace), 'embed: [https://shop.example]')), [], workspace)
})

test('reports a workspace of a form that can not be one', async t => {
  for (const [workspace, expected] of [
    ['Acme Inc', /workspace must be the ID or the slug of a workspace, or a variable such as \$path\.workspace/],
    ['$locale', /workspace must be \$path\.…, \$query\.…, \$data\.…, not "\$locale"/],
    ['$tenant', /workspace must be \$path\.…/],
    ['$data.tema.name', /workspace: unknown name "tema" in data\. Did you mean "team"\?/],
    ['$data.rows.data.id', /workspace: "id" is a name in a list/],
  ] as const) {
    const [first, ...rest] = await openLines(t, formPage(openForm(workspace)))
    t.regex(first ?? '', expected)
    t.deepEqual(rest, [])
  }
  t.regex(
    (await lines(t, formPage('{ create: tickets, fields: [title], workspace: acme }')))[0] ?? '',
    /people who are not signed in can't create rows of tickets, so each row belongs to the workspace of who sends it\. Remove workspace/,
  )
})

test('reports sites of embed that are none, and embedded forms that need an account', async t => {
  const closed = '{ create: tickets, fields: [title] }'
  t.regex(
    (await lines(t, withKey(closed, 'embed: [https://shop.example]')))[0] ?? '',
    /a page with embed has forms for people who are not signed in, and they can't create rows of tickets/,
  )
  for (const site of ['*', 'https://shop.example/path', 'https://a.example; script-src *'])
    t.regex(
      (await openLines(t, withKey(openForm('acme'), `embed: ["${site}"]`)))[0] ?? '',
      /content\.list\.hbs:5:1 embed needs sites such as https:\/\/shop\.example, not/i,
    )
})

test('reports a form that the template does not declare', async t => {
  const form = '{ create: tickets, fields: [title] }'
  const [first] = await lines(t, formPage(form, "{{> row-form form=forms.nte button='Send'}}"))
  t.regex(
    first ?? '',
    /content\.list\.hbs:8:\d+ Unknown name "nte" in the forms of this template\. Did you mean "note"\?/,
  )
})

test('reports a page template that does not exist', async t => {
  t.deepEqual(
    (await lines(t, { 'theme/theme.yaml': 'extends: default\n' })).map(line =>
      line.replace(/Create .*\/theme/, 'Create theme'),
    ),
    [
      'error invalid_template recipe.yaml:4:48 There is no page template "content.list" → Create theme/pages/content.list.hbs',
    ],
  )
})

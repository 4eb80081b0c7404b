import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { TemplateError } from '../../../services/templates/engine.ts'
import { createMailTemplates, mailProblems } from '../../../services/templates/mail.ts'
import { loadTheme } from '../../../services/templates/theme.ts'
import { createWorkerPool } from '../../../services/threads/worker-pool.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { folderOf, PRODUCT, SHIPPED_THEME, TOKENS } from './fixtures.ts'

const theme = loadTheme({ folder: SHIPPED_THEME, product: PRODUCT, tokens: TOKENS, log: pino({ level: 'silent' }) })
const workerPool = createWorkerPool()
test.after.always(() => workerPool.close())
const mail = (subject: string, body: string, more = '') => `---\nsubject: ${subject}\n${more}---\n${body}`

function templates(
  t: ExecutionContext,
  files: Record<string, string>,
  overrides: { key: string; file: string }[] = [],
) {
  const sets = [{ module: 'shop', folder: folderOf(t, files).url }]
  return createMailTemplates({ sets, overrides, theme, product: PRODUCT, workerPool })
}
const problemsOf = (t: ExecutionContext, files: Record<string, string>) =>
  mailProblems([{ module: 'shop', folder: folderOf(t, files).url }], [])

test('renders subject, HTML with inlined styles in the layout, and text', async t => {
  const all = templates(t, {
    'order.hbs': mail(
      'Order {{id}}',
      '<h1>Thanks, {{name}}</h1><p><a class="button" href="{{url link}}">See it</a></p>',
    ),
  })
  const { subject, html, text } = await all.render('shop.order', 'en', {
    id: 7,
    name: '<Ada>',
    link: 'https://acme.test/o?a=1&b=2',
  })
  t.is(subject, 'Order 7')
  t.true(html.includes('Thanks, &lt;Ada&gt;'))
  t.regex(
    html,
    /<a class="button" href="https:\/\/acme\.test\/o\?a&#x3D;1&amp;b&#x3D;2" style="[^"]*background-color: #123456/,
  )
  t.true(html.includes('>Acme &amp; Sons</a>'))
  t.false(html.includes('var(--'))
  t.is(text, 'Thanks, <Ada>\n\nSee it <https://acme.test/o?a=1&b=2>')
})

test('has the colors of the dark scheme in a media query, and a code in large spaced characters', async t => {
  const all = templates(t, { 'a.hbs': mail('A', '<p>Enter this code:</p><p class="code">{{code}}</p>') })
  const { html, text } = await all.render('shop.a', 'en', { code: '123456' })
  t.regex(html, /<meta name="color-scheme" content="light dark">/)
  t.regex(html, /class="code" style="[^"]*font-size: 28px;[^"]*letter-spacing: 6px/)
  t.regex(html, /class="brand" style="[^"]*border-top: 6px solid #123456/)
  const dark = html.slice(html.indexOf('@media (prefers-color-scheme: dark)')).replaceAll(' !important', '')
  for (const rule of [
    'body, .outer { background-color: #0f121a; }',
    '.brand, .content { border-color: #343c4f; background-color: #181c27; color: #e9ecf4; }',
    '.brand { border-top-color: #123456; }',
    '.brand a { color: #e9ecf4; }',
    '.content a { color: #7d8fa2; }',
    '.content .button { background-color: #123456; color: #ffffff; }',
    '.content .code { background-color: #232938; }',
    '.content .muted, .foot { color: #a5adbf; }',
  ])
    t.true(dark.replaceAll(/\s+/g, ' ').includes(` ${rule} `), rule)
  t.is(text, 'Enter this code:\n\n123456')
})

test('keeps the subject on one line', async t => {
  const all = templates(t, { 'a.hbs': mail('"Hi {{name}}"', '<p>x</p>') })
  const name = 'Ada\r\nBcc: eve@evil.test\u2028\u0000\u0085x'
  const { subject } = await all.render('shop.a', 'en', { name })
  t.is(subject, 'Hi Ada Bcc: eve@evil.test x')
})

test('prefers a plain text file to text generated from the HTML', async t => {
  const all = templates(t, { 'a.hbs': mail('A', '<p>html</p>'), 'a.text.hbs': 'Only {{name}} & text' })
  t.is((await all.render('shop.a', 'en', { name: '<Ada>' })).text, 'Only <Ada> & text')
})

test('uses the nearest locale, then the default', async t => {
  const all = templates(t, {
    'a.hbs': mail('Hello', '<p>{{locale}}</p>', 'category: marketing\n'),
    'a.de.hbs': mail('Hallo', '<p>{{locale}}</p>'),
    'a.pt-BR.hbs': mail('Oi', '<p>{{locale}}</p>'),
  })
  const subject = async (locale: string) => (await all.render('shop.a', locale, {})).subject
  t.deepEqual(await Promise.all(['en', 'de', 'de-AT', 'pt-BR', 'pt', 'fr', 'en-GB'].map(subject)), [
    'Hello',
    'Hallo',
    'Hallo',
    'Oi',
    'Hello',
    'Hello',
    'Hello',
  ])
  t.is((await all.render('shop.a', 'fr', {})).text, 'en')
  const [listed] = all.list()
  t.like(listed, { key: 'shop.a', source: 'shop', locales: ['en', 'de', 'pt-BR'], category: 'marketing' })
  t.regex(listed?.digest ?? '', /^[\w-]{22}$/)
})

test('missing data is a problem that names the field', async t => {
  const all = templates(t, { 'a.hbs': mail('A', '<p>x</p>\n<p>{{order.total}}</p>') })
  for (const work of [
    () => all.render('shop.a', 'en', { order: {} }),
    () => all.check('shop.a', 'en', { order: {} }),
  ]) {
    const { code, status, extras, message } = await problemOf(t, work)
    t.like({ code, status }, { code: 'template_failed', status: 422 })
    t.like((extras.errors as object[])[0], { pointer: '/data/order/total', code: 'required' })
    t.regex(message, /'shop\.a'.*'order\.total'.*line 5/)
  }
})

test('rejects a script URL in a link', async t => {
  const all = templates(t, { 'a.hbs': mail('A', '<a href="{{url link}}">x</a>') })
  t.is((await problemOf(t, () => all.render('shop.a', 'en', { link: 'javascript:alert(1)' }))).code, 'template_failed')
})

test('data cannot override the product', async t => {
  const all = templates(t, { 'a.hbs': mail('From {{product.name}}', '<p>x</p>') })
  t.is((await all.render('shop.a', 'en', { product: { name: 'Evil' } })).subject, 'From Acme & Sons')
})

test('an unknown template is a problem', async t => {
  const { code, status } = await problemOf(t, () => templates(t, {}).render('shop.nope', 'en', {}))
  t.deepEqual([code, status], ['unknown_template', 422])
})

test('the recipe replaces a template with all its locales and adds templates', async t => {
  const { path } = folderOf(t, { 'own.hbs': mail('Own', '<p>own</p>'), 'own.de.hbs': mail('Eigen', '<p>x</p>') })
  const files = { 'a.hbs': mail('A', '<p>x</p>'), 'a.fr.hbs': mail('F', '<p>x</p>') }
  const overrides = ['shop.a', 'other.new'].map(key => ({ key, file: join(path, 'own.hbs') }))
  const all = templates(t, files, overrides)
  t.is((await all.render('shop.a', 'fr', {})).subject, 'Own')
  t.is((await all.render('shop.a', 'de', {})).subject, 'Eigen')
  t.like(all.list()[0], { key: 'shop.a', source: 'recipe', locales: ['en', 'de'] })
  t.true(all.has('other.new'))
})

test('rejects sample data under the names that every mail has', t => {
  const problems = problemsOf(t, {
    'a.hbs': mail('A', '<p>x</p>', 'sample:\n  name: Ada\n  product: Lamp\n  locale: de\n'),
  })
  t.deepEqual(
    problems.map(({ line, column, message }) => `${line}:${column} ${message}`),
    ['product', 'locale'].map(
      (name, index) => `${index + 5}:3 data can't be named '${name}': every mail has the ${name}; choose another name`,
    ),
  )
})

test('checks that data does not have the names that every mail has', async t => {
  const all = templates(t, { 'a.hbs': mail('A', '<p>{{product.name}}</p>') })
  const problem = await problemOf(t, () => all.check('shop.a', 'en', { product: 'Lamp' }))
  t.is(problem.code, 'template_failed')
  t.like(problem.extras, { errors: [{ pointer: '/data/product', code: 'not_allowed' }] })
})

test('sample data of a locale overrides the default', t => {
  const all = templates(t, {
    'a.hbs': mail('A', '<p>x</p>', 'sample: { name: Ada, city: London }\n'),
    'a.de.hbs': mail('A', '<p>x</p>', 'sample: { city: Ulm }\n'),
  })
  t.deepEqual(all.sample('shop.a', 'de'), { name: 'Ada', city: 'Ulm' })
  t.deepEqual(all.sample('shop.a', 'fr'), { name: 'Ada', city: 'London' })
})

for (const [what, files, file, line, column, message] of [
  ['a template without front matter', { 'a.hbs': '<p>x</p>' }, 'a.hbs', 1, 1, /front matter between two lines/],
  [
    'front matter that does not end',
    { 'a.hbs': '---\nsubject: x\n<p>' },
    'a.hbs',
    1,
    1,
    /front matter between two lines/,
  ],
  ['front matter that is not YAML', { 'a.hbs': '---\nsubject: x\ncategory: "y\n---\n' }, 'a.hbs', 4, 1, /quote/],
  ['a missing subject', { 'a.hbs': '---\ncategory: marketing\n---\nx' }, 'a.hbs', 1, 1, /needs a subject/],
  ['a subject of two lines', { 'a.hbs': '---\nsubject: |\n  a\n  b\n---\nx' }, 'a.hbs', 2, 1, /one line/],
  ['a subject that YAML parses as a map', { 'a.hbs': '---\nsubject: {{name}} did it\n---\nx' }, 'a.hbs', 2, 19, /./],
  [
    'a subject that YAML parses as a nested map',
    { 'a.hbs': '---\nsubject: {{name}}\n---\nx' },
    'a.hbs',
    2,
    1,
    /in quotes/,
  ],
  ['a misspelled key', { 'a.hbs': '---\nsubject: x\nsubjct: y\n---\nx' }, 'a.hbs', 3, 1, /unknown key 'subjct'/],
  [
    'a wrong category',
    { 'a.hbs': '---\nsubject: x\ncategory: spam\n---\nx' },
    'a.hbs',
    3,
    1,
    /transactional or marketing/,
  ],
  ['a body that does not compile', { 'a.hbs': mail('x', '<p>\n  {{#if a}}\n') }, 'a.hbs', 6, 1, /ends inside a block/],
  ['a subject that does not compile', { 'a.hbs': '---\nsubject: "{{#if a}}"\n---\nx' }, 'a.hbs', 2, 10, /ends inside/],
  [
    'a text that does not compile',
    { 'a.hbs': mail('x', 'x'), 'a.text.hbs': '\n{{nope x}}' },
    'a.text.hbs',
    2,
    1,
    /nope/,
  ],
  [
    'a text without its HTML',
    { 'a.hbs': mail('x', 'x'), 'a.de.text.hbs': 'x' },
    'a.de.text.hbs',
    1,
    1,
    /HTML template beside it/,
  ],
  ['a locale without the default one', { 'a.de.hbs': mail('x', 'x') }, 'a.de.hbs', 1, 1, /without a locale/],
  ['a name in upper case', { 'Welcome.hbs': mail('x', 'x') }, 'Welcome.hbs', 1, 1, /lowercase/],
] as const)
  test(`reports ${what} with its location`, t => {
    const problems = problemsOf(t, files as unknown as Record<string, string>)
    t.is(problems.length, 1, JSON.stringify(problems))
    const [problem] = problems
    t.like({ ...problem, file: problem?.file.split('/').at(-1) }, { file, line, column })
    t.regex(problem?.message ?? '', message)
  })

test('reports the problems of all templates at once', t => {
  const files = { 'a.hbs': 'x', 'b.hbs': mail('"{{#x"', '{{> y}}'), 'c.hbs': mail('fine', '<p>fine</p>') }
  t.is(problemsOf(t, files).length, 3)
  t.throws(() => templates(t, files), { instanceOf: TemplateError })
})

test('reports a missing file of the recipe', t => {
  const [problem] = mailProblems([], [{ key: 'a.b', file: '/nowhere/a.hbs' }])
  t.like(problem, { file: '/nowhere/a.hbs', line: 1, column: 1, message: 'this file does not exist' })
})

test('accepts a byte order mark and Windows line endings', async t => {
  const all = templates(t, { 'a.hbs': `\uFEFF${mail('A', '<p>x</p>').replaceAll('\n', '\r\n')}` })
  t.deepEqual([(await all.render('shop.a', 'en', {})).subject, (await all.render('shop.a', 'en', {})).text], ['A', 'x'])
})

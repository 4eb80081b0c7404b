import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { TemplateError } from '../../../services/templates/engine.ts'
import { loadTheme } from '../../../services/templates/theme.ts'
import { folderOf, PRODUCT, SHIPPED_THEME, TOKENS } from './fixtures.ts'

const log = pino({ level: 'silent' })
const CONTEXT = { locale: 'en', path: '/x', nonce: 'n0nce' }
const shipped = () => loadTheme({ folder: SHIPPED_THEME, product: PRODUCT, tokens: TOKENS, log })

/** A minimal theme and some additions. */
const themeOf = (t: ExecutionContext, files: Record<string, string> = {}) =>
  folderOf(t, {
    'theme.yaml': 'name: T\ntokens: { accent: red, space: 4px }\n',
    'layouts/page.hbs': '<title>{{page.title}}</title>{{body}}<i>{{page.path}} {{page.nonce}} {{page.signedIn}}</i>',
    'pages/problem.hbs': '{{status}} {{title}}',
    'pages/home.hbs': '{{product.name}}',
    'pages/problems.hbs': '{{#each problems}}{{code}}{{/each}}',
    'mail/layout.hbs': '<html><body>{{body}}</body></html>',
    'mail/mail.css': 'p { color: var(--accent) }',
    'assets/larder.css': 'body { margin: 0 }',
    ...files,
  }).path

const cssOf = (theme: ReturnType<typeof shipped>): string => String(theme.assetAt(theme.asset('larder.css'))?.bytes)

test("renders a module's template in the layout and escapes values once", t => {
  const theme = loadTheme({ folder: themeOf(t), product: PRODUCT, log })
  const { url } = folderOf(t, { 'list.hbs': '<b>{{name}} {{product.name}}</b>' })
  const page = { name: 'shop.list', title: 'A & B', templates: url }
  const html = theme.render(page, { name: '<Ada>' }, { ...CONTEXT, caller: { userId: 'usr_1' } })
  t.is(html, '<title>A &amp; B</title><b>&lt;Ada&gt; Acme &amp; Sons</b><i>/x n0nce true</i>')
})

test('prefers the page template of the theme', t => {
  const theme = loadTheme({ folder: themeOf(t, { 'pages/shop.list.hbs': 'themed' }), product: PRODUCT, log })
  const { url } = folderOf(t, { 'list.hbs': 'own' })
  t.regex(theme.render({ name: 'shop.list', title: 'x', templates: url }, {}, CONTEXT), /themed/)
})

test('reports a page that does not compile when it is prepared', t => {
  const { url } = folderOf(t, { 'list.hbs': '{{#if}' })
  t.throws(() => shipped().prepare({ name: 'shop.list', title: 'x', templates: url }), { instanceOf: TemplateError })
})

test('reports a partial of the shipped themes that a theme lacks when a shipped page is prepared', t => {
  const templates = pathToFileURL(join(process.cwd(), 'modules/identity/templates/'))
  const theme = loadTheme({ folder: themeOf(t), product: PRODUCT, log })
  t.throws(() => theme.prepare({ name: 'identity.logins', title: 'x', templates }), { message: /there is no partial/ })
})

test('has the scripts that the build generates, also in a theme that extends none', t => {
  for (const folder of [
    SHIPPED_THEME,
    themeOf(t, { 'assets/live.js': "import { connectTopics } from './larder-topics.js'" }),
  ]) {
    const theme = loadTheme({ folder, product: PRODUCT, log })
    const script = folder === SHIPPED_THEME ? 'larder-messages.js' : 'live.js'
    const path = theme.asset('larder-topics.js')
    t.regex(String(theme.assetAt(path)?.bytes), /export\s*\{[^}]*\bconnectTopics\b/)
    t.true(String(theme.assetAt(theme.asset(script))?.bytes).includes(`'${path}'`))
  }
})

test('prefers a script of the theme to the one that the build generates', t => {
  const own = 'export const connectTopics = () => ({})'
  const theme = loadTheme({ folder: themeOf(t, { 'assets/larder-topics.js': own }), product: PRODUCT, log })
  t.is(String(theme.assetAt(theme.asset('larder-topics.js'))?.bytes), own)
})

test('rejects a theme with an invalid layout', t => {
  t.throws(() => loadTheme({ folder: themeOf(t, { 'layouts/page.hbs': '{{> gone}}' }), product: PRODUCT, log }), {
    instanceOf: TemplateError,
    message: /page\.hbs:1:1 there is no partial 'gone'/,
  })
})

test('tokens of the recipe override those of the theme and cannot end a declaration', async t => {
  const theme = loadTheme({ folder: themeOf(t), product: PRODUCT, tokens: { accent: 'blue' }, log })
  const css = cssOf(theme)
  t.regex(css, /:root\{--accent:blue;--space:4px;--accent-text:blue\}/)
  t.true(theme.mailLayout.css.includes('--accent:blue'))
  const tokens = { accent: 'red;}body{display:none' }
  t.throws(() => loadTheme({ folder: themeOf(t), product: PRODUCT, tokens, log }), {
    message: /'accent' must be a CSS value/,
  })
})

test('has assets at hashed paths', t => {
  const theme = shipped()
  t.regex(theme.asset('larder.css'), /^\/assets\/larder\.[0-9a-f]{16}\.css$/)
  t.is(theme.assetAt(theme.asset('larder.css'))?.type, 'text/css; charset=utf-8')
  for (const path of [
    '/assets/larder.css',
    '/assets/larder.0000000000000000.css',
    '/assets/../theme.yaml',
    '/assets/%2e%2e/theme.yaml',
  ])
    t.is(theme.assetAt(path), undefined, path)
  const other = loadTheme({ folder: SHIPPED_THEME, product: PRODUCT, log })
  t.not(other.asset('larder.css'), theme.asset('larder.css'))
  t.throws(() => theme.asset('gone.css'), { message: /no assets\/gone\.css/ })
})

test('the problem page shows detail and request id, escaped', t => {
  const problem = { status: 404, title: 'Not found', detail: 'No <b>', requestId: 'r1' }
  const html = shipped().problemPage(problem, CONTEXT)
  t.regex(html, /No &lt;b&gt;/)
  t.regex(html, /<code>r1<\/code>/)
  t.regex(html, /<html lang="en"/)
  t.notRegex(shipped().problemPage({ ...problem, requestId: undefined }, CONTEXT), /Request <code>/)
})

test('the shipped layout has no scripts and no external resources', t => {
  const html = shipped().problemPage({ status: 404, title: 'x', detail: 'y' }, CONTEXT)
  t.notRegex(html, /<script|<style|style=|\son\w+=|https?:\/\//)
})

test('with reload, shows a changed template and keeps the last one that compiled', async t => {
  const { writeFileSync } = await import('node:fs')
  const folder = themeOf(t)
  const theme = loadTheme({ folder, product: PRODUCT, log, reload: true })
  const title = () => theme.problemPage({ status: 404, title: 'x', detail: 'y' }, CONTEXT).slice(0, 5)
  writeFileSync(join(folder, 'layouts/page.hbs'), 'NEW  {{body}}')
  t.is(title(), 'NEW  ')
  writeFileSync(join(folder, 'layouts/page.hbs'), 'BAD {{#if}}')
  t.is(title(), 'NEW  ')
})

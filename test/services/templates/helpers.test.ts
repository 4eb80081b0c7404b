import test from 'ava'
import { markdownText, safeUrl } from '../../../kernel/base/html.ts'
import { createEngine } from '../../../services/templates/engine.ts'
import { HELPERS } from '../../../services/templates/helpers.ts'

for (const address of [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  '//evil.test/x',
  '/\\evil.test',
  'evil.test/x',
  'https://a.test/ b',
  '',
])
  test(`rejects the URL ${JSON.stringify(address)}`, t => {
    t.throws(() => safeUrl(address))
  })

for (const address of [
  'https://a.test/x?a=1&b=2#c',
  'http://a.test',
  'mailto:a@b.test',
  'com.acme.app:/signed-in?code=1',
  '/a/b?c=d',
  '/',
  '#part',
  '?page=2',
])
  test(`accepts the URL ${address}`, t => {
    t.is(safeUrl(address), address)
  })

const render = (text: string, data: Record<string, unknown>, locale: string) =>
  createEngine(HELPERS).compile({ file: 'a.hbs', text }).render(data, locale)

test('formats dates and numbers for the locale, and times in UTC', t => {
  const data = { at: '2026-03-04T05:06:07Z', count: 1234567.5 }
  t.is(render('{{number count}}', data, 'en'), '1,234,567.5')
  t.is(render('{{number count}}', data, 'de'), '1.234.567,5')
  t.regex(render('{{date at}}', data, 'en'), /^Mar 4, 2026, 5:06\sAM UTC$/)
  t.is(render('{{date at "short"}}', data, 'de'), '04.03.26, 05:06 UTC')
  t.is(render('{{day at}}', data, 'en'), 'Mar 4, 2026')
  t.is(render('{{day at}}', data, 'de'), '04.03.2026')
  t.throws(() => render('{{day at}}', { at: 'soon' }, 'en'), { message: /'soon' is not a date/ })
  t.throws(() => render('{{date at}}', { at: 'soon' }, 'en'), { message: /'soon' is not a date/ })
})

test('formats money in the smallest unit of its currency for the locale', t => {
  const rendered = (amount: number, currency: string, locale: string) =>
    render('{{money amount currency}}', { amount, currency }, locale).replaceAll('\u00a0', ' ')
  t.is(rendered(1250, 'EUR', 'en'), '€12.50')
  t.is(rendered(1250, 'EUR', 'de'), '12,50 €')
  t.is(rendered(1250, 'JPY', 'en'), '¥1,250')
  t.is(rendered(1250, 'KWD', 'de'), '1,250 KWD')
  t.throws(() => rendered(1250, 'euro', 'en'), { message: /currency/i })
})

test('numbers and money of absent values are empty, and other values are refused', t => {
  for (const helper of ['number', "money 'EUR'"]) {
    const [name, currency = ''] = helper.split(' ')
    t.is(render(`{{${name} a ${currency}}}`, { a: null }, 'de'), '')
    t.is(render(`{{${name} a ${currency}}}`, { a: '' }, 'de'), '')
    for (const a of [Number.NaN, Number.POSITIVE_INFINITY, '<b>'])
      t.throws(() => render(`{{${name} a ${currency}}}`, { a }, 'de'), { message: /needs a number, not/ })
  }
})

test('eq compares by value and type', t => {
  t.is(render("{{#if (eq a 'x')}}yes{{else}}no{{/if}}", { a: 'x' }, 'en'), 'yes')
  t.is(render('{{#if (eq a 1)}}yes{{else}}no{{/if}}', { a: '1' }, 'en'), 'no')
})

const answer = (condition: string, data: Record<string, unknown>) =>
  render(`{{#if (${condition})}}yes{{else}}no{{/if}}`, data, 'en')

test('gt, gte, lt and lte compare numbers and texts, and nothing with null', t => {
  t.is(answer('gt a 2', { a: 3 }), 'yes')
  t.is(answer('gte a 3', { a: 3 }), 'yes')
  t.is(answer('lt a 3', { a: 3 }), 'no')
  t.is(answer('lte a "2026-12-31"', { a: '2026-03-04' }), 'yes')
  for (const helper of ['gt', 'gte', 'lt', 'lte']) {
    t.is(answer(`${helper} a 0`, { a: null }), 'no')
    t.is(answer(`${helper} a 0`, { a: Number.NaN }), 'no')
    t.is(answer(`${helper} a 0`, { a: '1' }), 'no')
  }
})

test('and, or and not treat values as if does', t => {
  t.is(answer('and a b', { a: 'x', b: [1] }), 'yes')
  t.is(answer('and a b', { a: 'x', b: [] }), 'no')
  t.is(answer('or a b', { a: '', b: 1 }), 'yes')
  t.is(answer('or a b', { a: null, b: 0 }), 'no')
  t.is(answer('not a', { a: '' }), 'yes')
  t.is(answer('and (not a) (or b a)', { a: false, b: true }), 'yes')
})

test('default replaces null and empty texts, and nothing else', t => {
  t.is(render("{{default a 'none'}}", { a: null }, 'en'), 'none')
  t.is(render("{{default a 'none'}}", { a: '' }, 'en'), 'none')
  t.is(render("{{default a 'none'}}", { a: 0 }, 'en'), '0')
  t.throws(() => render("{{default b 'none'}}", { a: 0 }, 'en'), { message: /uses 'b', which is not in the data/ })
})

test('join escapes the texts of a list', t => {
  t.is(render("{{join a ' / '}}", { a: ['<b>', 2] }, 'en'), '&lt;b&gt; / 2')
  t.is(render('{{join a}}', { a: ['x', 'y'] }, 'en'), 'x, y')
  for (const a of ['x', null, [{ name: 'x' }]])
    t.throws(() => render('{{join a}}', { a }, 'en'), { message: /join needs a list/ })
})

test('truncate ends with a whole word, and never within a character', t => {
  t.is(render('{{truncate a 12}}', { a: 'Sailing for everyone' }, 'en'), 'Sailing for…')
  t.is(render('{{truncate a 20}}', { a: 'Sailing for everyone' }, 'en'), 'Sailing for everyone')
  t.is(render('{{truncate a 8}}', { a: 'Sailing for everyone' }, 'en'), 'Sailing…')
  t.is(render('{{truncate a 6}}', { a: 'Segelschule' }, 'de'), 'Segel…')
  t.is(render('{{truncate a 3}}', { a: '😀😀😀😀' }, 'en'), '😀😀…')
  t.is(render('{{truncate a 2}}', { a: '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧' }, 'en'), '👩‍👩‍👧…')
  t.is(render('{{truncate a 1}}', { a: '👩‍👩‍👧' }, 'en'), '👩‍👩‍👧')
  t.is(render('{{truncate a 5}}', { a: 'שלום עולם' }, 'en'), 'שלום…')
  t.is(render('{{truncate a 5}}', { a: '<b>bold</b>' }, 'en'), '&lt;b&gt;b…')
  t.is(render('{{truncate a 3}}', { a: null }, 'en'), '')
  t.throws(() => render("{{truncate a 'x'}}", { a: 'x' }, 'en'), { message: /needs a number/ })
})

test('markdown inserts the HTML of a Markdown field, whose value is its source elsewhere', t => {
  const a = markdownText('**Sea** & <i>', '<p><strong>Sea</strong></p>')
  t.is(render('{{markdown a}}', { a }, 'en'), '<p><strong>Sea</strong></p>')
  t.is(render('{{a}} {{truncate a 8}}', { a }, 'en'), '**Sea** &amp; &lt;i&gt; **Sea**…')
  t.is(render('{{markdown a}}', { a: null }, 'en'), '')
})

for (const text of [
  '<p title="{{markdown a}}">',
  "<p title='a > b {{markdown a}}'>",
  '<p {{markdown a}}>',
  '<p title="{{#if a}}{{markdown a}}{{/if}}">',
])
  test(`rejects Markdown in a tag: ${text}`, t => {
    t.throws(() => render(text, { a: null }, 'en'), { message: /an attribute can't contain/ })
  })

test('rejects Markdown as a value of another helper', t => {
  t.throws(() => render("{{default (markdown a) 'x'}}", { a: null }, 'en'), { message: /value of another helper/ })
})

test('accepts Markdown after a comment and a comparison', t => {
  t.is(render("<!-- it's <p --> 1 < 2 {{markdown a}}", { a: null }, 'en'), "<!-- it's <p --> 1 < 2 ")
})

test('accepts Markdown after a tag with quoted attributes', t => {
  t.is(render('<p title="a > b">it\'s {{markdown a}}</p>', { a: null }, 'en'), '<p title="a > b">it\'s </p>')
})

test('shows what is in backticks as code, and escapes the rest', t => {
  const template = createEngine(HELPERS).compile({ file: 'a.hbs', text: '{{inlineCode detail}}' })
  const shown = template.render({ detail: 'Set `Allow: <x>` & `Retry-After`.' }, 'en')
  t.is(shown, 'Set <code>Allow: &lt;x&gt;</code> &amp; <code>Retry-After</code>.')
})

test('shows a text that is not rendered Markdown as it was written, escaped', t => {
  const shown = (a: unknown) => render('<div>{{markdown a}}</div>', { a }, 'en')
  t.is(shown('# A <b>\nnext\n\nlast'), '<div><p># A &lt;b&gt;<br>next</p><p>last</p></div>')
  t.is(shown(5), '<div><p>5</p></div>')
  t.is(shown(null), '<div></div>')
  t.is(shown(' \n'), '<div></div>')
})

test('names the direction of a language by its script', t => {
  const direction = (locale: string) => render('{{direction locale}}', { locale }, 'en')
  t.deepEqual(['en', 'de-AT', 'he', 'ar-EG', 'fa', 'az-Arab', 'az', 'ja'].map(direction), [
    'ltr',
    'ltr',
    'rtl',
    'rtl',
    'rtl',
    'rtl',
    'ltr',
    'ltr',
  ])
})

import test from 'ava'
import { safeUrl } from '../../../kernel/base/html.ts'
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

test('eq compares by value and type', t => {
  t.is(render("{{#if (eq a 'x')}}yes{{else}}no{{/if}}", { a: 'x' }, 'en'), 'yes')
  t.is(render('{{#if (eq a 1)}}yes{{else}}no{{/if}}', { a: '1' }, 'en'), 'no')
})

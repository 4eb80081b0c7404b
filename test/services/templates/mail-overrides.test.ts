import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import type { Problem } from '../../../kernel/base/problem.ts'
import type { LocalMailText, MailText } from '../../../kernel/contract/ports.ts'
import { createMailTemplates } from '../../../services/templates/mail.ts'
import { loadTheme } from '../../../services/templates/theme.ts'
import { createWorkerPool } from '../../../services/threads/worker-pool.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { folderOf, PRODUCT, SHIPPED_THEME } from './fixtures.ts'

const theme = loadTheme({ folder: SHIPPED_THEME, product: PRODUCT, log: pino({ level: 'silent' }) })
const workerPool = createWorkerPool()
test.after.always(() => workerPool.close())
const FILES = {
  'a.hbs':
    '---\nsubject: Hello {{name}}\npreheader: Hi\ncategory: marketing\nsample: { name: Sam }\n---\n<p>{{name}}</p>',
  'a.de.hbs': '---\nsubject: Hallo {{name}}\n---\n<p>{{name}}</p>',
  'a.text.hbs': 'Plain {{name}}',
}
const templates = (t: ExecutionContext) =>
  createMailTemplates({
    sets: [{ module: 'shop', folder: folderOf(t, FILES).url }],
    overrides: [],
    theme,
    product: PRODUCT,
    workerPool,
  })
const text = (more: Partial<MailText> = {}): MailText => ({
  subject: 'Own {{name}}',
  preheader: null,
  html: '<p>own {{name}}</p>',
  text: null,
  ...more,
})
const own = (locale: string, more: Partial<MailText> = {}): LocalMailText => ({ locale, ...text(more) })
const pointers = ({ extras }: Problem) => (extras.errors as { pointer: string }[]).map(({ pointer }) => pointer)
const ADA = { name: 'Ada' }

test("a tenant's text overrides the product's in its language only", async t => {
  const all = templates(t)
  const subject = async (locale: string, texts: LocalMailText[]) =>
    (await all.render('shop.a', locale, ADA, { overrides: texts })).subject
  t.deepEqual(await Promise.all(['en', 'fr', 'de', 'de-AT'].map(locale => subject(locale, [own('en')]))), [
    'Own Ada',
    'Own Ada',
    'Hallo Ada',
    'Hallo Ada',
  ])
  t.deepEqual(
    await Promise.all(
      ['en', 'de', 'de-AT', 'fr'].map(locale => subject(locale, [own('de'), own('fr', { subject: 'Moi' })])),
    ),
    ['Hello Ada', 'Own Ada', 'Own Ada', 'Moi'],
  )
})

test('renders an override with the same data, layout and escaping', async t => {
  const all = templates(t)
  const { html, text, subject } = await all.render(
    'shop.a',
    'en',
    { name: '<b>\r\nBcc: x' },
    { overrides: [own('en')] },
  )
  t.is(subject, 'Own <b> Bcc: x')
  t.true(html.includes('own &lt;b&gt;'))
  t.true(html.includes('Acme &amp; Sons</a>'))
  t.is(text, 'own <b> Bcc: x')
  const plain = await all.render('shop.a', 'en', ADA, { overrides: [own('en', { text: 'mine {{name}}' })] })
  t.is(plain.text, 'mine Ada')
  t.deepEqual(await all.check('shop.a', 'en', ADA, { overrides: [own('en')] }), {
    subject: 'Own Ada',
    category: 'marketing',
  })
})

test('returns the source of a template', t => {
  const all = templates(t)
  t.deepEqual(all.text('shop.a', 'fr'), {
    locale: 'en',
    subject: 'Hello {{name}}',
    preheader: 'Hi',
    html: '<p>{{name}}</p>',
    text: 'Plain {{name}}',
  })
  t.like(all.text('shop.a', 'de-AT'), { locale: 'de', subject: 'Hallo {{name}}', preheader: null, text: null })
  t.like(
    t.throws(() => all.text('shop.nope', 'en')),
    { code: 'unknown_template' },
  )
})

test('reports all errors with field, line and column', async t => {
  const error = await problemOf(t, () =>
    templates(t).validate(text({ subject: '{{#if a}}', preheader: '{{nope x}}', html: '<p>\n{{{name}}}', text: '{{' })),
  )
  t.deepEqual([error.code, error.status], ['template_invalid', 422])
  t.deepEqual(pointers(error), ['/subject', '/preheader', '/html', '/text'])
  t.regex((error.extras.errors as { detail: string }[])[2]?.detail ?? '', /^line 2, column 1: .*unescaped/)
})

for (const [what, html] of [
  ['a link that bypasses the helper', '<a href="{{link}}">x</a>'],
  ['a partial', '{{> header}}'],
  ['an inline partial', '{{#*inline "x"}}{{/inline}}{{> x}}'],
  ['the block around it', '{{> @partial-block}}'],
  ['a helper that is not there', '{{eval "1"}}'],
  ['lookup', '{{lookup this "constructor"}}'],
] as const)
  test(`${what} is rejected when it is saved`, async t => {
    t.is((await problemOf(t, () => templates(t).validate(text({ html })))).code, 'template_invalid')
  })

for (const path of [
  'constructor',
  '__proto__',
  'name.constructor',
  'name.__proto__.x',
  'this.constructor.name',
  '@root.constructor',
  'product.constructor.constructor',
  'toString',
])
  test(`{{${path}}} reaches no prototype`, async t => {
    const all = templates(t)
    try {
      const overrides = [own('en', { html: `<p>[{{${path}}}]</p>` })]
      t.is((await all.render('shop.a', 'en', ADA, { overrides })).text, '[]')
    } catch (error) {
      t.is((error as Problem).code, 'template_failed')
    }
  })

test('missing data names the field', async t => {
  const error = await problemOf(t, () => templates(t).check('shop.a', 'en', {}, { overrides: [own('en')] }))
  t.deepEqual([error.code, ...pointers(error)], ['template_failed', '/data/name'])
})

test('adds the unsubscribe link to the footer and the text', async t => {
  const unsubscribeUrl = 'https://acme.test/v1/communications/unsubscribe?token=t'
  const { html, text } = await templates(t).render('shop.a', 'en', ADA, { unsubscribeUrl })
  t.regex(html, /<a href="https:\/\/acme\.test\/v1\/communications\/unsubscribe\?token&#x3D;t"[^>]*>Unsubscribe<\/a>/)
  t.true(text.endsWith(`\n\nUnsubscribe: ${unsubscribeUrl}`))
  t.false((await templates(t).render('shop.a', 'en', ADA)).html.includes('Unsubscribe'))
})

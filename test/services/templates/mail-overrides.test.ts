import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { Problem } from '../../../kernel/base/problem.ts'
import type { LocalMailText, MailText } from '../../../kernel/contract/ports.ts'
import { createMailTemplates } from '../../../services/templates/mail.ts'
import { loadTheme } from '../../../services/templates/theme.ts'
import { folderOf, PRODUCT, SHIPPED_THEME } from './fixtures.ts'

const theme = loadTheme({ folder: SHIPPED_THEME, product: PRODUCT, log: pino({ level: 'silent' }) })
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
  })
const text = (more: Partial<MailText> = {}): MailText => ({
  subject: 'Own {{name}}',
  preheader: null,
  html: '<p>own {{name}}</p>',
  text: null,
  ...more,
})
const own = (locale: string, more: Partial<MailText> = {}): LocalMailText => ({ locale, ...text(more) })
const problemOf = (t: ExecutionContext, work: () => unknown): Problem => {
  const error = t.throws(work)
  t.true(Problem.is(error), String(error))
  return error as Problem
}
const pointers = ({ extras }: Problem) => (extras.errors as { pointer: string }[]).map(({ pointer }) => pointer)
const ADA = { name: 'Ada' }

test("a tenant's text overrides the product's in its language only", t => {
  const all = templates(t)
  const subject = (locale: string, texts: LocalMailText[]) => all.render('shop.a', locale, ADA, { own: texts }).subject
  t.deepEqual(
    ['en', 'fr', 'de', 'de-AT'].map(locale => subject(locale, [own('en')])),
    ['Own Ada', 'Own Ada', 'Hallo Ada', 'Hallo Ada'],
  )
  t.deepEqual(
    ['en', 'de', 'de-AT', 'fr'].map(locale => subject(locale, [own('de'), own('fr', { subject: 'Moi' })])),
    ['Hello Ada', 'Own Ada', 'Own Ada', 'Moi'],
  )
})

test('renders an override with the same data, layout and escaping', t => {
  const all = templates(t)
  const { html, text, subject } = all.render('shop.a', 'en', { name: '<b>\r\nBcc: x' }, { own: [own('en')] })
  t.is(subject, 'Own <b> Bcc: x')
  t.true(html.includes('own &lt;b&gt;'))
  t.true(html.includes('Acme &amp; Sons</a>'))
  t.is(text, 'own <b> Bcc: x')
  t.is(all.render('shop.a', 'en', ADA, { own: [own('en', { text: 'mine {{name}}' })] }).text, 'mine Ada')
  t.deepEqual(all.check('shop.a', 'en', ADA, { own: [own('en')] }), { subject: 'Own Ada', category: 'marketing' })
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
  t.is(problemOf(t, () => all.text('shop.nope', 'en')).code, 'unknown_template')
})

test('reports all errors with field, line and column', t => {
  const error = problemOf(t, () =>
    templates(t).compile(text({ subject: '{{#if a}}', preheader: '{{nope x}}', html: '<p>\n{{{name}}}', text: '{{' })),
  )
  t.deepEqual([error.code, error.status], ['template_invalid', 422])
  t.deepEqual(pointers(error), ['/subject', '/preheader', '/html', '/text'])
  t.regex((error.extras.errors as { detail: string }[])[2]?.detail ?? '', /^line 2, column 1: .*unescaped/)
})

for (const [what, html] of [
  ['a link that bypasses the helper', '<a href="{{link}}">x</a>'],
  ['a partial', '{{> header}}'],
  ['a partial of its own', '{{#*inline "x"}}{{/inline}}{{> x}}'],
  ['the block around it', '{{> @partial-block}}'],
  ['a helper that is not there', '{{eval "1"}}'],
  ['lookup', '{{lookup this "constructor"}}'],
  ['blocks as deep as a mine', '{{#if name}}'.repeat(20_000) + '{{/if}}'.repeat(20_000)],
] as const)
  test(`${what} is rejected when it is saved`, t => {
    t.is(problemOf(t, () => templates(t).compile(text({ html }))).code, 'template_invalid')
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
  test(`{{${path}}} reaches no prototype`, t => {
    const all = templates(t)
    try {
      const shown = all.render('shop.a', 'en', ADA, { own: [own('en', { html: `<p>[{{${path}}}]</p>` })] }).text
      t.is(shown, '[]')
    } catch (error) {
      t.is((error as Problem).code, 'template_failed')
    }
  })

test('limits loops of overrides more strictly', t => {
  const all = templates(t)
  const l = Array.from({ length: 3000 }, () => 'x')
  const run = (html: string) => all.render('shop.a', 'en', { l }, { own: [own('en', { subject: 's', html })] })
  const loops = '{{#each l}}{{#each @root.l}}{{#each @root.l}}{{/each}}{{/each}}{{/each}}'
  t.regex(problemOf(t, () => run(loops)).message, /longer than 250 ms/)
  t.regex(problemOf(t, () => run(`{{#each l}}${'y'.repeat(1000)}{{/each}}`)).message, /larger than/)
})

test('limits the cost of inlining styles', t => {
  const rules = Array.from({ length: 3000 }, (_, n) => `p.a${n} b i,div:nth-child(2n+1) u{color:red}`).join('')
  const html = `<style>${rules}</style>${'<p><b><i>x</i></b></p>'.repeat(2000)}`
  const error = problemOf(t, () => templates(t).render('shop.a', 'en', ADA, { own: [own('en', { html })] }))
  t.regex(error.message, /longer than 1000 ms/)
})

test('deeply nested tags result in a problem or a mail, not in an internal error', t => {
  const html = '<div>'.repeat(15_000)
  try {
    t.is(templates(t).render('shop.a', 'en', ADA, { own: [own('en', { html })] }).subject, 'Own Ada')
  } catch (error) {
    t.is((error as Problem).code, 'template_failed')
  }
})

test('missing data names the field', t => {
  const error = problemOf(t, () => templates(t).check('shop.a', 'en', {}, { own: [own('en')] }))
  t.deepEqual([error.code, ...pointers(error)], ['template_failed', '/data/name'])
})

test('adds the unsubscribe link to the footer and the text', t => {
  const unsubscribeUrl = 'https://acme.test/v1/communications/unsubscribe?token=t'
  const { html, text } = templates(t).render('shop.a', 'en', ADA, { unsubscribeUrl })
  t.regex(html, /<a href="https:\/\/acme\.test\/v1\/communications\/unsubscribe\?token&#x3D;t"[^>]*>Unsubscribe<\/a>/)
  t.true(text.endsWith(`\n\nUnsubscribe: ${unsubscribeUrl}`))
  t.false(templates(t).render('shop.a', 'en', ADA).html.includes('Unsubscribe'))
})

import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import type { Problem } from '../../../kernel/base/problem.ts'
import type { LocalMailText } from '../../../kernel/contract/ports.ts'
import { createMailTemplates } from '../../../services/templates/mail.ts'
import { loadTheme } from '../../../services/templates/theme.ts'
import { createWorkerPool } from '../../../services/threads/worker-pool.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { withTenthOfTime } from '../../fixtures/worker-pool.ts'
import { folderOf, PRODUCT, SHIPPED_THEME } from './fixtures.ts'

const theme = loadTheme({ folder: SHIPPED_THEME, product: PRODUCT, log: pino({ level: 'silent' }) })
const workerPool = createWorkerPool()
test.after.always(() => workerPool.close())

const mail = (subject: string, body: string) => `---\nsubject: ${subject}\n---\n${body}`
const HELLO = { 'a.hbs': mail('Hello {{name}}', '<p>{{name}}</p>') }
const templates = (t: ExecutionContext, files: Record<string, string> = HELLO) =>
  createMailTemplates({
    sets: [{ module: 'shop', folder: folderOf(t, files).url }],
    overrides: [],
    theme,
    product: PRODUCT,
    workerPool: withTenthOfTime(workerPool),
  })
const own = (html: string): LocalMailText => ({
  locale: 'en',
  subject: 'Own {{name}}',
  preheader: null,
  html,
  text: null,
})
const ADA = { name: 'Ada' }

test('stops nested loops over long lists', async t => {
  const loops = '{{#each l}}{{#each @root.l}}{{#each @root.l}}{{#each @root.l}}{{/each}}{{/each}}{{/each}}{{/each}}'
  const all = templates(t, {
    'a.hbs': mail('A', loops),
    'b.hbs': mail('B', '{{#each l}}{{#each @root.l}}{{text}}{{/each}}{{/each}}'),
  })
  const l = Array.from({ length: 1000 }, () => ({ text: 'long enough' }))
  t.regex((await problemOf(t, () => all.render('shop.a', 'en', { l }))).message, /longer than 1000 ms/)
  const texts = Array.from({ length: 110 }, () => ({ text: 'long enough '.repeat(10) }))
  t.regex((await problemOf(t, () => all.render('shop.b', 'en', { l: texts }))).message, /larger than/)
  t.is((await all.render('shop.b', 'en', { l: l.slice(0, 1) })).text, 'long enough')
})

test('limits loops of overrides more strictly', async t => {
  const all = templates(t)
  const l = Array.from({ length: 3000 }, () => 'x')
  const run = (html: string) => all.render('shop.a', 'en', { l }, { overrides: [{ ...own(html), subject: 's' }] })
  const loops = '{{#each l}}{{#each @root.l}}{{#each @root.l}}{{/each}}{{/each}}{{/each}}'
  t.regex((await problemOf(t, () => run(loops))).message, /longer than 100 ms/)
  t.regex((await problemOf(t, () => run(`{{#each l}}${'y'.repeat(1000)}{{/each}}`))).message, /larger than/)
})

test('limits the cost of inlining styles', async t => {
  const rules = Array.from({ length: 3000 }, (_, n) => `p.a${n} b i,div:nth-child(2n+1) u{color:red}`).join('')
  const html = `<style>${rules}</style>${'<p><b><i>x</i></b></p>'.repeat(2000)}`
  const error = await problemOf(t, () => templates(t).render('shop.a', 'en', ADA, { overrides: [own(html)] }))
  t.regex(error.message, /longer than 100 ms/)
})

test('blocks as deep as a mine is rejected when it is saved', async t => {
  const html = '{{#if name}}'.repeat(20_000) + '{{/if}}'.repeat(20_000)
  t.is((await problemOf(t, () => templates(t).validate(own(html)))).code, 'template_invalid')
})

test('deeply nested tags result in a problem or a mail, not in an internal error', async t => {
  const html = '<div>'.repeat(15_000)
  try {
    t.is((await templates(t).render('shop.a', 'en', ADA, { overrides: [own(html)] })).subject, 'Own Ada')
  } catch (error) {
    t.is((error as Problem).code, 'template_failed')
  }
})

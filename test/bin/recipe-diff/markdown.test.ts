import test from 'ava'
import type { RecipeDifferences } from '../../../bin/recipe-diff/compare.ts'
import { breakingOf, toMarkdown } from '../../../bin/recipe-diff/markdown.ts'

const NONE: RecipeDifferences = { api: [], permissions: [], data: [], profile: [], pages: [], settings: [] }
const markdown = (differences: Partial<RecipeDifferences>) =>
  toMarkdown({ ...NONE, ...differences }, 'a.yaml', 'b.yaml')

test('says that there are no differences', t => {
  t.is(markdown({}), '## Changes of the recipe\n\nFrom `a.yaml` to `b.yaml`: no differences.')
})

test('lists differences by section, with those that differ in their subject only in one line', t => {
  const shown = markdown({
    api: [
      { change: 'remove', subject: 'GET /v1/a', breaks: 'requests fail with 404' },
      { change: 'remove', subject: 'GET /v1/b', breaks: 'requests fail with 404' },
    ],
    data: [{ change: 'add', subject: 'collection books', detail: 'title' }],
  })
  t.deepEqual(shown.split('\n').slice(2), [
    'From `a.yaml` to `b.yaml`: 3 differences, **2 breaking**.',
    '',
    '### API',
    '',
    '- Removed `GET /v1/a`, `GET /v1/b`. **Breaking:** requests fail with 404',
    '',
    '### Data',
    '',
    '- Added `collection books`: title',
  ])
})

test('no text is read as markup, a mention, an issue or a line of its own', t => {
  const detail = '<img src=x> @octocat #1 [a](http://x) **b** `c`\n## Title'
  const shown = markdown({ settings: [{ change: 'change', subject: 'product.`name`', detail }] })
  t.is(
    shown.split('\n').at(-1),
    '- Changed `` product.`name` ``: \\<img src=x> @<!-- -->octocat #<!-- -->1 \\[a](http://x) \\*\\*b\\*\\* \\`c\\` ## Title',
  )
})

test('fits a comment of 65,536 characters, and leaves out breaking differences last', t => {
  const api = Array.from({ length: 5000 }, (_, n) => ({
    change: 'change' as const,
    subject: `GET /v1/${n}`,
    detail: `${n}`,
    ...(n === 4999 && { breaks: 'all' }),
  }))
  const shown = markdown({ api, settings: [{ change: 'change', subject: 'x', detail: 'y'.repeat(100_000) }] })
  t.true(shown.length < 65_000)
  t.regex(shown, /- Changed `GET \/v1\/4999`: 4999\. \*\*Breaking:\*\* all/)
  t.regex(shown, /^- \d+ more: see `--json`$/m)
})

test('counts breaking differences of all sections', t => {
  const breaking = { change: 'remove' as const, subject: 'a', breaks: 'b' }
  t.is(breakingOf({ ...NONE, api: [breaking], data: [breaking, { change: 'add', subject: 'c' }] }).length, 2)
})

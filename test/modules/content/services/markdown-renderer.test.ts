import test from 'ava'
import { Problem } from '../../../../kernel/base/problem.ts'
import { createMarkdownRenderer } from '../../../../modules/content/services/markdown-renderer.ts'
import { createWorkerPool } from '../../../../services/threads/worker-pool.ts'
import { withTenthOfTime } from '../../../fixtures/worker-pool.ts'

const workerPool = createWorkerPool()
test.after.always(() => workerPool.close())
const renderer = createMarkdownRenderer({ workerPool })
const render = (text: string) => renderer.render('ten_a', text)

test('renders the same HTML in a worker thread and on this thread', async t => {
  const text = '# Hi\n\n*you* <b onclick="x()">x</b>\n\n'.repeat(10)
  const { body, html } = await render(text)
  t.is(body, text)
  t.is(html, '<h1>Hi</h1>\n<p><em>you</em> <b>x</b></p>\n'.repeat(10))
  t.deepEqual(await renderer.renderTrusted(text), { body, html })
})

test('renders a short text with little markup without a worker thread', async t => {
  let tasks = 0
  const run: typeof workerPool.run = (...args) => {
    tasks++
    return workerPool.run(...args)
  }
  const counting = createMarkdownRenderer({ workerPool: { run } })
  t.is((await counting.render('ten_a', '*you* <i onclick="x()">x</i>')).html, '<p><em>you</em> <i>x</i></p>\n')
  await counting.render('ten_a', 'word '.repeat(200))
  t.is(tasks, 0)
  await counting.render('ten_a', 'word '.repeat(201))
  await counting.render('ten_a', '>'.repeat(41))
  t.is(tasks, 2)
})

test('rejects a body over the time limit', async t => {
  const hurried = createMarkdownRenderer({ workerPool: withTenthOfTime(workerPool) })
  // Sanitizing nested elements takes quadratic time: about 6 s.
  const error = await t.throwsAsync(hurried.render('ten_a', '<b>'.repeat(100_000)))
  t.true(Problem.is(error) && error.code === 'body_too_costly' && error.status === 422, String(error))
  t.is((await hurried.render('ten_a', '[x')).html, '<p>[x</p>\n', 'the next body renders')
})

test('rejects a body whose HTML is too large', async t => {
  const error = await t.throwsAsync(render('&'.repeat(300_000)))
  t.true(Problem.is(error) && error.code === 'body_too_costly', String(error))
})

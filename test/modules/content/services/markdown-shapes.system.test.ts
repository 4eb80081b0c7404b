import test from 'ava'
import { Problem } from '../../../../kernel/base/problem.ts'
import { createMarkdownRenderer } from '../../../../modules/content/services/markdown-renderer.ts'
import { createWorkerPool } from '../../../../services/threads/worker-pool.ts'

const workerPool = createWorkerPool()
test.after.always(() => workerPool.close())
const renderer = createMarkdownRenderer({ workerPool })
const render = (text: string) => renderer.render('ten_a', text)

test('renders or rejects 200,000 characters of slow input within the limit', async t => {
  const size = 200_000
  const shapes = [
    '>',
    '[',
    '![',
    '*a_',
    '`',
    '<',
    '- ',
    '\\',
    '[a](',
    '<!--',
    '|',
    '&',
    '<b>',
    '*',
    '~~',
    'a**b',
    '\n>',
    '```\n',
    '[]: ',
    'http://',
  ]
  for (const shape of shapes) {
    const text = shape.repeat(Math.floor(size / shape.length))
    const started = performance.now()
    try {
      await render(text)
    } catch (error) {
      t.true(Problem.is(error) && error.code === 'body_too_costly', `${shape}: ${String(error).slice(0, 200)}`)
    }
    t.log(`${JSON.stringify(shape)} ${Math.round(performance.now() - started)} ms`)
  }
  t.is((await render('[x')).html, '<p>[x</p>\n', 'the next body renders')
})

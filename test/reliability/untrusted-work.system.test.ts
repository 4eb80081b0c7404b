/** Costly work for one tenant or visitor must not delay the requests of others. */
import test from 'ava'
import { threadCpuMs } from '../../kernel/base/execution-limits.ts'
import { type Person, startTestKernel, type TestKernel, type TestResponse } from '../../testing/index.ts'
import { markdownTables } from './markdown-tables.ts'

let kernel: TestKernel
let ada: Person
test.before(async () => {
  kernel = await startTestKernel({
    recipe: { modules: { identity: {}, comms: { transport: 'mailbox' }, content: {}, forms: {} } },
  })
  ada = await kernel.register('ada@example.test')
})
test.after.always(() => kernel?.stop())

interface Observed {
  readonly answer: TestResponse<{ code?: string; detail?: string; errors?: { pointer: string; code: string }[] }>
  /** Milliseconds that the request took. */
  readonly duration: number
  /** CPU time, in milliseconds, that this thread used between two turns of the event loop, at most. */
  readonly longestTurn: number
  /** Whether another request, sent after this one, was answered before it. */
  readonly overtaken: boolean
}

async function observe(request: () => Promise<TestResponse<unknown>>): Promise<Observed> {
  let longestTurn = 0
  let used = threadTime()
  const turns = setInterval(() => {
    const now = threadTime()
    longestTurn = Math.max(longestTurn, now - used)
    used = now
  }, 5)
  const started = performance.now()
  let isDone = false
  const heavy = request().finally(() => {
    isDone = true
  })
  // By now the server handles the first request.
  await new Promise(resolve => setTimeout(resolve, 100))
  await kernel.get('/v1/health')
  const overtaken = !isDone
  const answer = await heavy
  const duration = performance.now() - started
  clearInterval(turns)
  return { answer: answer as Observed['answer'], duration, longestTurn, overtaken }
}

/** Elapsed time, where the system doesn't report the CPU time of a thread. */
const threadTime = (): number => threadCpuMs() ?? performance.now()

type HeavyRequest = readonly [
  title: string,
  request: () => Promise<TestResponse<unknown>>,
  status: number,
  body: object,
]

/** The body of a rejection names the limit that the request exceeds. */
const HEAVY: readonly HeavyRequest[] = [
  [
    'Markdown tables',
    () => ada.post('/v1/content/pages', { slug: 'tables', title: 'Tables', body: markdownTables() }),
    422,
    { code: 'body_too_costly' },
  ],
  [
    'style rules in an email template',
    () =>
      preview({
        html: `<style>${'b ~ p,u:nth-child(2n+1) ~ p{color:red}'.repeat(900)}</style>${'<p>x'.repeat(7000)}`,
      }),
    422,
    { code: 'template_failed' },
  ],
  [
    'nested loops in an email template',
    () => {
      const loops = '{{#each list}}{{#each @root.list}}{{#each @root.list}}{{/each}}{{/each}}{{/each}}'
      return preview({ html: loops }, { list: Array.from({ length: 3000 }, () => 'x') })
    },
    422,
    { code: 'template_failed' },
  ],
  [
    'a pattern of a form',
    () => submit({ type: 'string', pattern: '(\\p{L}|\\p{N}){1,1000}$' }, 'x'.repeat(200_000)),
    422,
    { code: 'validation_failed', errors: [{ pointer: '/data', code: 'too_costly' }] },
  ],
  [
    'a large schema of a form',
    () => ada.post('/v1/forms', { name: 'Large', schema: largeSchema() }),
    201,
    { name: 'Large' },
  ],
]

for (const [title, request, status, body] of HEAVY)
  test.serial(`answers other requests while it ${status === 422 ? 'rejects' : 'accepts'} ${title}`, async t => {
    const { answer, duration, longestTurn, overtaken } = await observe(request)
    t.log(`${Math.round(duration)} ms, longest turn ${Math.round(longestTurn)} ms`)
    t.is(answer.status, status, JSON.stringify(answer.body).slice(0, 500))
    t.like(answer.body, body)
    // The speed of the machine is unknown.
    t.true(longestTurn < duration / 2)
    t.true(overtaken)
  })

const preview = (draft: { html: string }, data: object = {}): Promise<TestResponse<unknown>> =>
  ada.post('/v1/communications/templates/comms.test/preview', { draft: { subject: 'Draft', ...draft }, data })

/** Anybody may submit the form. */
async function submit(field: object, value: string): Promise<TestResponse<unknown>> {
  const form = { name: 'Field', access: 'public', schema: { type: 'object', properties: { field } } }
  const { body } = await ada.post('/v1/forms', form)
  return kernel.post(`/v1/forms/${body.id}/submit`, { data: { field: value } })
}

const largeSchema = () => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 900 }, (_, n) => [`f${n}`, { type: 'string', maxLength: n + 1 }]),
  ),
})

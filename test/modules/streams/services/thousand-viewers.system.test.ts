import { randomUUID } from 'node:crypto'
import test from 'ava'
import { addToken, ask, liveStream, startWithEdge, stopWithEdge, usesOf } from './edge-fixtures.ts'

test('admits no more than the uses of a token among a thousand viewers at once', async t => {
  const context = await startWithEdge()
  t.teardown(() => stopWithEdge(context))
  const { kernel, ada } = context
  const { id, path, join_token } = await liveStream(context)
  const { token } = await addToken(ada, id, { role: 'viewer', max_uses: 100 })
  const admission = (secret: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, () => ask(kernel, { action: 'read', path, token: secret, id: randomUUID() })),
    )
  const answers = Promise.all([admission(token, 600), admission(join_token, 200), admission('st_wrong', 200)])
  let isOver = false
  const health = (async () => {
    const seen: number[] = []
    do seen.push((await kernel.get('/v1/health/readiness')).status)
    while (!isOver)
    return seen
  })()
  const [limited = [], joined = [], wrong = []] = await answers
  isOver = true
  t.deepEqual(countBy(limited), { 204: 100, 401: 500 })
  t.deepEqual(countBy(joined), { 204: 200 })
  t.deepEqual(countBy(wrong), { 401: 200 })
  t.deepEqual([...new Set(await health)], [200])
  t.deepEqual(await usesOf(ada, id), [100])
})

const countBy = (values: readonly number[]): Record<number, number> =>
  Object.fromEntries([...new Set(values)].sort().map(value => [value, values.filter(other => other === value).length]))

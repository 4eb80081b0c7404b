import test from 'ava'
import { peopleOf } from '../../fixtures/people.ts'
import { dial, type TopicClient } from '../../fixtures/topics.ts'
import { startTopics } from './fixtures.ts'

test('1,000 sockets of one person from one address leave the limit open, and the server answers', async t => {
  const kernel = await startTopics({ env: { REALTIME_SOCKETS_PER_PERSON: '3' } })
  t.teardown(() => kernel.stop())
  const eve = await peopleOf(kernel).person()
  const hello = { token: eve.token, tenantId: eve.tenantId }
  const answers: { client: TopicClient; answer: unknown }[] = []
  const open = async () => {
    const client = await dial(kernel.url)
    const { type, data } = await client.request('hello', hello)
    answers.push({ client, answer: data.code ?? type })
  }
  for (let count = 0; count < 1000; count += 50) await Promise.all(Array.from({ length: 50 }, open))
  const count = (wanted: string) => answers.filter(({ answer }) => answer === wanted).length
  t.is(count('welcome'), 3)
  t.is(count('too_many_sockets'), 997)
  t.is((await fetch(`${kernel.url}/v1/health`)).status, 200)
  for (const { client } of answers) client.cut()
})

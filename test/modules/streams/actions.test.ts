import test from 'ava'
import { ACTIONS, runAction, runAndFail } from '../../fixtures/actions.ts'
import type { Listed } from '../../fixtures/people.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const { kernel, people } = withPeople(test, ACTIONS)

test('creates a stream without revealing its join token', async t => {
  const ada = await people.person()
  const output = await runAction(kernel.kernel, 'streams.create', { title: 'Launch', tags: ['product'] }, ada)
  const { id, code } = output as { id: string; code: string }
  t.like((await ada.get(`/v1/streams/${id}`)).body, { code, title: 'Launch', visibility: 'private', tags: ['product'] })
  t.false(JSON.stringify(output).includes('jt_'))
})

test('an automation ends a stream as a session', async t => {
  const ada = await people.person()
  const { id } = (await runAction(kernel.kernel, 'streams.create', { title: 'Launch' }, ada)) as { id: string }
  t.deepEqual(await runAction(kernel.kernel, 'sessions.end', { session: id }, ada), { id, status: 'ended' })
})

test('a step that fails creates no stream', async t => {
  const ada = await people.person()
  await runAndFail(kernel.kernel, 'streams.create', { title: 'Launch' }, ada)
  t.deepEqual((await ada.get<Listed<unknown>>('/v1/streams')).body.data, [])
})

test('refuses a duration that streams do not have', async t => {
  const ada = await people.person()
  const input = { title: 'Launch', ttl_seconds: 9_999_999 }
  t.is((await problemOf(t, runAction(kernel.kernel, 'streams.create', input, ada))).code, 'validation_failed')
})

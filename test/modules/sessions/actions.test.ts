import test from 'ava'
import { ACTIONS, runAction, runAndFail } from '../../fixtures/actions.ts'
import type { Listed } from '../../fixtures/people.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const { kernel, people } = withPeople(test, ACTIONS)

interface Created {
  readonly id: string
  readonly code: string
}

test('an automation creates a session without revealing its join token', async t => {
  const ada = await people.person()
  const output = await runAction(kernel.kernel, 'sessions.create', { mode: 'screenshare', customer: 'cus_42' }, ada)
  const { id, code } = output as Created
  t.like((await ada.get(`/v1/sessions/${id}`)).body, { code, status: 'created', customer: 'cus_42' })
  t.false(JSON.stringify(output).includes('jt_'))
})

test('a step that fails creates no session', async t => {
  const ada = await people.person()
  await runAndFail(kernel.kernel, 'sessions.create', { mode: 'screenshare' }, ada)
  t.deepEqual((await ada.get<Listed<unknown>>('/v1/sessions')).body.data, [])
})

test('rejects a duration that the mode does not have', async t => {
  const ada = await people.person()
  const input = { mode: 'screenshare', ttl_seconds: 86_401 }
  t.is((await problemOf(t, runAction(kernel.kernel, 'sessions.create', input, ada))).code, 'validation_failed')
})

test('an automation ends a session, once', async t => {
  const ada = await people.person()
  const { id } = (await runAction(kernel.kernel, 'sessions.create', { mode: 'screenshare' }, ada)) as Created
  const ended = { id, status: 'ended' }
  t.deepEqual(await runAction(kernel.kernel, 'sessions.end', { session: id }, ada), ended)
  t.deepEqual(await runAction(kernel.kernel, 'sessions.end', { session: id }, ada), ended)
})

test('ends no session of another workspace', async t => {
  const ada = await people.person()
  const bob = await people.person()
  const { id } = (await runAction(kernel.kernel, 'sessions.create', { mode: 'screenshare' }, ada)) as Created
  t.is((await problemOf(t, runAction(kernel.kernel, 'sessions.end', { session: id }, bob))).code, 'not_found')
  t.like((await ada.get(`/v1/sessions/${id}`)).body, { status: 'created' })
})

import test from 'ava'
import type { TestKernel } from '../../../testing/index.ts'
import { runAction, runAndFail, startActions } from '../../fixtures/actions.ts'
import { type Listed, newEmail } from '../../fixtures/people.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { shareKernel } from '../../fixtures/shared-kernel.ts'

let kernel: TestKernel
shareKernel(test, startActions, own => {
  kernel = own
})
const register = () => kernel.register(newEmail())

test('creates a stream without revealing its join token', async t => {
  const ada = await register()
  const output = await runAction(kernel.kernel, 'streams.create', { title: 'Launch', tags: ['product'] }, ada)
  const { id, code } = output as { id: string; code: string }
  t.like((await ada.get(`/v1/streams/${id}`)).body, { code, title: 'Launch', visibility: 'private', tags: ['product'] })
  t.false(JSON.stringify(output).includes('jt_'))
})

test('an automation ends a stream as a session', async t => {
  const ada = await register()
  const { id } = (await runAction(kernel.kernel, 'streams.create', { title: 'Launch' }, ada)) as { id: string }
  t.deepEqual(await runAction(kernel.kernel, 'sessions.end', { session: id }, ada), { id, status: 'ended' })
})

test('a step that fails creates no stream', async t => {
  const ada = await register()
  await runAndFail(kernel.kernel, 'streams.create', { title: 'Launch' }, ada)
  t.deepEqual((await ada.get<Listed<unknown>>('/v1/streams')).body.data, [])
})

test('refuses a duration that streams do not have', async t => {
  const ada = await register()
  const input = { title: 'Launch', ttl_seconds: 9_999_999 }
  t.is((await problemOf(t, runAction(kernel.kernel, 'streams.create', input, ada))).code, 'validation_failed')
})

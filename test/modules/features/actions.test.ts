import test from 'ava'
import type { Client } from '../../../testing/index.ts'
import { ACTIONS, mistakesOf, runAction, runAndFail } from '../../fixtures/actions.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const { kernel, people } = withPeople(test, ACTIONS)

const flagOf = async (client: Client, key: string) =>
  (await client.get<{ value: unknown }>(`/v1/features/${key}/evaluate`)).body.value

test('sets a feature for its workspace alone', async t => {
  const [ada, bob] = [await people.person(), await people.person()]
  await runAction(kernel.kernel, 'features.set', { feature: 'beta', value: true }, ada)
  t.true(await flagOf(ada, 'beta'))
  t.false(await flagOf(bob, 'beta'))
})

test('sets a feature that customers cannot override', async t => {
  const ada = await people.person()
  t.is((await ada.put('/v1/features/seats/override', { value: 9 })).status, 403)
  await runAction(kernel.kernel, 'features.set', { feature: 'seats', value: 9 }, ada)
  t.is(await flagOf(ada, 'seats'), 9)
})

test('resets a feature, and does nothing without an override', async t => {
  const ada = await people.person()
  await runAction(kernel.kernel, 'features.set', { feature: 'beta', value: true }, ada)
  await runAction(kernel.kernel, 'features.reset', { feature: 'beta' }, ada)
  await runAction(kernel.kernel, 'features.reset', { feature: 'beta' }, ada)
  t.false(await flagOf(ada, 'beta'))
})

test('a step that fails sets nothing', async t => {
  const ada = await people.person()
  await runAndFail(kernel.kernel, 'features.set', { feature: 'beta', value: true }, ada)
  t.false(await flagOf(ada, 'beta'))
})

test('refuses a value of another type, and an unknown feature', async t => {
  const ada = await people.person()
  const codeOf = async (input: Readonly<Record<string, unknown>>) =>
    (await problemOf(t, runAction(kernel.kernel, 'features.set', input, ada))).code
  t.is(await codeOf({ feature: 'beta', value: 'yes' }), 'validation_failed')
  t.is(await codeOf({ feature: 'gone', value: true }), 'not_found')
})

test('the check reports an unknown feature, and a value of another type', t => {
  const mistakes = (written: Readonly<Record<string, unknown>>) => mistakesOf(kernel.kernel, 'features.set', written)
  t.deepEqual(mistakes({ feature: 'beta', value: true }), [])
  t.deepEqual(mistakes({ feature: 'beta', value: '$input.value' }), [])
  t.deepEqual(mistakes({ feature: 'bete', value: true }), [
    'unknown_feature feature: Unknown feature "bete". Did you mean "beta"?',
  ])
  t.deepEqual(mistakes({ feature: 'seats', value: true }), [
    'wrong_type value: The feature "seats" has values of the type number. ',
  ])
})

import test from 'ava'
import { valueKind } from '../../../kernel/index.ts'
import { ACTIONS, actionOf, mistakesOf, runAction, runAndFail } from '../../fixtures/actions.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { balance, ledger } from './fixtures.ts'

const { kernel, people } = withPeople(test, ACTIONS)

const GRANT = { key: 'ai.credits', amount: 30 }

test('an automation grants credits to the workspace of its run, and the ledger names it', async t => {
  const ada = await people.person()
  const output = await runAction(kernel.kernel, 'billing.grant_credits', GRANT, ada)
  t.is(await balance(ada), 30)
  const [entry] = await ledger(ada)
  t.like(entry, { kind: 'grant', amount: 30, reason: 'automation welcome' })
  t.deepEqual(output, { entryId: entry?.id, balance: 30 })
})

test('a step that fails grants nothing', async t => {
  const ada = await people.person()
  await runAndFail(kernel.kernel, 'billing.grant_credits', GRANT, ada)
  t.is(await balance(ada), 0)
  t.deepEqual(await ledger(ada), [])
})

test('rejects credits that the product does not have, and an expiry in the past', async t => {
  const ada = await people.person()
  const run = (input: object) =>
    problemOf(t, runAction(kernel.kernel, 'billing.grant_credits', { ...GRANT, ...input }, ada))
  t.is((await run({ key: 'api.calls' })).status, 422)
  t.is((await run({ expiresAt: '2001-01-01T00:00:00Z' })).status, 422)
})

test('the check finds unknown credits, and leaves values of the run alone', t => {
  const check = (key: string) => mistakesOf(kernel.kernel, 'billing.grant_credits', { ...GRANT, key })
  t.deepEqual(check('ai.credit'), [
    'unknown_credit key: "ai.credit" is not a credit of this product. Did you mean "ai.credits"?',
  ])
  t.deepEqual(check('$input.key'), [])
  t.deepEqual(check('ai.credits'), [])
})

test('credits and their amount are written out', t => {
  const { key, amount, reason } = actionOf(kernel.kernel, 'billing.grant_credits').input.properties
  t.is(valueKind(key as object), 'literal')
  t.is(valueKind(amount as object), 'literal')
  t.is(valueKind(reason as object), undefined)
})

test('the check refuses a customer in a product of teams', t => {
  const mistakes = mistakesOf(kernel.kernel, 'billing.grant_credits', { ...GRANT, member: '$row.createdBy' })
  t.deepEqual(mistakes, [
    'no_customers member: In a product of teams, credits belong to the workspace, and not to a member. Remove this line, or set product.audience: people',
  ])
})

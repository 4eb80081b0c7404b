import test from 'ava'
import { codeOf } from '../../../fixtures/people.ts'
import { type Evaluated, FEATURES, startFixtures } from '../fixtures.ts'

test.serial('evaluates flags for another member, with their roles and the attributes of a context', async t => {
  const s = await startFixtures({
    features: {
      editor: { default: false, rules: [{ when: { roles: { contains: 'tenant.evaluator' } }, value: true }] },
      layout: { default: 'a', rules: [{ when: { userId: { exists: true }, country: 'DE' }, value: 'b' }] },
      plan: { default: 0, rules: [{ when: { plan: 'pro' }, value: 1 }] },
    },
  })
  t.teardown(s.stop)
  const [ada, stranger, operator] = [await s.person(), await s.person(), await s.operator()]
  await s.sell(ada.tenantId, 'pro')
  const bob = await s.colleague(ada, ['tenant.evaluator'])
  const explain = (userId: unknown, more: object = {}, client: typeof ada | typeof bob = ada) =>
    client.post<{ flags: Evaluated[] }>(`${FEATURES}/explain`, { userId, ...more })
  const valuesOf = ({ flags }: { flags: Evaluated[] }) =>
    Object.fromEntries(
      flags.map(({ key, value, errorCode, metadata }) => [key, [errorCode ?? value, metadata?.source]]),
    )

  const context = { country: 'DE', roles: ['tenant.owner'], userId: 'usr_other' }
  t.deepEqual(valuesOf((await explain(bob.userId, { context })).body), {
    editor: [true, 'rule'],
    layout: ['b', 'rule'],
    plan: [1, 'rule'],
  })
  t.deepEqual(valuesOf((await explain(ada.userId)).body), {
    editor: [false, 'default'],
    layout: ['a', 'default'],
    plan: [1, 'rule'],
  })
  const named = await explain(bob.userId, { keys: ['editor', 'nothing'] })
  t.deepEqual(valuesOf(named.body), { editor: [true, 'rule'], nothing: ['FLAG_NOT_FOUND', undefined] })
  t.deepEqual((await explain(bob.userId, { keys: ['editor', 'nothing'] })).body, named.body, 'repeated')

  for (const [answer, status] of [
    [await explain(stranger.userId), 404],
    [await explain('usr_01h00000000000000000000000'), 404],
    [await explain(7), 422],
    [await explain(undefined), 422],
    [await explain(bob.userId, { user: 1 }), 422],
    [await explain(bob.userId, {}, bob), 403],
    [await operator.post(`${FEATURES}/explain`, { userId: ada.userId }), 404],
    [await s.kernel.post(`${FEATURES}/explain`, { userId: ada.userId }), 401],
  ] as const)
    t.is(answer.status, status)
  t.is(codeOf(await explain(stranger.userId)), '404 not_found')
})

test.serial('operators evaluate flags for members of any workspace, and nobody else does', async t => {
  const s = await startFixtures({
    features: {
      editor: { default: false, rules: [{ when: { roles: { contains: 'tenant.evaluator' } }, value: true }] },
      plan: { default: 0, rules: [{ when: { plan: 'pro' }, value: 1 }] },
    },
  })
  t.teardown(s.stop)
  const [ada, stranger, operator] = [await s.person(), await s.person(), await s.operator()]
  await s.sell(ada.tenantId, 'pro')
  const bob = await s.colleague(ada, ['tenant.evaluator'])
  const explain = (client: typeof ada | typeof operator, tenantId: string, userId: string) =>
    client.post<{ flags: Evaluated[] }>(`${FEATURES}/admin/tenants/${tenantId}/explain`, { userId })
  const { status, body } = await explain(operator, ada.tenantId, bob.userId)
  t.is(status, 200)
  t.deepEqual(
    body.flags.map(({ key, value }) => [key, value]),
    [
      ['editor', true],
      ['plan', 1],
    ],
  )
  t.is(codeOf(await explain(operator, ada.tenantId, stranger.userId)), '404 not_found')
  t.is(codeOf(await explain(operator, 'ten_01h00000000000000000000000', bob.userId)), '404 not_found')
  t.is(codeOf(await explain(operator, '%27', bob.userId)), '404 not_found')
  t.is(codeOf(await explain(ada, ada.tenantId, bob.userId)), '403 forbidden')
})

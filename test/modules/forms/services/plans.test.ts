import test from 'ava'
import { codeOf } from '../../../fixtures/people.ts'
import { FORMS, newForm, startFixtures } from '../fixtures.ts'

test('the plan limits the number of forms, also for concurrent requests', async t => {
  const s = await startFixtures({
    modules: { billing: { provider: 'dev', defaultPlan: 'free' } },
    entitlements: { 'forms.count': { kind: 'gauge' } },
    plans: { free: { name: 'Free', price: 0, currency: 'EUR', entitlements: { 'forms.count': 2 } } },
  })
  t.teardown(s.stop)
  const ada = await s.person()
  const answers = await Promise.all(Array.from({ length: 6 }, () => ada.post(FORMS, { name: 'x', schema: {} })))
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 403, 403, 403, 403])
  const refused = await ada.post(FORMS, { name: 'x', schema: {} })
  t.is(codeOf(refused), '403 entitlement_exceeded')
  t.like(refused.body, { key: 'forms.count', limit: 2, used: 2 })
  const made = answers.find(({ status }) => status === 201)
  t.is((await ada.patch(`${FORMS}/${made?.body.id}`, { name: 'y' })).status, 200, 'existing forms can be changed')
  await ada.delete(`${FORMS}/${made?.body.id}`)
  t.truthy((await newForm(ada)).id)
})

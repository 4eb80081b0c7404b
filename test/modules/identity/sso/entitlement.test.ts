import test from 'ava'
import { codeOf, createTestClock, newEmail } from '../fixtures.ts'
import { CLIENT } from '../providers/issuer.ts'
import { CONNECTION, DOMAINS, newDomain, type SsoStage, startSso } from './fixtures.ts'

const plan = (name: string, price: number, sso: number) => ({
  ...{ name, price, currency: 'EUR', ...(price > 0 && { interval: 'month' }) },
  entitlements: { 'identity.sso': sso },
})

let stage: SsoStage
test.before(async () => {
  stage = await startSso(createTestClock(), {
    modules: { billing: { defaultPlan: 'free', provider: 'dev' } },
    recipe: {
      entitlements: { 'identity.sso': { kind: 'flag', name: 'Single sign-on' } },
      plans: { free: plan('Free', 0, 0), business: plan('Business', 5000, 1) },
    },
  })
})
test.after.always(() => stage?.stop())

test('a plan without the entitlement neither adds domains nor sets a provider', async t => {
  const owner = await stage.kernel.register(newEmail('owner'))
  t.is(codeOf(await owner.post(DOMAINS, { domain: newDomain() })), '403 entitlement_exceeded')
  t.is(codeOf(await owner.put(CONNECTION, { ...CLIENT, issuer: stage.issuer.url })), '403 entitlement_exceeded')
})

import test from 'ava'
import type { Client } from '../../../../../testing/index.ts'
import { codeOf, createTestClock, newEmail, operator, role } from '../../fixtures.ts'
import { providerBrowser } from '../providers/browser.ts'
import { CLIENT } from '../providers/issuer.ts'
import { CONNECTION, DOMAINS, newDomain, type SsoStage, startSso } from './fixtures.ts'

const plan = (name: string, price: number, sso: number, seats: number) => ({
  name,
  price,
  currency: 'EUR',
  ...(price > 0 && { interval: 'month' }),
  entitlements: { 'identity.sso': sso, 'identity.seat': seats },
})

let stage: SsoStage
let support: Client
test.before(async () => {
  stage = await startSso(createTestClock(), {
    modules: { billing: { defaultPlan: 'free', provider: 'dev' } },
    recipe: {
      entitlements: {
        'identity.sso': { kind: 'flag', name: 'Single sign-on' },
        'identity.seat': { kind: 'gauge', name: 'Seats' },
      },
      plans: { free: plan('Free', 0, 0, 2), business: plan('Business', 5000, 1, 2) },
    },
  })
  support = await operator(stage.kernel)
})
test.after.always(() => stage?.stop())

test.serial('a plan without the entitlement neither adds domains nor sets a provider', async t => {
  const owner = await stage.kernel.register(newEmail('owner'))
  t.is(codeOf(await owner.post(DOMAINS, { domain: newDomain() })), '403 entitlement_exceeded')
  t.is(codeOf(await owner.put(CONNECTION, { ...CLIENT, issuer: stage.issuer.url })), '403 entitlement_exceeded')
})

const turnTo = (tenantId: string, plan: string) =>
  support.put(`/v1/billing/admin/tenants/${tenantId}/subscription`, {
    planKey: plan,
    reason: 'a test of single sign-on',
  })

/** The owner has one of two seats. */
const onBusinessPlan = (required = false) =>
  stage.workspace({ required, registered: ({ tenantId }) => turnTo(tenantId, 'business') })
const NO_SEAT = '/sign-in?failed=sso&reason=entitlement_exceeded&next=%2F'

test.serial('a first sign-in without a free seat is refused, and creates no account', async t => {
  const { owner, email } = await onBusinessPlan()
  t.is(await stage.signIn({ email: email('ada') }), '/')
  t.is(await stage.signIn({ email: email('grace') }), NO_SEAT)
  const { body } = await support.get(`/v1/identity/admin/users?filter[email]=${encodeURIComponent(email('grace'))}`)
  t.deepEqual(body.data, [])
  const members = await owner.get('/v1/identity/members')
  t.is(members.body.data.length, 2)
})

test.serial('the seat of an invitation is that of the person who signs in', async t => {
  const { owner, email } = await onBusinessPlan()
  const roles = [await role(owner, 'custom.helper', ['identity.member.read'])]
  t.is((await owner.post('/v1/identity/members/invite', { email: email('ada'), roles, sendEmail: false })).status, 201)
  t.is(await stage.signIn({ email: email('grace') }), NO_SEAT)
  t.is(await stage.signIn({ email: email('ada') }), '/')
  const { body } = await owner.get('/v1/identity/members')
  t.true(body.data.some(member => member.roles.includes('custom.helper')))
})

test.serial('after a change to a plan without single sign-on, it and its requirement are off', async t => {
  const { owner, email } = await onBusinessPlan(true)
  const sub = 'the same person'
  t.is(await stage.signIn({ email: email('ada'), sub }), '/')
  t.is(codeOf(await turnTo(owner.tenantId, 'free')), '200')
  const { location } = await providerBrowser(stage.kernel).open(`/sign-in/sso?email=${email('ada')}`)
  t.regex(location, /^\/sign-in\/single-sign-on\?/)
  t.is(codeOf(await stage.kernel.post('/v1/auth/email-code', { email: email('ada') })), '202')
  t.is(codeOf(await turnTo(owner.tenantId, 'business')), '200')
  t.is(await stage.signIn({ email: email('ada'), sub }), '/')
})

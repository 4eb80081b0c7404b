import test from 'ava'
import { signDevWebhook } from '../../../modules/billing/services/providers/dev-provider.ts'
import type { Person } from '../../../testing/index.ts'
import { codeOf } from '../../fixtures/people.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { BILLING, billingRecipe, subscription } from './fixtures.ts'

const { kernel, clock, people } = withPeople(test, {
  recipe: billingRecipe({}, { locales: { default: 'en', available: ['en', 'de'] } }),
  clock: true,
})

const DAY_FORMAT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const HTML = { accept: 'text/html' }
const open = ({ cookie }: Person, path = '/billing') => kernel.get<string>(path, { headers: { ...HTML, cookie } })
/** Posts the form as a browser without JavaScript does. */
async function submit({ cookie }: Person, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(new URL('/billing', kernel.url), {
    method: 'POST',
    redirect: 'manual',
    headers: { ...HTML, cookie, 'sec-fetch-site': 'same-origin', origin: kernel.url, ...headers },
    body: new URLSearchParams(fields),
  })
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}

test('shows the plan, its usage, and all plans', async t => {
  const ada = await people.person()
  const { status, body } = await open(ada)
  t.is(status, 200)
  t.regex(body, /<h2>Free<\/h2>/)
  t.regex(body, /<span>Seat<\/span>\s*<b>1 of 3<\/b><progress max="100" value="33" aria-label="Seat">/)
  t.regex(body, /€29\.00/)
  t.regex(body, /100 GiB/)
  t.regex(body, /14-day free trial/)
  t.regex(body, /<button>Choose Pro<\/button>/)
  t.notRegex(body, /Choose Free/)
  t.notRegex(body, /Cancel subscription/)
})

test('buys, cancels and resumes a plan with forms', async t => {
  const ada = await people.person()
  const bought = await submit(ada, { action: 'checkout', planKey: 'pro' })
  t.is(bought.status, 303)
  t.is(bought.location, '/billing?done=complete')
  const after = (await open(ada, bought.location as string)).body
  t.regex(after, /You&#x27;re now on Pro\./)
  t.notRegex((await open(ada, '/billing?done=constructor')).body, /role="status"/)
  t.regex(after, /<h2>Pro <span class="badge good">Trial<\/span><\/h2>/)
  t.regex(after, /<b>1 of 25<\/b>/)
  const { currentPeriodEnd } = await subscription(ada)
  const day = DAY_FORMAT.format(new Date(String(currentPeriodEnd)))
  t.true(after.includes(`<dd>1,000 <span class="muted">(expires ${day})</span>`), day)
  t.is((await submit(ada, { action: 'cancel' })).location, '/billing?done=ends')
  t.regex((await open(ada)).body, /Ends on .*<button>Keep subscription<\/button>/s)
  t.is((await submit(ada, { action: 'resume' })).location, '/billing?done=resumed')
  t.false((await subscription(ada)).cancelAtPeriodEnd)
})

test('offers no trial to a workspace that had one', async t => {
  const ada = await people.person()
  await ada.post(`${BILLING}/checkout`, { planKey: 'pro' })
  await ada.post(`${BILLING}/subscription/cancel`, { when: 'now' })
  const { body } = await open(ada)
  t.regex(body, /<button>Choose Pro<\/button>/)
  t.notRegex(body, /cost nothing/)
})

test('shows errors on the page, and rejects cross-site and unauthenticated requests', async t => {
  const ada = await people.person()
  const wrong = await submit(ada, { action: 'checkout', planKey: 'gold' })
  t.is(wrong.status, 422)
  t.regex(wrong.text, /role="alert">The plan isn&#x27;t available\./)
  t.is((await submit(ada, { action: 'resume' })).status, 409)
  const german = { 'accept-language': 'de' }
  t.regex((await submit(ada, { action: 'checkout', planKey: 'gold' }, german)).text, /Dieser Tarif ist nicht verfügbar/)
  t.regex(
    (await submit(ada, { action: 'resume' }, german)).text,
    /Es gibt kein gekündigtes Abonnement, das fortgesetzt werden kann\./,
  )
  const foreign = await submit(
    ada,
    { action: 'checkout', planKey: 'pro' },
    { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
  )
  t.is(foreign.status, 403)
  t.is((await subscription(ada)).state, 'free')
  t.is((await kernel.get('/billing', { headers: HTML })).headers.get('location'), '/sign-in?next=%2Fbilling')
})

test('rejects webhooks that the development provider did not sign', async t => {
  const ada = await people.person()
  await kernel.settled()
  const { secrets } = kernel.kernel.ports
  const now = clock.now()
  const change = { type: 'checkout', planKey: 'team', trialEndsAt: null, periodEnd: now + 1e9 }
  const event = { id: 'evt_1', at: now, tenantId: ada.tenantId, customer: null, subscription: 'sub_1', change }
  const payload = JSON.stringify(event)
  const post = (body: string, signature: string) =>
    kernel.post(`${BILLING}/webhook`, body, { headers: { 'larder-signature': signature } })
  t.is(codeOf(await post(payload, `t=${Math.floor(now / 1000)},v1=${'x'.repeat(43)}`)), '400 bad_signature')
  t.is(codeOf(await post(payload, signDevWebhook({ secrets }, payload, now - 301_000))), '400 bad_signature')
  t.is(codeOf(await post('[]', signDevWebhook({ secrets }, '[]', now))), '400 not_a_webhook')
  t.is(codeOf(await kernel.post(`${BILLING}/webhook`, payload)), '400 bad_signature')
  t.is((await post(payload, signDevWebhook({ secrets }, payload, now))).body.new, 1)
  t.is((await post(payload, signDevWebhook({ secrets }, payload, now))).body.new, 0)
  await kernel.settled()
  t.like(await subscription(ada), { state: 'active', planKey: 'team' })
})

test('says of a plan that an operator gives that it is given, and of no other', async t => {
  const [ada, bob, operator] = [await people.person(), await people.person(), await people.operator()]
  const path = `${BILLING}/admin/tenants/${ada.tenantId}/subscription`
  t.is((await operator.put(path as never, { planKey: 'pro', reason: 'Agreed' } as never)).status, 200)
  const { body } = await open(ada)
  t.regex(body, /<h2>Pro <span class="badge good">Given<\/span><\/h2>/)
  t.regex(body, /you pay nothing for it/)
  t.notRegex(body, /Renews on/)
  t.notRegex(body, /Trial ends/)
  await submit(bob, { action: 'checkout', planKey: 'team' })
  const bought = (await open(bob)).body
  t.regex(bought, /<h2>Team <span class="badge good">Active<\/span><\/h2>/)
  t.notRegex(bought, /you pay nothing/)
  t.regex(bought, /<span>Calls<\/span>\s*<b class="muted">Not included<\/b>\s*<\/li>/)
})

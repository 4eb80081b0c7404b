/** The dialog of the members page that invites people. */
import test from 'ava'
import type { Person } from '../../../../../../testing/index.ts'
import { race } from '../../../../../fixtures/race.ts'
import { withPeople } from '../../../../../fixtures/with-people.ts'
import { colleague, newEmail, role } from '../../../fixtures.ts'
import { type Visitor, visitor } from '../../../pages/forms.ts'

const SEATS = 4
const plan = (seats: number) => ({
  price: 0,
  currency: 'EUR',
  interval: 'month',
  entitlements: { 'identity.seat': seats },
})
const { kernel } = withPeople(test, {
  recipe: {
    modules: { identity: {}, comms: {}, billing: { defaultPlan: 'free' } },
    entitlements: { 'identity.seat': { name: 'Seats', kind: 'gauge' } },
    plans: { free: { name: 'Free', ...plan(SEATS) } },
  },
  alone: true,
})

const PATH = '/workspace/members'
const newOwner = () => kernel.register(newEmail('owner'), { workspaceName: 'Engines' })
const as = ({ cookie, tenantId }: Person): Visitor => visitor(kernel, `${cookie}; platform_tenant=${tenantId}`)
const invite = (page: Visitor, form: Readonly<Record<string, string>>) =>
  page.submit(PATH, { intent: 'invite', ...form })
const pending = async (owner: Person) =>
  (await owner.get('/v1/identity/invitations?filter[status]=pending')).body.data.map(
    ({ email, roles }) => [email, roles.toSorted()] as const,
  )
const isOpen = (html: string): boolean => /<dialog [^>]*id="invite"[^>]* open>/.test(html)
/** The rows of the form: address, chosen role, and the reason why the person wasn't invited. */
const rowsOf = (html: string) =>
  [...html.matchAll(/name="email:\d+" value="([^"]*)"[\s\S]*?value="([\w.]+)" selected[\s\S]*?<\/div>\n([^\n]*)/g)].map(
    ([, email = '', chosen, rest = '']) => [email, chosen, />([^<]+)<\/p>/.exec(rest)?.[1] ?? ''] as const,
  )

test('each person gets the role of their row', async t => {
  const owner = await newOwner()
  await role(owner, 'team.support', ['identity.member.read'])
  const [one, two] = [newEmail('one'), newEmail('two')]
  const form = { 'email:1': one, 'role:1': 'tenant.member', 'email:2': two, 'role:2': 'team.support', 'email:3': '' }
  const sent = await invite(as(owner), form)
  t.is(sent.status, 200)
  t.false(isOpen(sent.text))
  t.deepEqual((await pending(owner)).toSorted(), [
    [one, ['tenant.member']],
    [two, ['team.support']],
  ])
})

test('a list of addresses becomes rows, and nothing is sent before', async t => {
  const owner = await newOwner()
  await role(owner, 'team.support', ['identity.member.read'])
  const shown = await invite(as(owner), { emails: 'one@x.test, two@x.test', role: 'team.support', step: 'each' })
  t.is(shown.status, 200)
  t.true(isOpen(shown.text))
  t.deepEqual(rowsOf(shown.text), [
    ['one@x.test', 'team.support', ''],
    ['two@x.test', 'team.support', ''],
    ['', 'tenant.member', ''],
  ])
  t.deepEqual(await pending(owner), [])
})

test('each address that fails stays in the dialog with its role and its reason', async t => {
  const owner = await newOwner()
  await role(owner, 'team.support', ['identity.member.read'])
  const { person } = await colleague(kernel, owner, ['tenant.member'])
  const free = SEATS - 2
  const guests = Array.from({ length: free + 1 }, (_, n) => `guest${n}.${owner.userId}@x.test`)
  const emails = ['nobody', person.email, ...guests].join('\n')
  const { status, text } = await invite(as(owner), { emails, role: 'team.support' })
  t.is(status, 200)
  t.true(isOpen(text))
  t.deepEqual(rowsOf(text), [
    ['nobody', 'team.support', 'This isn&#x27;t an email address.'],
    [person.email, 'team.support', 'This person is already a member. Change their roles instead.'],
    [guests[free], 'team.support', 'All seats of your plan are taken.'],
  ])
  t.deepEqual((await pending(owner)).map(([email]) => email).toSorted(), guests.slice(0, free).toSorted())
})

test('an invitation that is sent again says so', async t => {
  const owner = await newOwner()
  const email = newEmail('guest')
  t.regex((await invite(as(owner), { emails: email })).text, new RegExp(`<strong>Invited:</strong> ${email}`))
  const again = await invite(as(owner), { emails: email })
  t.regex(again.text, new RegExp(`<strong>Invited again, with a new link:</strong> ${email}`))
  t.notRegex(again.text, /<strong>Invited:/)
  t.deepEqual(await pending(owner), [[email, ['tenant.member']]])
})

test('a form that is sent twice at once invites everybody once', async t => {
  const owner = await newOwner()
  const [one, two] = [newEmail('one'), newEmail('two')]
  const send = () => invite(as(owner), { emails: `${one} ${two}` })
  const hold = `select from identity_tenants where tenant_id = '${owner.tenantId}' for update`
  const answers = await race(kernel.databaseUrl, hold, [send, send])
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  t.deepEqual((await pending(owner)).map(([email]) => email).toSorted(), [one, two].toSorted())
})

test('a form without an address says what is missing', async t => {
  const owner = await newOwner()
  const { status, text } = await invite(as(owner), { emails: ' , ' })
  t.is(status, 422)
  t.true(isOpen(text))
  t.regex(text, /Enter at least one email address/)
})

test('people beyond the limit of one form stay in the dialog', async t => {
  const owner = await newOwner()
  const emails = Array.from({ length: 52 }, (_, n) => `guest${n}@x.test`).join(',')
  const { text } = await invite(as(owner), { emails })
  t.is(rowsOf(text).filter(([, , reason]) => reason.startsWith('At most 50 people')).length, 2)
})

test('a role that the caller may not grant refuses the form before anybody is invited', async t => {
  const owner = await newOwner()
  await role(owner, 'team.host', ['identity.member.*', 'identity.invitation.*'])
  const host = await colleague(kernel, owner, ['team.host'])
  const page = visitor(kernel, `${host.person.cookie}; platform_tenant=${owner.tenantId}`)
  const form = {
    'email:1': newEmail('one'),
    'role:1': 'team.host',
    'email:2': newEmail('two'),
    'role:2': 'tenant.owner',
  }
  const { status, text } = await invite(page, form)
  t.is(status, 403)
  t.true(isOpen(text))
  t.deepEqual(await pending(owner), [])
})

test('roles are offered in the order of their use, owners last, with what they may do', async t => {
  const owner = await newOwner()
  await role(owner, 'team.alpha', ['identity.audit.read'])
  await role(owner, 'team.beta', [
    'identity.member.read',
    'identity.role.read',
    'identity.audit.read',
    'identity.sso.read',
  ])
  await colleague(kernel, owner, ['team.beta'])
  const { body } = await as(owner).open(`${PATH}?invite=1`)
  t.true(isOpen(body))
  const words = /<dl class="facts">([\s\S]*?)<\/dl>/.exec(body)?.[1] ?? ''
  const named = [...words.matchAll(/<dt>([^<]+)<\/dt><dd>\s*([^<]*?)\s*<\/dd>/g)].map(([, name, said]) => [name, said])
  t.deepEqual(
    named.filter(([name]) => name !== 'Billing'),
    [
      ['Member', 'Reads pages'],
      ['team.beta', 'View members, View roles, View single sign-on and 1 more'],
      ['team.alpha', 'View the audit log'],
      ['Owner', 'May do everything, including deleting the workspace'],
    ],
  )
})

test('a pending invitation is sent again and revoked on the page of the members', async t => {
  const owner = await newOwner()
  const email = newEmail('guest')
  const { body } = await owner.post('/v1/identity/members/invite', { email })
  const page = as(owner)
  const change = async (intent: string) => (await page.submit(PATH, { intent, id: body.id ?? '' })).location
  t.is(await change('resend'), `${PATH}?done=resent`)
  t.is(await change('revoke'), `${PATH}?done=revoked`)
  t.deepEqual(await pending(owner), [])
})

test('who may invite sees how many seats are used, and where there are more once all are', async t => {
  const owner = await newOwner()
  const seatsIn = async (person: Person) =>
    />([^<>]* seats used[^\n]*)<\/p>/.exec((await as(person).open(PATH)).body)?.[1]
  t.is(await seatsIn(owner), `1 of ${SEATS} seats used`)
  await invite(as(owner), { emails: Array.from({ length: SEATS - 1 }, (_, at) => newEmail(`p${at}`)).join(' ') })
  t.is(await seatsIn(owner), `${SEATS} of ${SEATS} seats used · <a href="/billing">See all plans</a>`)
})

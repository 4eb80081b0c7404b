import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { codeOf, colleague, fieldErrors, newEmail, operator } from '../fixtures.ts'
import { visitor } from '../pages/forms.ts'
import { tokenIn } from '../pages/mail-tokens.ts'

const { kernel } = withPeople(test, {
  recipe: {
    modules: { identity: {}, comms: {}, collections: {} },
    locales: { default: 'en', available: ['en', 'de'] },
    profile: {
      user: {
        fields: {
          phone: { type: 'text', maxLength: 20, label: { en: 'Phone', de: 'Telefon' } },
          size: { type: 'enum', values: ['s', 'm'], default: 'm' },
          born: { type: 'date', max: '2020-12-31' },
          links: { type: 'json', schema: { type: 'array', items: { type: 'string' } } },
          seen: { type: 'datetime' },
        },
      },
      member: { fields: { position: { type: 'text', required: true }, rate: { type: 'money', currency: 'EUR' } } },
    },
  },
  alone: true,
})
/** With fields that people must fill in, and with codes by email. */
const { kernel: strict } = withPeople(test, {
  recipe: {
    modules: { identity: { signIn: { password: {}, emailLink: {} } }, comms: {}, collections: {} },
    profile: {
      user: {
        fields: {
          // The name of another input of the page.
          name: { type: 'text', required: true, maxLength: 20, label: 'Company' },
          country: { type: 'enum', values: ['de', 'fr'], required: true, default: 'de' },
          phone: { type: 'text' },
        },
      },
    },
  },
  alone: true,
})

interface Account {
  readonly profile: object
}
const EMPTY = { phone: null, size: 'm', born: null, links: null, seen: null }
const profileOf = async ({ get }: Person) => (await get<Account>('/v1/auth/me')).body.profile
const change = (person: Person, profile: object) => person.patch('/v1/auth/me', { profile })
const memberOf = async (person: Person) => (await person.get('/v1/identity/members')).body.data[0]

test('a person changes the fields of the recipe, and removes a value with null', async t => {
  const ada = await kernel.register(newEmail('ada'))
  t.deepEqual(await profileOf(ada), EMPTY)
  t.deepEqual((await change(ada, { phone: '030 1234', born: '1815-12-10' })).body.profile, {
    ...EMPTY,
    phone: '030 1234',
    born: '1815-12-10',
  })
  t.deepEqual((await change(ada, { born: null })).body.profile, { ...EMPTY, phone: '030 1234' })
  t.deepEqual(await profileOf(ada), { ...EMPTY, phone: '030 1234' })
})

test('wrong values are reported with pointers, and nothing is saved', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const refused = await change(ada, { phone: '1'.repeat(21), size: 'xl', born: '2021-01-01', shoe: 44 })
  t.is(refused.status, 422)
  t.deepEqual(fieldErrors(refused), [
    '/profile/born invalid',
    '/profile/phone invalid',
    '/profile/shoe unknown_field',
    '/profile/size invalid',
  ])
  t.deepEqual(await profileOf(ada), EMPTY)
})

test('one wrong value refuses the whole change of an account', async t => {
  const ada = await kernel.register(newEmail('ada'), { name: 'Ada' })
  const refused = [
    { name: 'Eve', profile: { size: 'xl' } },
    { timeZone: 'Mars/Olympus', profile: { phone: '030 1234' } },
  ]
  for (const body of refused) t.is((await ada.patch('/v1/auth/me', body)).status, 422)
  const { body } = await ada.get('/v1/auth/me')
  t.is(body.user.name, 'Ada')
  t.deepEqual(body.profile, EMPTY)
})

test('the account page shows the fields, saves them, and shows mistakes beside them', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const browser = visitor(kernel, ada.cookie, { 'accept-language': 'de' })
  t.regex((await browser.open('/account')).body, /Telefon/)
  const wrong = await browser.submit('/account/details', { 'profile.phone': '1'.repeat(21), 'profile.size': 's' })
  t.is(wrong.status, 422)
  t.regex(wrong.text, /aria-invalid="true"/)
  t.is(
    (await browser.submit('/account/details', { 'profile.size': 's', 'profile.born': '1815-12-10' })).location,
    '/account?done=saved',
  )
  t.deepEqual(await profileOf(ada), { ...EMPTY, size: 's', born: '1815-12-10' })
})

test('the fields of a member are changed by those who may update members', async t => {
  const owner = await kernel.register(newEmail('owner'))
  const member = await colleague(kernel, owner, ['tenant.member'])
  const path = `/v1/identity/members/${member.memberId}`
  const profile = { position: 'Engineer', rate: 4950 }
  t.deepEqual((await owner.patch<Account>(path, { profile })).body.profile, profile)
  t.is(codeOf(await member.patch<never>(path, { profile })), '403 forbidden')
  t.deepEqual(fieldErrors(await owner.patch(path, { profile: { position: null } })), ['/profile/position required'])
  const stranger = await kernel.register(newEmail('stranger'))
  t.is(codeOf(await stranger.patch<never>(path, { profile })), '404 not_found')
})

test('the page of a member saves its fields', async t => {
  const owner = await kernel.register(newEmail('owner'))
  const { id = '' } = (await memberOf(owner)) ?? {}
  const browser = visitor(kernel, owner.cookie)
  t.regex((await browser.open(`/workspace/members/${id}`)).body, /Position/)
  const saved = await browser.submit(`/workspace/members/${id}/details`, {
    'profile.position': 'Founder',
    'profile.rate': '49.50',
  })
  t.is(saved.location, `/workspace/members/${id}?done=saved`)
  t.deepEqual((await memberOf(owner))?.profile, { position: 'Founder', rate: 4950 })
})

test('the export contains the fields of the person and of their memberships', async t => {
  const ada = await kernel.register(newEmail('ada'))
  await change(ada, { phone: '030 1234' })
  const { body } = await ada.get('/v1/auth/me/export')
  t.deepEqual(body.profile, { ...EMPTY, phone: '030 1234' })
  t.deepEqual(body.memberProfiles, [{ tenantId: ada.tenantId, profile: { position: null, rate: null } }])
})

test('values are kept as later reads return them, and JSON matches its schema', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const links = ['https://ada.example', 'a\u{1f600}']
  const changed = await change(ada, { seen: '2026-01-31T12:00:00+02:00', links })
  t.deepEqual(changed.body.profile, { ...EMPTY, seen: '2026-01-31T10:00:00.000Z', links })
  t.deepEqual(fieldErrors(await change(ada, { links: [1, 2] })), [
    '/profile/links/0 wrong_type',
    '/profile/links/1 wrong_type',
  ])
  t.deepEqual(await profileOf(ada), changed.body.profile)
})

test('a profile has a size, and texts have no NUL', async t => {
  const ada = await kernel.register(newEmail('ada'))
  t.deepEqual(fieldErrors(await change(ada, { size: 's', links: Array(9000).fill('four') })), [
    '/profile/links too_long',
  ])
  t.deepEqual(fieldErrors(await change(ada, { phone: 'a\0b' })), ['/profile/phone not_allowed'])
  t.is((await change(ada, { links: ['a\0b'] })).status, 422)
  t.is((await change(ada, { phone: 'a\ud800b' })).status, 422)
  t.deepEqual(await profileOf(ada), EMPTY)
})

test('the page shows JSON as text, and the mistake beside a text that is none', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const browser = visitor(kernel, ada.cookie)
  await browser.submit('/account/details', { 'profile.links': '["a"]' })
  t.deepEqual(await profileOf(ada), { ...EMPTY, size: null, links: ['a'] })
  t.regex((await browser.open('/account')).body, /\[\s*&quot;a&quot;\s*\]/)
  const wrong = await browser.submit('/account/details', { 'profile.links': '[a]', 'profile.born': 'soon' })
  t.is(wrong.status, 422)
  t.regex(wrong.text, /id="profile-links-error">Links must be JSON\./)
  t.regex(wrong.text, /id="profile-born-error">Born must be a date/)
  t.regex(wrong.text, /\[a\]<\/textarea>/)
  const german = visitor(kernel, ada.cookie, { 'accept-language': 'de' })
  const refused = await german.submit('/account/details', { 'profile.links': '[a]' })
  t.regex(refused.text, /id="profile-links-error">Links muss JSON sein\./)
  const inside = await german.submit('/account/details', { 'profile.links': '["a", 1]' })
  t.regex(inside.text, /id="profile-links-error">Links \/1 muss ein Text sein\./)
})

const entriesOf = async (person: Person, action: string) =>
  (await person.get(`/v1/identity/audit?filter[action]=${action}`)).body.data

test('changes are in the audit log with the names of the fields, not with their values', async t => {
  const admin = await operator(kernel)
  const owner = await kernel.register(newEmail('owner'))
  const { id = '' } = (await memberOf(owner)) ?? {}
  const position = { profile: { position: 'Engineer' } }
  await owner.patch(`/v1/identity/members/${id}`, position)
  await owner.patch(`/v1/identity/members/${id}`, position)
  const details = { userId: owner.userId, fields: ['position'] }
  const [entry, ...more] = await entriesOf(owner, 'member.profile_changed')
  t.like(entry, { subject: id, details })
  t.deepEqual(more, [])
  await change(owner, { phone: '030 1234', size: 'm' })
  const asAdmin = { ...admin, ...admin.with({ 'x-tenant-id': admin.operatorId }) }
  t.like((await entriesOf(asAdmin, 'user.profile_changed'))[0], {
    subject: owner.userId,
    details: { userId: owner.userId, fields: ['phone', 'size'] },
  })
})

test('an operator reads and changes the profile of a person', async t => {
  const admin = await operator(kernel)
  const ada = await kernel.register(newEmail('ada'))
  const path = `/v1/identity/admin/users/${ada.userId}`
  const asAdmin = admin.with({ 'x-tenant-id': admin.operatorId })
  const profile = { phone: '030 1234' }
  t.deepEqual((await asAdmin.patch(path, { profile })).body, { profile: { ...EMPTY, ...profile } })
  t.deepEqual((await asAdmin.get<Account>(path)).body.profile, { ...EMPTY, ...profile })
  t.deepEqual(fieldErrors(await asAdmin.patch(path, { profile: { size: 'xl' } })), ['/profile/size invalid'])
  t.is(codeOf(await ada.patch<never>(path, { profile })), '403 forbidden')
  t.is(codeOf(await asAdmin.patch<never>('/v1/identity/admin/users/usr_none', { profile })), '404 not_found')
})

test('the API document has the fields of the recipe', async t => {
  const { components } = kernel.kernel.ports.http.openapi() as unknown as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  }
  interface Schema {
    readonly required?: readonly string[]
    readonly properties: Readonly<Record<string, object>>
  }
  const {
    UserProfileFields,
    UpdateUserProfileFields,
    MemberProfileFields,
    Member,
    Me,
    Account: account,
  } = components.schemas
  t.deepEqual(UserProfileFields?.required, ['phone', 'size', 'born', 'links', 'seen'])
  t.deepEqual(UserProfileFields?.properties.size, {
    type: ['string', 'null'],
    enum: ['s', 'm', null],
    title: 'Size',
  })
  t.like(UpdateUserProfileFields, { additionalProperties: false, properties: { phone: { title: 'Phone' } } })
  t.like(MemberProfileFields?.properties, { rate: { type: ['integer', 'null'] } })
  t.deepEqual(Member?.properties.profile, { $ref: '#/components/schemas/MemberProfileFields' })
  for (const schema of [Me, account])
    t.deepEqual(schema?.properties.profile, { $ref: '#/components/schemas/UserProfileFields' })
  t.deepEqual((await (await kernel.register(newEmail('ada'))).get('/v1/me')).body.profile, EMPTY)
})

test('sign-up asks for required fields without a default', async t => {
  const account = { email: newEmail('ada'), password: 'a password of some length' }
  const register = (more: object) => strict.post('/v1/auth/register', { ...account, ...more })
  t.deepEqual(fieldErrors(await register({})), ['/profile required'])
  t.deepEqual(fieldErrors(await register({ profile: { phone: '1', shoe: 1 } })), [
    '/profile/name required',
    '/profile/shoe unknown_field',
  ])
  const made = await register({ profile: { name: 'Acme', phone: '1' } })
  t.is(made.status, 201)
  const { body } = await strict.as(made.body.token).get('/v1/auth/me')
  t.deepEqual(body.profile, { name: 'Acme', country: 'de', phone: '1' })
})

test('the sign-up page asks for them, and shows mistakes beside them', async t => {
  const browser = visitor(strict)
  t.regex((await browser.open('/sign-up')).body, /Company.*name="profile\.name"[^>]*required/s)
  const email = newEmail('ada')
  const typed = { email, name: 'Ada', password: 'a password of some length', 'profile.phone': '1' }
  const refused = await browser.submit('/sign-up', { ...typed, 'profile.name': 'x'.repeat(21) })
  t.is(refused.status, 422)
  t.regex(refused.text, /id="profile-name-error">Company must have at most 20 characters\./)
  t.notRegex(refused.text, /id="name-error"/)
  const missing = await browser.submit('/sign-up', { ...typed, email: 'nobody', 'profile.name': 'Acme' })
  t.regex(missing.text, /name="profile\.name"[^>]*value="Acme"/)
  for (const mistake of [
    { email: 'nobody', password: 'short' },
    { email, password: 'password123' },
  ]) {
    const { text } = await browser.submit('/sign-up', { ...typed, ...mistake, 'profile.name': '' })
    t.regex(text, /id="profile-name-error">Company is required\./, mistake.email)
    t.regex(text, /id="password-error"/, mistake.email)
    t.is(/id="email-error"/.test(text), mistake.email === 'nobody')
  }
  const { location, cookies } = await browser.submit('/sign-up', { ...typed, 'profile.name': 'Acme' })
  t.is(location, '/')
  const { body } = await strict.get('/v1/auth/me', { headers: { cookie: cookies.join('; ') } })
  t.deepEqual(body.profile, { name: 'Acme', country: 'de', phone: null })
})

test('people without a password are asked for them after the sign-in, until they have given them', async t => {
  const email = newEmail('ada')
  const signIn = async () => {
    await visitor(strict).submit('/sign-in/email-code', { email, next: '/account/logins' })
    const token = await tokenIn(strict, email, '/sign-in/email-code/link')
    return visitor(strict).submit('/sign-in/email-code/link', { token })
  }
  const details = '/account/details?next=%2Faccount%2Flogins'
  t.is((await signIn()).location, details)
  const { location, cookies } = await signIn()
  t.is(location, details)
  const browser = visitor(strict, cookies.join('; '))
  t.regex((await browser.open(details)).body, /Please fill in your details to continue\./)
  t.is((await browser.submit(details, { 'profile.name': '' })).status, 422)
  t.is((await browser.submit(details, { 'profile.name': 'Acme', 'profile.country': 'fr' })).location, '/account/logins')
  t.is((await signIn()).location, '/account/logins')
  const hostile = `/account/details?next=${encodeURIComponent('https://evil.example')}`
  t.is((await browser.submit(hostile, { 'profile.name': 'Acme', 'profile.country': 'fr' })).location, '/')
})

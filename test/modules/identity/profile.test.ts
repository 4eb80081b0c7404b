import test from 'ava'
import { type Person, startTestKernel, type TestKernel } from '../../../testing/index.ts'
import { codeOf, colleague, fieldErrors, newEmail, type Page } from './fixtures.ts'
import { visitor } from './pages/forms.ts'

let kernel: TestKernel
test.before(async () => {
  kernel = await startTestKernel({
    recipe: {
      modules: { identity: {}, comms: {}, collections: {} },
      locales: { default: 'en', available: ['en', 'de'] },
      profile: {
        user: {
          fields: {
            phone: { type: 'text', maxLength: 20, label: { en: 'Phone', de: 'Telefon' } },
            size: { type: 'enum', values: ['s', 'm'], default: 'm' },
            born: { type: 'date', max: '2020-12-31' },
          },
        },
        member: { fields: { position: { type: 'text', required: true }, rate: { type: 'money', currency: 'EUR' } } },
      },
    },
  })
})
test.after.always(() => kernel?.stop())

interface Account {
  readonly profile: object
}
const profileOf = async ({ get }: Person) => (await get<Account>('/v1/auth/me')).body.profile
const change = (person: Person, profile: object) => person.patch<Account>('/v1/auth/me', { profile })
const memberOf = async (person: Person) =>
  (await person.get<Page<{ id: string; profile: object }>>('/v1/identity/members')).body.data[0]

test('a person changes the fields of the recipe, and removes a value with null', async t => {
  const ada = await kernel.register(newEmail('ada'))
  t.deepEqual(await profileOf(ada), { phone: null, size: 'm', born: null })
  t.deepEqual((await change(ada, { phone: '030 1234', born: '1815-12-10' })).body.profile, {
    ...{ phone: '030 1234', size: 'm', born: '1815-12-10' },
  })
  t.deepEqual((await change(ada, { born: null })).body.profile, { phone: '030 1234', size: 'm', born: null })
  t.deepEqual(await profileOf(ada), { phone: '030 1234', size: 'm', born: null })
})

test('wrong values are reported with pointers, and nothing is saved', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const refused = await change(ada, { phone: '1'.repeat(21), size: 'xl', born: '2021-01-01', shoe: 44 })
  t.is(refused.status, 422)
  t.deepEqual(fieldErrors(refused), [
    '/profile/born invalid_value',
    '/profile/phone invalid_value',
    '/profile/shoe unknown_field',
    '/profile/size invalid_value',
  ])
  t.deepEqual(await profileOf(ada), { phone: null, size: 'm', born: null })
})

test('the account page shows the fields, saves them, and shows mistakes beside them', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const browser = visitor(kernel, ada.cookie, { 'accept-language': 'de' })
  t.regex((await browser.open('/account')).body, /Telefon/)
  const wrong = await browser.submit('/account/details', { phone: '1'.repeat(21), size: 's' })
  t.is(wrong.status, 422)
  t.regex(wrong.text, /aria-invalid="true"/)
  t.is(
    (await browser.submit('/account/details', { phone: '', size: 's', born: '1815-12-10' })).location,
    '/account?done=saved',
  )
  t.deepEqual(await profileOf(ada), { phone: null, size: 's', born: '1815-12-10' })
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
  const saved = await browser.submit(`/workspace/members/${id}/details`, { position: 'Founder', rate: '49.50' })
  t.is(saved.location, `/workspace/members/${id}?done=saved`)
  t.deepEqual((await memberOf(owner))?.profile, { position: 'Founder', rate: 4950 })
})

test('the export contains the fields of the person and of their memberships', async t => {
  const ada = await kernel.register(newEmail('ada'))
  await change(ada, { phone: '030 1234' })
  const { body } = await ada.get<{ profile: object; memberProfiles: object[] }>('/v1/auth/me/export')
  t.deepEqual(body.profile, { phone: '030 1234', size: 'm', born: null })
  t.deepEqual(body.memberProfiles, [{ tenantId: ada.tenantId, profile: { position: null, rate: null } }])
})

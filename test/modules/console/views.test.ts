/** Saved views of lists: own ones, shared ones, and what a former member leaves. */

import test from 'ava'
import { type Person, TEST_PASSWORD } from '../../../testing/index.ts'
import type { SavedView as View } from '../../fixtures/api-types.ts'
import { codeOf, expectStatus, problem } from '../../fixtures/people.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const VIEWS = '/v1/console/views'
const LIST = 'content.pages'
const DRAFTS = { list: LIST, name: 'Drafts', state: { q: 'oil', filters: { status: 'draft' }, columns: ['title'] } }

const { kernel, people, ada, reader } = withPeople(
  test,
  {
    recipe: {
      roles: {
        'tenant.reader': { name: 'Reader', permissions: ['content.page.read'] },
        'tenant.guest': { name: 'Guest', permissions: ['identity.member.read'] },
        'tenant.sharer': { name: 'Sharer', permissions: ['content.page.read', 'console.view.share'] },
      },
      modules: { identity: {}, console: {}, content: {} },
    },
    alone: true,
  },
  { ada: { name: 'Ada' }, reader: ['tenant.reader'] },
)

type Caller = Pick<Person, 'get' | 'post'>
const listed = async (caller: Caller) =>
  expectStatus(200, await caller.get(`${VIEWS}?list=${LIST}`)).data.map(({ name }) => name)
const save = async (caller: Caller, more: object = {}) =>
  expectStatus(201, await caller.post(VIEWS, { ...DRAFTS, ...more }))

test('a view is found on another device, and by nobody else', async t => {
  const owner = await people.person()
  const cleo = await people.colleague(owner, ['tenant.reader'])
  t.like(await save(cleo), { ...DRAFTS, shared: false, version: 1 })
  const login = await kernel.post('/v1/auth/login', { email: cleo.email, password: TEST_PASSWORD })
  t.deepEqual(await listed(kernel.as(login.body.token, cleo.tenantId)), ['Drafts'])
  t.deepEqual(await listed(owner), [])
})

test('a shared view is everyone’s, and changed by those who may share', async t => {
  const owner = await people.person()
  const sharer = await people.colleague(owner, ['tenant.sharer'])
  const other = await people.colleague(owner, ['tenant.reader'])
  const { id } = await save(owner, { name: 'Ours', shared: true })
  const at = `${VIEWS}/${id}`
  t.deepEqual(await listed(other), ['Ours'])
  const refused = await other.patch(at, { name: 'Mine' })
  t.is(codeOf(refused), '403 forbidden')
  t.is(problem(refused).requiredPermission, 'console.view.share')
  t.is(codeOf(await other.delete(at)), '403 forbidden')
  t.like(expectStatus(200, await sharer.patch<View>(at, { name: 'Theirs' })), { name: 'Theirs', version: 2 })
  t.is(codeOf(await sharer.delete(at, { headers: { 'if-match': '"1"' } })), '412 precondition_failed')
  t.is((await sharer.delete(at, { headers: { 'if-match': '"2"' } })).status, 204)
  t.deepEqual(await listed(other), [])
})

test('sharing requires its permission', async t => {
  t.is(codeOf(await reader.post(VIEWS, { ...DRAFTS, name: 'Shared', shared: true })), '403 forbidden')
  const { id } = await save(reader, { name: 'Later' })
  t.is(codeOf(await reader.patch(`${VIEWS}/${id}`, { shared: true })), '403 forbidden')
})

test('an owner who may no longer share a view can only make it private', async t => {
  const owner = await people.person()
  const sharer = await people.colleague(owner, ['tenant.sharer'])
  const { id } = await save(sharer, { name: 'Ours', shared: true })
  const at = `${VIEWS}/${id}`
  const { body } = await owner.get('/v1/identity/members')
  const member = body.data.find(({ email }) => email === sharer.email)
  expectStatus(200, await owner.patch(`/v1/identity/members/${member?.id}`, { roles: ['tenant.reader'] }))
  for (const change of [{ state: { q: 'paid' } }, { name: 'Mine' }, { shared: true, state: {} }])
    t.is(codeOf(await sharer.patch(at, change)), '403 forbidden')
  t.like(expectStatus(200, await sharer.patch<View>(at, { shared: false, state: { q: 'paid' } })), {
    shared: false,
    state: { q: 'paid' },
  })
  t.is((await sharer.patch(at, { name: 'Mine' })).status, 200)
})

test('views of a list, and of a workspace, are hidden from those who can’t open it', async t => {
  const { id } = await save(ada, { name: 'Hidden', shared: true })
  const stranger = await people.colleague(ada, ['tenant.guest'])
  const eve = await people.person('Eve')
  for (const caller of [stranger, eve]) {
    t.is(codeOf(await caller.patch(`${VIEWS}/${id}`, { name: 'x' })), '404 not_found')
    t.is(codeOf(await caller.delete(`${VIEWS}/${id}`)), '404 not_found')
  }
  t.is(codeOf(await stranger.get(`${VIEWS}?list=${LIST}`)), '404 not_found')
  t.is(codeOf(await stranger.post(VIEWS, DRAFTS)), '404 not_found')
  t.is(codeOf(await ada.get(`${VIEWS}?list=content.nothing`)), '404 not_found')
  t.is(codeOf(await ada.get(`${VIEWS}?list=%27%3Bdrop`)), '422 validation_failed')
})

test('a name is unique among the own views of a list', async t => {
  const [first, second] = [
    await people.colleague(ada, ['tenant.reader']),
    await people.colleague(ada, ['tenant.reader']),
  ]
  const posted = await Promise.all([1, 2, 3].map(() => first.post(VIEWS, { ...DRAFTS, name: 'Once' })))
  t.deepEqual(posted.map(({ status }) => status).sort(), [201, 409, 409])
  await save(second, { name: 'Once' })
  const { id } = await save(first, { name: 'Twice' })
  t.is(codeOf(await first.patch(`${VIEWS}/${id}`, { name: 'Once' })), '409 view_name_taken')
})

test('a person has at most 50 views of a list', async t => {
  const dora = await people.colleague(ada, ['tenant.reader'])
  for (let n = 0; n < 50; n++) await save(dora, { name: `View ${n}` })
  t.is(codeOf(await dora.post(VIEWS, { ...DRAFTS, name: 'One more' })), '409 too_many_views')
})

test('keeps hostile names as text, and refuses states without a limit', async t => {
  const hostile = `<img src=x onerror=alert(1)> '; drop table console_views; --`
  t.is((await save(reader, { name: hostile })).name, hostile)
  const post = async (more: object) => codeOf(await reader.post(VIEWS, { ...DRAFTS, ...more }))
  const many = Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`filter[f${n}]`, 'x']))
  for (const more of [
    { name: '' },
    { name: 'x'.repeat(101) },
    { name: '\u0000' },
    { state: { filters: many } },
    { state: { filters: { 'filter[a]': 'x'.repeat(2_001) } } },
    { state: { filters: { 'filter[a]': '\u0000' } } },
    { state: { columns: Array(101).fill('a') } },
    { state: { color: 'red' } },
  ])
    t.is(await post(more), '422 validation_failed', JSON.stringify(more).slice(0, 80))
})

test('a former member’s shared views stay, the others are deleted', async t => {
  const owner = await people.person()
  const guest = await people.colleague(owner, ['tenant.sharer'])
  await save(guest, { name: 'Stays', shared: true })
  await save(guest, { name: 'Goes' })
  const members = await owner.get('/v1/identity/members')
  const id = members.body.data.find(({ userId }) => userId === guest.userId)?.id
  expectStatus(204, await owner.delete(`/v1/identity/members/${id}`))
  await kernel.settled()
  t.deepEqual(await listed(owner), ['Stays'])
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test counts views')
    .query('select name from console_views where created_by = $1', [guest.userId])
  t.deepEqual(rows, [{ name: 'Stays' }])
})

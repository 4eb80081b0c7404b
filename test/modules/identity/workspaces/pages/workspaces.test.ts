import test from 'ava'
import { type Person, TEST_PASSWORD, type TestKernel } from '../../../../../testing/index.ts'
import { waitFor } from '../../../../fixtures/wait.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { type Colleague, colleague, identityRecipe, newEmail, operator, role, startIdentity } from '../../fixtures.ts'
import { type Visitor, visitor } from '../../pages/forms.ts'
import { codeIn } from '../../pages/mail-tokens.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

const newOwner = (name = 'Engines') => kernel.register(newEmail('owner'), { name: 'Ada', workspaceName: name })
const as = (person: Person, tenantId = person.tenantId, own = kernel): Visitor =>
  visitor(own, `${person.cookie}; platform_tenant=${tenantId}`)
const asColleague = ({ person }: Colleague, { tenantId }: Person): Visitor => as(person, tenantId)

const PAGES = ['settings', 'members', 'roles', 'api-keys', 'audit'].map(name => `/workspace/${name}`)
const statuses = (who: Visitor) => Promise.all(PAGES.map(async path => (await who.open(path)).status))

test('each page opens for those who hold its permission', async t => {
  const owner = await newOwner()
  await role(owner, 'tenant.auditor', ['identity.audit.read', 'identity.role.read'])
  await role(owner, 'tenant.people', ['identity.*'])
  const member = await colleague(kernel, owner, ['tenant.member'])
  const auditor = await colleague(kernel, owner, ['tenant.auditor'])
  t.deepEqual(await statuses(as(owner)), [200, 200, 200, 200, 200])
  t.deepEqual(await statuses(asColleague(member, owner)), [200, 403, 403, 403, 403])
  t.deepEqual(await statuses(asColleague(auditor, owner)), [200, 403, 200, 403, 200])
  t.deepEqual(await statuses(visitor(kernel)), [303, 303, 303, 303, 303])
  const { body: roles } = await as(owner).open('/workspace/roles')
  t.true(roles.includes('View the audit log') && !roles.includes('View every user'), 'no permission of the platform')
  const { body } = await asColleague(auditor, owner).open('/workspace/audit')
  t.deepEqual(
    PAGES.filter(path => body.includes(`<a href="${path}"`)),
    ['/workspace/settings', '/workspace/roles', '/workspace/audit'],
  )
})

test('renames the workspace and keeps what was typed after an error', async t => {
  const owner = await newOwner()
  const other = await newOwner()
  const page = as(owner)
  const { body: theirs } = await other.get(`/v1/identity/tenants/${other.tenantId}`)
  const taken = await page.submit('/workspace/settings', { name: 'Renamed <b>', slug: theirs.slug })
  t.is(taken.status, 409)
  t.regex(taken.text, /value="Renamed &lt;b&gt;"/)
  t.regex(taken.text, /Another workspace uses this slug/)
  const slug = `renamed-${owner.tenantId.slice(-8)}`
  const saved = await page.submit('/workspace/settings', { name: 'Renamed', slug })
  t.is(saved.location, '/workspace/settings?done=saved')
  t.regex((await page.open('/workspace/settings')).body, new RegExp(`value="${slug}"`))
  const member = await colleague(kernel, owner, ['tenant.member'])
  const refused = await asColleague(member, owner).submit('/workspace/settings', { name: 'Mine', slug: 'mine' })
  t.is(refused.status, 403)
})

test('deletes the workspace only with its name typed in', async t => {
  const owner = await newOwner('Short lived')
  const page = as(owner)
  const wrong = await page.submit('/workspace/settings', { intent: 'delete', typed: 'Short' })
  t.is(wrong.status, 422)
  t.regex(wrong.text, /value="Short"/)
  const gone = await page.submit('/workspace/settings', { intent: 'delete', typed: 'Short lived' })
  t.is(gone.location, '/account/workspaces?done=deleted')
  t.deepEqual(gone.cookies, ['platform_tenant='])
  t.is((await kernel.as(owner.token, owner.tenantId).get('/v1/identity/members')).status, 403)
})

test('the last owner can transfer the ownership, then leave', async t => {
  const owner = await newOwner()
  const member = await colleague(kernel, owner, ['tenant.member'])
  const page = as(owner)
  const refused = await page.submit('/workspace/settings', { intent: 'leave' })
  t.is(refused.status, 409)
  t.regex(refused.text, /needs at least one owner/)
  const path = `/workspace/members/${member.memberId}`
  const notTheirs = await asColleague(member, owner).submit(path, { intent: 'transfer' })
  t.is(notTheirs.status, 403)
  t.is((await page.submit(path, { intent: 'transfer' })).location, '/workspace/members?done=transferred')
  const { body } = await member.get('/v1/me')
  t.is(body.role, 'tenant.owner')
  const left = await page.submit('/workspace/settings', { intent: 'leave' })
  t.is(left.location, '/account/workspaces?done=left')
  t.is((await kernel.as(owner.token, owner.tenantId).get('/v1/identity/members')).status, 403)
})

test('lists invitations by state, sends them again and revokes them', async t => {
  const owner = await newOwner()
  const page = as(owner)
  const [one, two] = [newEmail('one'), newEmail('two')]
  const ids = await Promise.all(
    [one, two].map(async email => (await owner.post('/v1/identity/members/invite', { email })).body.id ?? ''),
  )
  const path = '/workspace/invitations'
  t.is((await page.submit(path, { intent: 'resend', id: ids[0] ?? '' })).location, `${path}?done=resent`)
  t.is((await page.submit(path, { intent: 'revoke', id: ids[0] ?? '' })).location, `${path}?done=revoked`)
  const shown = async (query: string) => {
    const { body } = await page.open(path + query)
    return [one, two].filter(email => body.includes(`<strong>${email}`))
  }
  t.deepEqual(await shown(''), [one, two])
  t.deepEqual(await shown('?status=pending'), [two])
  t.deepEqual(await shown('?status=revoked'), [one])
  t.deepEqual(await shown('?status=expired'), [])
})

test('renames an API key, limits it, and keeps its expiry', async t => {
  const owner = await newOwner()
  const page = as(owner)
  const { body: made } = await owner.post('/v1/identity/api-keys', {
    name: 'Deploy',
    expiresAt: '2100-01-01T00:00:00.000Z',
  })
  const path = `/workspace/api-keys/${made.id}`
  t.regex((await page.open(path)).body, /value="Deploy"/)
  const form = { name: 'Reader', scope: 'limited', days: 'keep', 'permission:identity.member.read': '1' }
  t.is((await page.submit(path, form)).location, '/workspace/api-keys?done=saved')
  const { body } = await owner.get('/v1/identity/api-keys')
  const changed = body.data.find(({ id }) => id === made.id)
  t.like(changed, { name: 'Reader', permissions: ['identity.member.read'], expiresAt: made.expiresAt })
  await page.submit(path, { name: 'Reader', scope: 'all', days: '' })
  const { body: after } = await owner.get('/v1/identity/api-keys')
  t.like(
    after.data.find(({ id }) => id === made.id),
    { permissions: null, expiresAt: null },
  )
})

test('creates a role with a key of its own', async t => {
  const owner = await newOwner()
  const page = as(owner)
  const form = { name: 'Support', key: 'team.support', 'permission:identity.member.read': '1' }
  t.is((await page.submit('/workspace/roles/new', form)).location, '/workspace/roles?done=created')
  t.is((await page.open('/workspace/roles/team.support')).status, 200)
  const wrong = await page.submit('/workspace/roles/new', { ...form, key: 'Team Support' })
  t.is(wrong.status, 422)
  t.regex(wrong.text, /value="Team Support"/)
})

test('finds members without the accents of their names, and with them', async t => {
  const owner = await newOwner()
  const member = await colleague(kernel, owner, ['tenant.member'])
  const found = async (q: string) =>
    (await owner.get(`/v1/identity/members?q=${encodeURIComponent(q)}`)).body.data.map(({ name }) => name)
  for (const [name, q] of [
    ['Jörg Müller', 'jorg muller'],
    ['Jörg Müller', 'JÖRG'],
    ['Renee Strauss', 'Renée'],
    ['Renee Strauss', 'Strauß'],
    ['李小龙', '小龙'],
  ] as const) {
    await member.patch('/v1/auth/me', { name })
    t.deepEqual(await found(q), [name], q)
  }
})

test('finds members by name, address and role', async t => {
  const owner = await newOwner()
  const member = await colleague(kernel, owner, ['tenant.member'])
  await member.patch('/v1/auth/me', { name: 'Grace 100%_Hopper' })
  const listed = async (query: string) => {
    const { body } = await as(owner).open(`/workspace/members?${query}`)
    return ['Ada', 'Grace'].filter(name => body.includes(`<p><strong>${name}`))
  }
  t.deepEqual(await listed('q=hopper'), ['Grace'])
  t.deepEqual(await listed('q=%25_Hop'), ['Grace'])
  t.deepEqual(await listed('q=%25x'), [])
  t.deepEqual(await listed(`q=${encodeURIComponent(owner.email)}`), ['Ada'])
  t.deepEqual(await listed('role=tenant.owner'), ['Ada'])
  const { body } = await owner.get('/v1/identity/members?q=GRACE')
  t.deepEqual(
    body.data.map(({ name }) => name),
    ['Grace 100%_Hopper'],
  )
})

test('changes the roles of a member and removes the member', async t => {
  const owner = await newOwner()
  await role(owner, 'tenant.auditor', ['identity.audit.read'])
  const member = await colleague(kernel, owner, ['tenant.member'])
  const path = `/workspace/members/${member.memberId}`
  const page = as(owner)
  t.regex((await page.open(path)).body, /name="role:tenant\.member" value="1" checked/)
  t.is((await page.submit(path, { intent: 'roles' })).status, 422)
  const saved = await page.submit(path, { intent: 'roles', 'role:tenant.auditor': '1' })
  t.is(saved.location, `${path}?done=saved`)
  t.deepEqual((await member.get('/v1/me')).body.roles, ['tenant.auditor'])
  t.is((await page.submit(path, { intent: 'remove' })).location, '/workspace/members?done=removed')
  t.is((await page.open(path)).status, 404)
})

test('creates, edits and deletes a custom role with permissions that the caller holds', async t => {
  const owner = await newOwner()
  await role(owner, 'tenant.lead', ['identity.role.*', 'identity.member.read'])
  const lead = await colleague(kernel, owner, ['tenant.lead'])
  const page = asColleague(lead, owner)
  const form = await page.open('/workspace/roles/new')
  t.regex(form.body, /name="permission:identity\.member\.read" value="1">/)
  t.regex(form.body, /name="permission:identity\.member\.remove" value="1" disabled>/)
  const refused = await page.submit('/workspace/roles/new', { name: 'Spy', 'permission:identity.member.remove': '1' })
  t.is(refused.status, 403)
  t.regex(refused.text, /value="Spy"/)
  for (const name of ['Support team', 'Support team'])
    t.is(
      (await page.submit('/workspace/roles/new', { name, 'permission:identity.member.read': '1' })).location,
      '/workspace/roles?done=created',
    )
  const path = '/workspace/roles/tenant.support_team_2'
  t.is((await as(owner).submit(path, { name: 'Remover', 'permission:identity.member.remove': '1' })).status, 303)
  // Disabled checkboxes aren't sent: the permission that the lead lacks stays.
  t.is((await page.submit(path, { name: 'Remover', 'permission:identity.member.read': '1' })).status, 303)
  const { body } = await owner.get('/v1/identity/roles')
  const saved = body.data.find(({ key }) => key === 'tenant.support_team_2')
  t.deepEqual(saved?.permissions, ['identity.member.remove', 'identity.member.read'])
  t.is((await page.submit(path, { intent: 'delete' })).location, '/workspace/roles?done=deleted')
  t.is((await page.open('/workspace/roles/tenant.owner')).location, '/workspace/roles')
})

test('shows every role of a workspace that has hundreds', async t => {
  const owner = await newOwner()
  for (let n = 100; n < 300; n++) await role(owner, `tenant.role_${n}`, [])
  const page = as(owner)
  t.is((await page.open('/workspace/roles/tenant.role_299')).status, 200)
  t.regex((await page.open('/workspace/roles')).body, /tenant\.role_299/)
})

test('limits an API key to the chosen permissions', async t => {
  const owner = await newOwner()
  const page = as(owner)
  t.is((await page.open('/account/api-keys')).location, '/workspace/api-keys')
  const made = await page.submit('/workspace/api-keys', {
    name: 'Reader',
    days: '',
    scope: 'limited',
    'permission:identity.member.read': '1',
  })
  const [key = ''] = /test_live_\w{38}/.exec(made.text) ?? []
  t.is((await kernel.as(key).get('/v1/identity/members')).status, 200)
  t.is((await kernel.as(key).get('/v1/identity/roles')).status, 403)
  t.regex((await page.open('/workspace/api-keys')).body, /Reader[\s\S]*identity\.member\.read[\s\S]*Last used/)
})

test('names the permissions of an API key by their titles, with their keys', async t => {
  const owner = await newOwner()
  const permissions = ['identity.member.read', 'identity.*', '*']
  t.is((await owner.post('/v1/identity/api-keys', { name: 'Reader', permissions })).status, 201)
  const { body } = await as(owner).open('/workspace/api-keys')
  const shown = [...body.matchAll(/<li>([^<]+)<br><span class="mono">([^<]+)<\/span><\/li>/g)]
  t.deepEqual(
    shown.map(([, ...texts]) => texts),
    [
      ['View members', 'identity.member.read'],
      ['Identity: Everything in this area', 'identity.*'],
      ['All permissions, including future ones', '*'],
    ],
  )
})

test('filters the audit log', async t => {
  const owner = await newOwner()
  await role(owner, 'tenant.auditor', ['identity.audit.read'])
  const page = as(owner)
  const { body } = await page.open('/workspace/audit')
  t.regex(body, /<strong>Role created<\/strong>/)
  t.regex(body, /<strong>Workspace created<\/strong>/)
  const filtered = await page.open(`/workspace/audit?action=role.created&person=${owner.userId}`)
  t.regex(filtered.body, /<strong>Role created<\/strong>/)
  t.notRegex(filtered.body, /<strong>Workspace created<\/strong>/)
  t.regex((await page.open('/workspace/audit?action=role.deleted')).body, /No entries match/)
  t.regex((await page.open('/workspace/audit?until=2000-01-01')).body, /No entries match/)
  const since = await page.open('/workspace/audit?since=2000-01-01&until=yesterday')
  t.regex(since.body, /<strong>Role created<\/strong>/)
  t.regex(since.body, /name="since" value="2000-01-01"/)
})

test('the audit log shows a person who acts on themselves once', async t => {
  const owner = await newOwner()
  const { person, memberId } = await colleague(kernel, owner, ['tenant.member'])
  await owner.patch(`/v1/identity/members/${memberId}`, { roles: ['tenant.owner'] })
  const entries = async (action: string) => {
    const { body } = await as(owner).open(`/workspace/audit?action=${action}`)
    return body.slice(body.indexOf('<ul class="list card"')).split(person.email).length - 1
  }
  t.is(await entries('member.joined'), 1, 'who joins')
  t.is(await entries('member.roles_changed'), 1, 'whose roles somebody else changes')
})

test('shows the names of other members only to those who may read members', async t => {
  const owner = await newOwner()
  await role(owner, 'tenant.auditor', ['identity.audit.read', 'identity.api_key.*'])
  const auditor = await colleague(kernel, owner, ['tenant.auditor'])
  await owner.post('/v1/identity/api-keys', { name: 'Mine' })
  await auditor.post('/v1/identity/api-keys', { name: 'Theirs' })
  for (const path of ['/workspace/audit', '/workspace/api-keys']) {
    const { body: full } = await as(owner).open(path)
    t.true(full.includes(`${auditor.person.email}<`), path)
    const { body } = await asColleague(auditor, owner).open(path)
    const [, content = ''] = body.split('<main')
    t.true(content.includes(`${auditor.person.email}<`), path)
    t.true(content.includes(owner.userId), path)
    t.notRegex(content, new RegExp(`Ada|${owner.email}`), path)
  }
  const { body } = await asColleague(auditor, owner).open(`/workspace/audit?person=${owner.userId}`)
  t.regex(body, new RegExp(`value="${owner.userId}" selected>${owner.userId}<`))
})

test('the header switches workspaces and stays on the page', async t => {
  const owner = await newOwner('First')
  await owner.post('/v1/identity/tenants', { name: 'Second' })
  const page = as(owner)
  const { body } = await page.open('/workspace/members')
  t.regex(body, /<span class="panel-name" dir="auto">First<\/span><span class="muted">Owner<\/span>/)
  const second = /name="id" value="(ten_\w+)"><span[^>]*>S</.exec(body)?.[1] ?? ''
  const switched = await page.submit('/account/workspaces', { id: second, next: '/workspace/members' })
  t.is(switched.location, '/workspace/members')
  t.deepEqual(switched.cookies, [`platform_tenant=${second}`])
  const foreign = { id: second, next: `/workspace/members/mem_${'0'.repeat(26)}` }
  t.is((await page.submit('/account/workspaces', foreign)).location, '/workspace/members')
  t.is(
    (await page.submit('/account/workspaces', { id: second, next: '//evil.test' })).location,
    '/account/workspaces?done=switched',
  )
})

test('home shows the operator alone the first steps until they are done or hidden', async t => {
  const own = await startIdentity()
  t.teardown(() => own.stop())
  const customer = await own.register(newEmail('customer'))
  t.notRegex((await visitor(own, customer.cookie).open('/')).body, /Get started/)
  const { cookie, operatorId, with: withHeaders } = await operator(own)
  const owner = withHeaders({ 'x-tenant-id': operatorId })
  const page = visitor(own, `${cookie}; platform_tenant=${operatorId}`)
  t.regex((await page.open('/')).body, /Invite your team[\s\S]*Create an API key/)
  t.notRegex((await page.open('/')).body, /class="done"/)
  t.regex((await page.open('/welcome')).body, /Next steps[\s\S]*Invite your team/)
  t.notRegex((await page.open('/account')).body, /Invite your team/)
  const hidden = await page.submit('/account/checklist', {})
  t.is(hidden.location, '/')
  const hiding = visitor(own, `${cookie}; platform_tenant=${operatorId}; ${hidden.cookies[0]}`)
  t.notRegex((await hiding.open('/')).body, /Invite your team/)
  await owner.post('/v1/identity/members/invite', { email: newEmail('guest') })
  const { body } = await owner.post<{ key: string }>('/v1/identity/api-keys', { name: 'Mine' })
  t.regex(
    (await page.open('/')).body,
    /Invite your team<\/a> <span class="badge good">Done[\s\S]*Send your first API request/,
  )
  await own.as(body.key).get('/v1/me')
  await waitFor(async () => !/Invite your team/.test((await page.open('/')).body))
})

test('a person of 60 workspaces searches them, and the menu of a page leads there', async t => {
  const owner = await newOwner('Engines')
  for (let number = 2; number <= 60; number++)
    await owner.post('/v1/identity/tenants', { name: number === 60 ? 'Söhne & Töchter 🧰' : `Workshop ${number}` })
  const page = as(owner)
  const namesIn = (html: string) => [...html.matchAll(/<strong dir="auto">([^<]+)/g)].map(([, name]) => name)
  const { body: all } = await page.open('/account/workspaces')
  t.is(namesIn(all).length, 60)
  const [, menu = ''] = /<form method="post" action="\/account\/workspaces">([\s\S]*?)<\/form>/.exec(all) ?? []
  t.is(menu.match(/panel-name/g)?.length, 8)
  t.regex(menu, /aria-current="true"[\s\S]*?Engines/)
  t.true(all.includes('<a href="/account/workspaces">All workspaces</a>'))
  const find = async (words: string) =>
    namesIn((await page.open(`/account/workspaces?q=${encodeURIComponent(words)}`)).body)
  t.deepEqual(await find('tochter SOHNE'), ['Söhne &amp; Töchter 🧰'])
  t.deepEqual(await find('workshop-17'), ['Workshop 17'])
  t.regex((await page.open('/account/workspaces?q=%3Cb%3E')).body, /No workspace matches “&lt;b&gt;”/)
})

test('a person of a few workspaces has all of them in the menu, and no search', async t => {
  const owner = await newOwner('Engines')
  await owner.post('/v1/identity/tenants', { name: 'Analysis' })
  const { body } = await as(owner).open('/account/workspaces')
  t.false(body.includes('All workspaces'))
  t.false(body.includes('name="q"'))
  t.is(body.match(/panel-name/g)?.length, 2)
})

let unclaimed: TestKernel
test.before(async () => {
  unclaimed = await startIdentity({ signIn: { password: {}, emailLink: {} } })
})
test.after.always(() => unclaimed?.stop())

const CODES = '/sign-in/email-code'
/** How many workspaces a person has who signs up by a page, with a password or with a code of an email. */
async function workspacesAfterSignUp(next: string, by: 'password' | 'code' = 'password'): Promise<number> {
  const email = newEmail('new')
  const browser = visitor(unclaimed)
  if (by === 'password') {
    const signedUp = await browser.submit('/sign-up', { email, password: TEST_PASSWORD, next })
    if (signedUp.location !== next) throw new Error(`the form returned ${signedUp.status}`)
  } else {
    const [, request = ''] =
      /name="request" value="([^"]+)"/.exec((await browser.submit(CODES, { email, next })).text) ?? []
    await browser.submit(`${CODES}/verify`, { email, next, request, code: await codeIn(unclaimed, email) })
    const account = { email, password: TEST_PASSWORD }
    if ((await unclaimed.post('/v1/auth/register', account)).status !== 409) throw new Error('the code made no account')
  }
  const { rows } = await unclaimed.kernel.ports.systemDatabase
    .acrossTenants('a test counts memberships')
    .query('select m.id from identity_members m join identity_users u on u.id = m.user_id where u.email = $1', [email])
  return rows.length
}

test.serial('who signs up on the way to the claim gets no workspace, and who signs up elsewhere gets one', async t => {
  t.is(await workspacesAfterSignUp('/claim'), 0)
  t.is(await workspacesAfterSignUp('/claim', 'code'), 0)
  t.is(await workspacesAfterSignUp('/account'), 1)
  const { workspace } = (await unclaimed.post('/v1/auth/register', { email: newEmail('api'), password: TEST_PASSWORD }))
    .body
  t.truthy(workspace)
})

test.serial('the claim page needs an account and the code of the terminal', async t => {
  t.regex((await visitor(unclaimed).open('/claim')).body, /href="\/sign-up\?next=%2Fclaim"/)
  t.is((await visitor(unclaimed).submit('/claim', { code: 'x' })).location, '/claim')
  const owner = await unclaimed.register(newEmail('owner'))
  const wrong = await as(owner, owner.tenantId, unclaimed).submit('/claim', { code: 'WRONG <1>' })
  t.is(wrong.status, 403)
  t.regex(wrong.text, /value="WRONG &lt;1&gt;"/)
  const claimer = await operator(unclaimed)
  t.regex((await as(owner, owner.tenantId, unclaimed).open('/claim')).body, /already has an owner/)
  const { body } = await as(claimer, claimer.tenantId, unclaimed).open('/workspace/settings')
  t.true(body.includes('Owner') && !body.includes('platform.admin'), 'roles of the workspace, by their names')
  t.is(await workspacesAfterSignUp('/claim'), 1, 'nothing is left to claim')
})

import test from 'ava'
import { TEST_PASSWORD } from '../../../../../../testing/index.ts'
import type { AuditEntry as Entry } from '../../../../../fixtures/api-types.ts'
import { withPeople } from '../../../../../fixtures/with-people.ts'
import {
  codeOf,
  colleague,
  identityRecipe,
  inviteLink,
  newEmail,
  operator,
  type Page,
  role,
} from '../../../fixtures.ts'

const { kernel } = withPeople(test, {
  recipe: { ...identityRecipe(), locales: { default: 'en', available: ['en', 'de'] } },
})

const AUDIT = '/v1/identity/audit'

test('records every change to members, roles and API keys with its actor', async t => {
  const owner = await kernel.register(newEmail())
  await role(owner, 'team.x', ['identity.member.read'])
  const member = await colleague(kernel, owner, ['team.x'])
  await owner.patch(`/v1/identity/members/${member.memberId}`, { roles: ['tenant.member'] })
  await owner.patch('/v1/identity/roles/team.x', { name: 'New' })
  await owner.delete('/v1/identity/roles/team.x')
  await kernel.as(owner.apiKey).delete(`/v1/identity/members/${member.memberId}`)
  const { body } = await owner.get(AUDIT)
  t.deepEqual(
    body.data.map(({ action }) => action),
    [
      'member.removed',
      'role.deleted',
      'role.updated',
      'member.roles_changed',
      'member.joined',
      'invitation.created',
      'role.created',
      'api_key.created',
      'tenant.created',
    ],
  )
  t.like(body.data[0], { actor: { kind: 'apiKey', userId: owner.userId }, subject: member.memberId })
  t.like(body.data[1], { actor: { kind: 'login', userId: owner.userId }, subject: 'team.x' })
  const mine = await owner.get(`${AUDIT}?filter[userId]=${member.person.userId}`)
  t.deepEqual(
    mine.body.data.map(({ action }) => action),
    ['member.joined'],
  )
})

test('one deed is one entry', async t => {
  const owner = await kernel.register(newEmail())
  const deeds = async (of: Pick<typeof owner, 'get'>, person: string) =>
    (await of.get(`${AUDIT}?filter[userId]=${person}`)).body.data.map(({ action }) => action)
  const second = await owner.post('/v1/identity/tenants', { name: 'Second' })
  t.deepEqual(await deeds(owner.with({ 'x-tenant-id': second.body.id }), owner.userId), ['tenant.created'])

  const guest = await kernel.register(newEmail())
  const token = await inviteLink(owner, guest.email, ['tenant.member'])
  await guest.post('/v1/identity/invitations/accept', { token })
  t.deepEqual(await deeds(owner, guest.userId), ['member.joined'])

  const admin = await operator(kernel)
  const claim = await deeds(admin.with({ 'x-tenant-id': admin.operatorId }), admin.userId)
  t.deepEqual(
    claim.filter(action => !action.startsWith('login.')),
    ['operator.claimed'],
  )
})

test("records logins in the operator's tenant", async t => {
  const admin = await operator(kernel)
  const log = await admin
    .with({ 'x-tenant-id': admin.operatorId })
    .get(`${AUDIT}?filter[userId]=${admin.userId}&filter[action]=login.created`)
  t.is(log.body.data.length, 1)
})

test("the operator's log names the users of the installation, for callers who may read them", async t => {
  const admin = await operator(kernel)
  const stranger = await kernel.register(newEmail(), { name: 'Grace' })
  const inside = { 'x-tenant-id': admin.operatorId }
  const path = `${AUDIT}?filter[userId]=${stranger.userId}&filter[action]=login.created`
  const { body } = await admin.with(inside).get<Page<Entry & { users: Record<string, string> | null }>>(path)
  t.deepEqual(body.data[0]?.users, { [stranger.userId]: 'Grace' })
  const shown = await kernel
    .with({ cookie: `${admin.cookie}; platform_tenant=${admin.operatorId}` })
    .get<string>('/workspace/audit')
  t.is(shown.status, 200)
  t.true(shown.body.includes('Grace'))
  t.false(shown.body.includes('Former member'))
  const own = await stranger.get(AUDIT)
  t.is(own.body.data[0]?.users, null)
})

/** What a page shows, without its markup. */
const textOf = (html: string): string => html.replace(/<[^>]*>/g, ' ')

test('the pages of the log call a person whose account is deleted by words, in the language of the reader', async t => {
  const owner = await kernel.register(newEmail())
  const { person, memberId } = await colleague(kernel, owner, ['tenant.member'])
  t.is((await owner.patch(`/v1/identity/members/${memberId}`, { roles: ['tenant.owner'] })).status, 200)
  t.is((await person.post('/v1/auth/me/delete', { password: TEST_PASSWORD })).status, 204)
  const admin = await operator(kernel)
  const pageOf = async ({ cookie }: { cookie: string }, tenantId: string, language: string) => {
    const headers = { cookie: `${cookie}; platform_tenant=${tenantId}`, 'accept-language': language }
    return textOf((await kernel.with(headers).get<string>(`/workspace/audit?person=${person.userId}`)).body)
  }
  for (const [who, tenantId, language, words] of [
    [owner, owner.tenantId, 'en', 'Former member'],
    [owner, owner.tenantId, 'de', 'Ehemaliges Mitglied'],
    [admin, admin.operatorId, 'en', 'Deleted person'],
    [admin, admin.operatorId, 'de', 'Gelöschte Person'],
  ] as const) {
    const shown = await pageOf(who, tenantId, language)
    t.true(shown.includes(words), words)
    t.false(shown.includes(person.userId), words)
  }
})

test("lists only the tenant's own entries, with permission", async t => {
  const [ada, eve] = [await kernel.register(newEmail()), await kernel.register(newEmail())]
  const { body } = await eve.get(AUDIT)
  t.true(body.data.every(({ actor }) => actor.userId === eve.userId))
  const member = await colleague(kernel, ada, ['tenant.member'])
  t.is(codeOf(await member.get(AUDIT)), '403 forbidden')
})

test('rejects changes to audit entries', async t => {
  const owner = await kernel.register(newEmail())
  const { database, systemDatabase } = kernel.kernel.ports
  const units = [database.tenant(owner.tenantId), systemDatabase.acrossTenants('a test that must fail')]
  for (const unit of units)
    for (const statement of [
      "update identity_audit set action = 'x'",
      'delete from identity_audit',
      'truncate identity_audit',
    ])
      await t.throwsAsync(unit.query(statement), { message: /permission denied|append-only/ }, statement)
})

import test from 'ava'
import { hashSecret, newClaimCode, normalizeClaimCode } from '../../../../../modules/identity/domain/secrets.ts'
import { TEST_PASSWORD } from '../../../../../testing/index.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { codeOf, colleague, identityRecipe, newEmail, role } from '../../fixtures.ts'
import { visitor } from '../../pages/forms.ts'

const password = TEST_PASSWORD

const { kernel } = withPeople(test, { recipe: identityRecipe() })

test.serial('an export contains invitations and audit entries of its user only', async t => {
  const [ada, bob] = [await kernel.register(newEmail('ada')), await kernel.register(newEmail('bob'))]
  const guest = newEmail('guest')
  await ada.post('/v1/identity/members/invite', { email: guest })
  await bob.post('/v1/identity/members/invite', { email: newEmail('guest') })
  const { body } = await ada.get('/v1/auth/me/export')
  t.deepEqual(
    body.invitations.map(({ email }) => email),
    [guest],
  )
  t.false(body.auditEntries.some(({ tenantId }) => tenantId === bob.tenantId))
})

test.serial('deleting an account revokes the invitations that its user sent', async t => {
  const owner = await kernel.register(newEmail('owner'))
  await role(owner, 'tenant.recruiter', ['identity.*'])
  const recruiter = await colleague(kernel, owner, ['tenant.recruiter'])
  const email = newEmail('guest')
  const invited = await recruiter.post('/v1/identity/members/invite', { email, roles: ['tenant.recruiter'] })
  t.is(invited.status, 201)
  t.is((await recruiter.post('/v1/auth/me/delete', { password })).status, 204)
  const { body } = await owner.get('/v1/identity/invitations')
  t.is(body.data.find(invitation => invitation.email === email)?.status, 'revoked')
})

test.serial('the claim page makes the user the owner of the installation, who cannot delete the account', async t => {
  const ada = await kernel.register(newEmail('operator'))
  const { systemDatabase, operator } = kernel.kernel.ports
  const code = newClaimCode()
  await systemDatabase
    .acrossTenants('a test inserts its own claim code')
    .query("insert into identity_claims (code_hash, expires_at) values ($1, now() + interval '1 hour')", [
      hashSecret(normalizeClaimCode(code)),
    ])
  const claimed = await visitor(kernel, ada.cookie).submit('/claim', { code })
  t.is(claimed.location, '/welcome')
  t.deepEqual(claimed.cookies, [`platform_tenant=${operator.tenantId}`])
  t.is(codeOf(await ada.post('/v1/auth/me/delete', { password })), '409 last_owner')
})

test.serial('deleting an account succeeds while its user creates API keys and workspaces', async t => {
  const outcomes = new Set<string>()
  for (let round = 0; round < 30; round++) {
    const ada = await kernel.register(newEmail('ada'))
    let done = false
    const create = async (path: string): Promise<void> => {
      while (!done) outcomes.add(codeOf(await ada.post(path, { name: 'Second' })))
    }
    const creating = [create('/v1/identity/api-keys'), create('/v1/identity/tenants'), create('/v1/identity/tenants')]
    const deleted = await ada.post('/v1/auth/me/delete', { password })
    done = true
    await Promise.all(creating)
    t.is(codeOf(deleted), '204')
  }
  t.deepEqual([...outcomes].sort(), ['201', '401 unauthenticated'])
})

test.serial('concurrent requests delete an account once', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const answers = await Promise.all(Array.from({ length: 4 }, () => ada.post('/v1/auth/me/delete', { password })))
  t.deepEqual(answers.map(codeOf).sort(), ['204', '401 unauthenticated', '401 unauthenticated', '401 unauthenticated'])
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test counts the entries of the audit log')
    .query("select from identity_audit where action = 'user.deleted' and subject = $1", [ada.userId])
  t.is(rows.length, 1)
})

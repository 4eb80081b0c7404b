import test from 'ava'
import { createSettings } from '../../../../modules/identity/options.ts'
import { createAuthenticator } from '../../../../modules/identity/sign-in/authenticator.ts'
import { createRights } from '../../../../modules/identity/workspaces/roles/rights.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

const { kernel, person } = withPeople(test, { recipe: { modules: { identity: {} } }, role: 'web' }, { person: 'owner' })

/** The authenticator, and the number of statements that it has sent. */
function counted() {
  const { ports } = kernel.kernel
  let statements = 0
  const systemDatabase = {
    acrossTenants(why: string) {
      const unit = ports.systemDatabase.acrossTenants(why)
      return {
        ...unit,
        query: (text: string, values?: readonly unknown[]) => {
          statements++
          return unit.query(text, values)
        },
      }
    },
  }
  const { database, access, clock, product, operator } = ports
  const settings = createSettings({ product }, {})
  const rights = createRights({ database, systemDatabase: ports.systemDatabase, access, clock, operator, settings })
  const impersonations = { verify: async () => true }
  const authenticator = createAuthenticator({
    clock,
    product,
    operator,
    impersonations,
    lastWorkspace: { keep: async () => undefined, keepIn: async () => undefined },
    rights,
    settings,
    systemDatabase: systemDatabase as typeof ports.systemDatabase,
    mailer: undefined,
  })
  return { authenticator, statements: () => statements }
}

test('a malformed credential costs no statement', async t => {
  const { authenticator, statements } = counted()
  const secrets = ['', 'x', 'dt_short', `dt_${'a'.repeat(44)}`, `${person.apiKey.slice(0, -1)}_`, 'a'.repeat(512)]
  for (const kind of ['cookie', 'bearer', 'apiKey'] as const)
    for (const secret of secrets) t.is(await authenticator.authenticate({ kind, secret }, 'home'), null)
  t.is(statements(), 0)
})

test('a login is one statement, with its tenant and rights', async t => {
  const { authenticator, statements } = counted()
  const { tenantId } = person
  for (const [tenant, homeTenantId] of [['home', tenantId] as const, [{ named: tenantId }, null] as const]) {
    const found = await authenticator.authenticate({ kind: 'bearer', secret: person.token }, tenant)
    t.like(found, {
      principal: { kind: 'login', userId: person.userId, homeTenantId },
      membership: { tenantId, roles: ['tenant.owner'], permissions: ['*'] },
    })
  }
  const none = await authenticator.authenticate({ kind: 'bearer', secret: person.token }, 'none')
  t.is(none?.membership, null)
  t.is(statements(), 3)
})

test('an API key is one statement, and a second one a minute that records its use', async t => {
  const { authenticator, statements } = counted()
  const authenticate = () => authenticator.authenticate({ kind: 'apiKey', secret: person.apiKey }, 'home')
  t.like(await authenticate(), { principal: { kind: 'apiKey' }, membership: { tenantId: person.tenantId } })
  const first = statements()
  await authenticate()
  await authenticate()
  t.is(statements(), first + 2)
})

test('a login without a tenant of its own choice acts in the one that the user joined first', async t => {
  const { authenticator } = counted()
  const { body } = await person.post('/v1/identity/tenants', { name: 'A second workspace' })
  const found = await authenticator.authenticate({ kind: 'bearer', secret: person.token }, 'home')
  t.is(found?.membership?.tenantId, person.tenantId)
  const other = await authenticator.authenticate({ kind: 'bearer', secret: person.token }, { named: body.id })
  t.is(other?.membership?.tenantId, body.id)
})

test('an API key acts in no other tenant of its creator', async t => {
  const { authenticator } = counted()
  const { body } = await person.post('/v1/identity/tenants', { name: 'A third workspace' })
  const found = await authenticator.authenticate({ kind: 'apiKey', secret: person.apiKey }, { named: body.id })
  t.is(found?.membership, null)
  t.is(found?.principal.homeTenantId, person.tenantId)
})

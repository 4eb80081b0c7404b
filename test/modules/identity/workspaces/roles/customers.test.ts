import test from 'ava'
import { withPeople } from '../../../../fixtures/with-people.ts'

const recipe = {
  product: { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience: 'people' },
  modules: { identity: {} },
}
const { kernel, operator, ada, bob } = withPeople(
  test,
  { recipe },
  { operator: 'operator', ada: 'owner', bob: 'owner' },
)

const memberIdOf = async (userId: string): Promise<string> => {
  const { systemDatabase, operator } = kernel.kernel.ports
  const { rows } = await systemDatabase
    .acrossTenants('a test reads members')
    .query<{ id: string }>('select id from identity_members where tenant_id = $1 and user_id = $2', [
      operator.tenantId,
      userId,
    ])
  return rows[0]?.id as string
}

test('the port tells customers from staff', async t => {
  const { tenantId } = kernel.kernel.ports.operator
  const { people } = kernel.kernel.ports
  const ids = await Promise.all([ada, bob, operator].map(({ userId }) => memberIdOf(userId)))
  t.deepEqual([...(await people.customers(tenantId, ids))].sort(), ids.slice(0, 2).sort())
})

test('the rights of a person tell whether they are a customer', async t => {
  const { callerRights, operator: owner } = kernel.kernel.ports
  const rightsOf = ({ userId }: { userId: string }) =>
    callerRights.current(owner.tenantId, { kind: 'login', principalId: '', userId })
  t.like(await rightsOf(ada), { isCustomer: true, roles: ['tenant.customer'], permissions: [] })
  t.like(await rightsOf(operator), { isCustomer: false })
})

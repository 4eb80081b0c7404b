import test, { type ExecutionContext } from 'ava'
import { RecipeError } from '../../../../kernel/recipe/index.ts'
import { plan } from '../../../../modules/webhooks/recipe/endpoints.ts'
import { startTestKernel, type TestKernel } from '../../../../testing/index.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { promote } from '../../platform/fixtures.ts'
import { deliveriesOf, type EndpointBody, endpointSecret, rename } from '../fixtures.ts'
import { openReceiver, type Received } from '../receiver.ts'
import { verifies } from '../verify.ts'

type Endpoints = Readonly<Record<string, { url: string; events: readonly string[]; description?: string }>>

const start = (endpoints: Endpoints, database?: string): Promise<TestKernel> => {
  const modules = {
    identity: {},
    comms: { from: 'Acme <hello@acme.test>' },
    sessions: {},
    webhooks: { allowHosts: '127.0.0.1' },
  }
  return startTestKernel({ recipe: { modules, webhooks: { endpoints } }, ...(database && { database }) })
}
async function open(t: ExecutionContext, endpoints: Endpoints): Promise<TestKernel> {
  const kernel = await start(endpoints)
  t.teardown(kernel.stop)
  return kernel
}
const bodyOf = ({ body }: Received) => JSON.parse(body) as Record<string, unknown>

test.serial('an endpoint of the recipe receives the events of every workspace', async t => {
  const receiver = await openReceiver(t)
  const kernel = await open(t, { crm: { url: receiver.url, events: ['identity.tenant.*'], description: 'CRM' } })
  const [ada, eve] = [await kernel.register('ada@example.test'), await kernel.register('eve@example.test')]
  await kernel.settled()
  await rename(ada, 'Analytical')
  await receiver.came(3)
  t.deepEqual(
    receiver.received.map(one => `${bodyOf(one).type} ${bodyOf(one).tenant_id}`).sort(),
    [
      `identity.tenant.created ${ada.tenantId}`,
      `identity.tenant.created ${eve.tenantId}`,
      `identity.tenant.updated ${ada.tenantId}`,
    ].sort(),
  )
  t.deepEqual(await deliveriesOf(ada), [])
  t.deepEqual((await ada.get('/v1/webhooks/endpoints')).body.data, [])

  const operator = await promote(kernel, ada)
  const [endpoint] = (await operator.get('/v1/webhooks/endpoints')).body.data
  t.like(endpoint, { url: receiver.url, description: 'CRM', managed_by: 'recipe', status: 'active' })
  const secret = await endpointSecret(operator, { id: endpoint?.id ?? '' })
  t.true(receiver.received.every(one => verifies(secret, one)))
  const path = `/v1/webhooks/endpoints/${endpoint?.id}`
  for (const { status, body } of [
    await operator.patch<{ code: string }>(path, { events: ['*'] }),
    await operator.delete<{ code: string }>(path),
  ])
    t.deepEqual([status, body.code], [409, 'managed_by_recipe'])
  t.is((await operator.post<EndpointBody>(`${path}/pause`)).body.status, 'paused')
})

test.serial('the deletion of a workspace is reported, and its other events are deleted', async t => {
  const receiver = await openReceiver(t)
  const kernel = await open(t, { crm: { url: receiver.url, events: ['identity.tenant.*'] } })
  const [ada, eve] = [await kernel.register('ada@example.test'), await kernel.register('eve@example.test')]
  await receiver.came(2)
  await ada.delete(`/v1/identity/tenants/${ada.tenantId}`, { headers: { 'x-tenant-id': ada.tenantId } })
  await receiver.came(3)
  t.like(bodyOf(receiver.received[2] as Received), { type: 'identity.tenant.deleted', tenant_id: ada.tenantId })
  const stored = async () => {
    const { rows } = await kernel.kernel.ports.database
      .tenant(kernel.kernel.ports.operator.tenantId)
      .query<{ row: string }>(`select type || ' ' || event_tenant_id as row from webhooks_deliveries order by 1`)
    return rows.map(({ row }) => row)
  }
  const left = [`identity.tenant.created ${eve.tenantId}`, `identity.tenant.deleted ${ada.tenantId}`]
  t.deepEqual(await waitFor(stored, rows => rows.length === left.length), left)
})

test.serial('a changed recipe changes, adds and removes endpoints, and keeps their secrets', async t => {
  const url = 'https://hooks.example.com/'
  const kernel = await open(t, { crm: { url, events: ['*'] }, erp: { url, events: ['sessions.*'] } })
  const { database, operator } = kernel.kernel.ports
  const rows = async () =>
    (
      await database
        .tenant(operator.tenantId)
        .query<{ id: string; key: string; url: string; revision: number }>(
          'select id, key, url, revision from webhooks_endpoints order by key',
        )
    ).rows
  const before = await rows()
  const next: Endpoints = { crm: { url: `${url}new`, events: ['*'] }, bi: { url, events: ['identity.*'] } }
  const planned = await plan(kernel.kernel.ports, {}, { sections: { webhooks: { endpoints: next } } } as never)
  t.deepEqual(
    planned.map(({ change, subject }) => `${change} ${subject}`),
    ['change webhook endpoint crm', 'add webhook endpoint bi', 'remove webhook endpoint erp'],
  )
  t.truthy(planned[2]?.breaks)
  const restarted = await start(next, kernel.databaseUrl)
  await restarted.stop()
  const after = await rows()
  t.deepEqual(
    after.map(({ key, url }) => [key, url]),
    [
      ['bi', url],
      ['crm', `${url}new`],
    ],
  )
  t.is(after[1]?.id, before[0]?.id)
  t.is(after[1]?.revision, 2)
  const again = await start(next, kernel.databaseUrl)
  await again.stop()
  t.deepEqual(await rows(), after)
})

test('the check reports private URLs and unknown events', async t => {
  const error = await t.throwsAsync(
    () =>
      start({
        local: { url: 'http://10.0.0.1/', events: ['*'] },
        typo: { url: 'https://hooks.example.com/', events: ['identity.membr.joined', 'sessions.*'] },
      }),
    { instanceOf: RecipeError },
  )
  t.deepEqual(
    error?.problems.map(({ path, message }) => [path, message]),
    [
      [
        'webhooks.endpoints.local.url',
        "'http://10.0.0.1/' must not lead to this machine or a private network, unless `modules.webhooks.allowHosts` of the recipe names the host",
      ],
      ['webhooks.endpoints.typo.events[0]', 'Unknown event "identity.membr.joined"'],
    ],
  )
})

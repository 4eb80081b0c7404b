/** The keys of billing's tables follow the audience of the product, until people have signed up. */
import test from 'ava'
import { startTestKernel, type TestKernel } from '../../../testing/index.ts'
import { billingRecipe } from './fixtures.ts'

const recipeFor = (audience: 'teams' | 'people') =>
  billingRecipe({}, { product: { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience } })

async function keysOf({ kernel }: TestKernel): Promise<Readonly<Record<string, string>>> {
  const { rows } = await kernel.ports.systemDatabase
    .acrossTenants('a test reads the keys of tables')
    .query<{ name: string; columns: string }>(
      `select c.relname::text as name, string_agg(a.attname, ', ' order by array_position(k.conkey, a.attnum)) as columns
       from pg_constraint k join pg_class c on c.oid = k.conrelid
         join pg_attribute a on a.attrelid = c.oid and a.attnum = any (k.conkey)
       where k.contype = 'p' and c.relname in ('billing_subscriptions', 'billing_event_histories', 'billing_meters')
       group by c.relname`,
    )
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))
}
const TEAMS = {
  billing_subscriptions: 'tenant_id',
  billing_event_histories: 'tenant_id',
  billing_meters: 'tenant_id, key, period_start',
}
const PEOPLE = {
  billing_subscriptions: 'tenant_id, member_id',
  billing_event_histories: 'tenant_id, member_id',
  billing_meters: 'tenant_id, member_id, key, period_start',
}

test('an audience that is refused leaves the keys as they are', async t => {
  const first = await startTestKernel({ recipe: recipeFor('teams') })
  t.teardown(() => first.stop())
  const ada = await first.register('ada@example.test')
  const refused = startTestKernel({ recipe: recipeFor('people'), database: first.databaseUrl })
  await t.throwsAsync(refused, { message: /audience|signed up/ })
  t.deepEqual(await keysOf(first), TEAMS)
  t.is((await ada.get('/v1/billing/subscription')).status, 200)
})

test('the keys name the customer in a product of people, and only there', async t => {
  const first = await startTestKernel({ recipe: recipeFor('teams') })
  t.teardown(() => first.stop())
  t.deepEqual(await keysOf(first), TEAMS)
  for (const [audience, keys] of [
    ['people', PEOPLE],
    ['people', PEOPLE],
    ['teams', TEAMS],
  ] as const) {
    const next = await startTestKernel({ recipe: recipeFor(audience), database: first.databaseUrl })
    t.deepEqual(await keysOf(next), keys)
    await next.stop()
  }
})

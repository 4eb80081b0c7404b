import test from 'ava'
import type { TestKernel } from '../../testing/index.ts'
import { shareKernel } from '../fixtures/shared-kernel.ts'
import { startFull } from '../recipes/shipped-kernels.ts'
import { connectAsOwner, type OwnerClient } from './fixtures.ts'

/** Tables without a tenant. Add new ones here. */
const WITHOUT_TENANT = [
  'automations_definitions',
  'automations_schedules',
  'billing_entitlements',
  'billing_plans',
  'billing_revenue_changes',
  'billing_revenue_days',
  'billing_revenue_start',
  'billing_row_scans',
  'collections_composed',
  'collections_expansions',
  'collections_retired',
  'collections_schema',
  'collections_used_proofs',
  'comms_recipient_counts',
  'comms_suppressed_counts',
  'identity_active_people',
  'identity_app_codes',
  'identity_audience',
  'identity_claims',
  'identity_credential_revisions',
  'identity_email_changes',
  'identity_email_codes',
  'identity_erasures',
  'identity_logins',
  'identity_passkey_challenges',
  'identity_passkeys',
  'identity_password_resets',
  'identity_pending_logins',
  'identity_recovery_codes',
  'identity_sign_in_failures',
  'identity_sign_in_identities',
  'identity_sign_in_returns',
  'identity_tenant_revisions',
  'identity_totp',
  'identity_trusted_devices',
  'identity_used_challenges',
  'identity_users',
  'larder_agenda',
  'larder_applied_recipe',
  'larder_bus_messages',
  'larder_installation',
  'larder_provider_events',
  'larder_rate_limits',
  'larder_recipes',
  'larder_schedules',
  'larder_suspended_tenants',
  'streams_nodes',
  'webhooks_host_leases',
]
/** Tables with a tenant_id that only the system role can access. */
const SYSTEM = ['comms_mailbox', 'larder_deliveries', 'larder_jobs']

/** Tables of shared collections: rows of the operator's workspace, which every tenant may read. */
const SHARED = ['data_demo_articles', 'data_demo_articles__history']

interface Table {
  readonly name: string
  readonly tenant: boolean
  readonly forced: boolean
}
interface Policy {
  readonly name: string
  readonly table: string
  readonly role: string
  readonly command: string
  readonly using: string | null
  readonly check: string | null
}

let kernel: TestKernel
let owner: OwnerClient
let tables: Table[]
let policies: Policy[]

shareKernel(test, startFull, async full => {
  kernel = full
  owner = connectAsOwner(kernel.databaseUrl)
  tables = await owner.query<Table>(`
    select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id') as tenant
    from pg_class c where c.relkind in ('r', 'p', 'v', 'm') and c.relnamespace = 'public'::regnamespace
      and c.relname not like '%migrations'`)
  policies = await owner.query<Policy>(`
    select p.polname as name, c.relname as table, p.polcmd as command, pg_get_expr(p.polqual, p.polrelid) as using,
      pg_get_expr(p.polwithcheck, p.polrelid) as check, coalesce(regexp_replace(r.rolname, '_\\d+$', ''), 'public') as role
    from pg_policy p join pg_class c on c.oid = p.polrelid
      cross join unnest(p.polroles) as member left join pg_roles r on r.oid = member`)
})
test.after.always(() => owner?.end())

const of = (table: string, role: string) => policies.filter(policy => policy.table === table && policy.role === role)

test('every table has a tenant_id, except the listed ones', t => {
  const untenanted = tables.filter(({ tenant }) => !tenant).map(({ name }) => name)
  t.deepEqual(untenanted.sort(), WITHOUT_TENANT)
  t.true(tables.length > 15)
})

test('row level security is enabled and forced on every table', t => {
  t.deepEqual(
    tables.filter(({ forced }) => !forced).map(({ name }) => name),
    [],
  )
})

test('policies limit reads and writes of tenant tables to the own tenant', t => {
  const own = /^\(tenant_id = NULLIF\(current_setting\('larder\.tenant'::text, true\), ''::text\)\)$/
  for (const { name } of tables.filter(table => table.tenant && ![...SYSTEM, ...SHARED].includes(table.name))) {
    const [policy, ...more] = of(name, 'larder_app')
    t.deepEqual(more, [], name)
    t.is(policy?.command, '*', name)
    t.regex(policy?.using ?? '', own, name)
    t.regex(policy?.check ?? '', own, name)
  }
})

test('policies limit writes of shared tables to the workspace of the operator', t => {
  const { tenantId } = kernel.kernel.ports.operator
  const operator = `((tenant_id = NULLIF(current_setting('larder.tenant'::text, true), ''::text)) AND (tenant_id = '${tenantId}'::text))`
  for (const name of SHARED) {
    const [writes, reads, ...more] = of(name, 'larder_app').toSorted((a, b) => a.command.localeCompare(b.command))
    t.deepEqual(more, [])
    t.like(writes, { command: '*', using: operator, check: operator })
    t.like(reads, { command: 'r', using: 'true' })
  }
})

test('system tables have no policy for the tenant role', t => {
  for (const name of SYSTEM) t.deepEqual(of(name, 'larder_app'), [], name)
})

test('policies name only the tenant role and the system role', t => {
  t.deepEqual(
    policies.filter(({ role }) => role !== 'larder_app' && role !== 'larder_system'),
    [],
  )
})

test('an unknown tenant sees no rows', async t => {
  await kernel.register('ada@example.test')
  const { database } = kernel.kernel.ports
  for (const { name } of tables.filter(table => table.tenant && !SHARED.includes(table.name))) {
    const sql = `select count(*)::int as n from ${name}`
    const result = await database
      .tenant('ten_00000000000000000000000000')
      .query<{ n: number }>(sql)
      .catch((error: Error) => error)
    if (result instanceof Error)
      t.regex(String((result as Error & { code?: string }).code ?? result.message), /42501|permission/, name)
    else t.is(result.rows[0]?.n, 0, name)
  }
})

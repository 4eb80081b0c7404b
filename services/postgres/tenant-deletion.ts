/**
 * Deletes the rows of a tenant. The tables come from the catalog, so a new module needs no code for it. Tables of
 * modules that a recipe no longer names are included.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, SECOND, type SystemDatabase } from '@larder-dev/larder/kernel'
import { deletionOrder, type TenantTable } from './deletion-order.ts'
import type { TenantDeletion } from './ports.ts'
import { APP_ROLE, type RoleNames, SYSTEM_ROLE, withRoleNames } from './role-names.ts'

/** Rows per statement. Each statement is a separate transaction, so that locks are short. */
const BATCH_SIZE = 1000

/** Handlers of the deletion's own events run at the same time as the deletion. */
const HANDLERS_LIMIT_MS = 30 * SECOND
const HANDLERS_INTERVAL_MS = 100

const TABLES = `
  select c.relname::text as name,
    has_table_privilege('${APP_ROLE}', c.oid, 'delete') as "deletableByTenant",
    has_table_privilege('${SYSTEM_ROLE}', c.oid, 'delete') as "deletableBySystem",
    array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
          where k.conrelid = c.oid and k.contype = 'f' and r.oid <> c.oid) as references
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
  where c.relkind in ('r', 'p')
  order by c.relname`

const UNFINISHED = `
  select exists (select 1 from larder_events where tenant_id = $1 and dispatched_at is null) or
    exists (select 1 from larder_deliveries where tenant_id = $1 and state = 'pending') as handlers,
    exists (select 1 from larder_jobs where tenant_id = $1 and state in ('waiting', 'running')) as jobs`

const FINISHED = [
  `with finished as (
    select id from larder_events where tenant_id = $1 and dispatched_at is not null limit $2
  ), delivered as (delete from larder_deliveries where event_id in (select id from finished))
  delete from larder_events where id in (select id from finished)`,
  `delete from larder_jobs where id in (
    select id from larder_jobs where tenant_id = $1 and state in ('done', 'dead') limit $2)`,
  // Events of providers have no tenant, but name it in their keys and in what the provider sent.
  `delete from larder_provider_events where ctid = any (array(
    select ctid from larder_provider_events where $1 = any (keys) or strpos(data::text, $1) > 0 limit $2))`,
]

type Statement = (limit: number) => Promise<number>

export interface TenantDeletionOptions {
  readonly database: Database
  readonly systemDatabase: SystemDatabase
  readonly roles: () => RoleNames
  /** The `deleteTenant` hooks of the running modules. */
  readonly hooks: () => readonly ((tenantId: string) => Promise<void>)[]
}

export function createTenantDeletion({
  database,
  systemDatabase,
  roles,
  hooks,
}: TenantDeletionOptions): TenantDeletion {
  const acrossTenants = () => systemDatabase.acrossTenants('rows of a deleted tenant are deleted in every table')

  async function unfinished(tenantId: string): Promise<{ handlers: boolean; jobs: boolean }> {
    const { rows } = await acrossTenants().query<{ handlers: boolean; jobs: boolean }>(UNFINISHED, [tenantId])
    return rows[0] ?? { handlers: false, jobs: false }
  }

  async function handlersHaveFinished(tenantId: string, signal: AbortSignal): Promise<boolean> {
    const end = performance.now() + HANDLERS_LIMIT_MS
    while ((await unfinished(tenantId)).handlers) {
      if (performance.now() > end) return false
      await pause(HANDLERS_INTERVAL_MS, undefined, { signal })
    }
    return true
  }

  return {
    async run(tenantId, signal) {
      if (!(await handlersHaveFinished(tenantId, signal))) return { complete: false }
      for (const hook of hooks()) {
        signal.throwIfAborted()
        await hook(tenantId)
      }
      const { rows: tables } = await acrossTenants().query<TenantTable>(withRoleNames(TABLES, roles()))
      for (const { name, deletableByTenant } of deletionOrder(tables)) {
        // The tenant's own unit where possible: row level security then limits the statement to the tenant.
        const unit = () => (deletableByTenant ? database.tenant(tenantId) : acrossTenants())
        const text = `delete from ${quoted(name)} where ctid = any (array(
          select ctid from ${quoted(name)} where tenant_id = $1 limit $2))`
        await repeat(async limit => (await unit().query(text, [tenantId, limit])).rowCount, signal)
      }
      for (const text of FINISHED)
        await repeat(async limit => (await acrossTenants().query(text, [tenantId, limit])).rowCount, signal)
      const after = await unfinished(tenantId)
      return { complete: !after.handlers && !after.jobs }
    },
  }
}

async function repeat(statement: Statement, signal: AbortSignal): Promise<void> {
  let deleted = BATCH_SIZE
  while (deleted === BATCH_SIZE) {
    signal.throwIfAborted()
    deleted = await statement(BATCH_SIZE)
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

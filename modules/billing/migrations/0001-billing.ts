import type { Migration } from '@larder-dev/larder/kernel'
import type { Migrator } from '@larder-dev/larder/kernel/internal'

const TIMES = 'created_at timestamptz not null, updated_at timestamptz not null'

export const up: Migration = async m => {
  // Plans of the recipe. A plan that leaves the recipe is retired while it has subscribers.
  await m.systemTable(
    'billing_plans',
    `key text primary key, definition jsonb not null, hash text not null, retired boolean not null default false, ${TIMES}`,
  )
  await m.systemTable('billing_entitlements', `key text primary key, definition jsonb not null, ${TIMES}`)
  await m.tenantTable(
    'billing_subscriptions',
    `id text not null unique,
     state text not null check (state in ('free', 'trialing', 'active', 'past_due', 'canceled')),
     -- Null: the default plan.
     plan_key text,
     trial_used boolean not null default false,
     trial_ends_at timestamptz,
     current_period_end timestamptz,
     grace_ends_at timestamptz,
     cancel_at_period_end boolean not null default false,
     provider text,
     provider_customer text,
     provider_subscription text,
     -- Whether the development provider's next payment succeeds.
     payments_succeed boolean not null default true,
     -- Time of the newest applied event of the provider.
     last_event_at timestamptz,
     ${TIMES},
     primary key (tenant_id)`,
  )
  await m.query(`
    create index on billing_subscriptions (trial_ends_at) where state = 'trialing';
    create index on billing_subscriptions (current_period_end) where state in ('active', 'past_due');
    create index on billing_subscriptions (grace_ends_at) where state = 'past_due';
    create index on billing_subscriptions (plan_key) where plan_key is not null;
    create index on billing_subscriptions (provider_customer);
    create index on billing_subscriptions (provider_subscription)`)
  await m.tenantTable(
    'billing_meters',
    'key text not null, period_start timestamptz not null, used numeric not null, primary key (tenant_id, key, period_start)',
  )
  await ledger(m)
}

/** Entries and allocations are append-only. The remaining credits of each grant are in its lot. */
async function ledger(m: Migrator): Promise<void> {
  await m.tenantTable(
    'billing_credit_entries',
    `id text primary key,
     seq bigint generated always as identity,
     key text not null,
     kind text not null check (kind in ('grant', 'consume', 'refund', 'expire', 'adjust')),
     amount bigint not null check (amount <> 0),
     balance_before bigint not null check (balance_before >= 0),
     balance_after bigint not null check (balance_after >= 0 and balance_after = balance_before + amount),
     reason text not null,
     reference text,
     expires_at timestamptz,
     -- Key of the cause: at most one entry per source.
     source text,
     actor jsonb not null,
     created_at timestamptz not null,
     unique (tenant_id, source)`,
  )
  await m.query('create index on billing_credit_entries (tenant_id, key, seq)')
  await m.query('create index on billing_credit_entries (tenant_id, id)')
  await m.query("create index on billing_credit_entries (reference) where kind = 'refund'")
  await lots(m)
}

async function lots(m: Migrator): Promise<void> {
  await m.tenantTable(
    'billing_credit_allocations',
    `entry_id text not null references billing_credit_entries (id),
     grant_id text not null references billing_credit_entries (id),
     amount bigint not null check (amount > 0),
     primary key (entry_id, grant_id)`,
  )
  await m.tenantTable(
    'billing_credit_lots',
    `grant_id text primary key references billing_credit_entries (id),
     key text not null,
     remaining bigint not null check (remaining >= 0),
     expires_at timestamptz`,
  )
  await m.query(`
    create index on billing_credit_lots (tenant_id, key, expires_at) where remaining > 0;
    create index on billing_credit_lots (expires_at) where remaining > 0;
    revoke update, delete, truncate on billing_credit_entries, billing_credit_allocations from larder_app, larder_system;
    create function billing_ledger_append_only() returns trigger language plpgsql as $$
      begin raise exception 'the ledger is append-only'; end $$;
    create trigger billing_ledger_append_only before update or delete or truncate on billing_credit_entries
      for each statement execute function billing_ledger_append_only();
    create trigger billing_ledger_append_only before update or delete or truncate on billing_credit_allocations
      for each statement execute function billing_ledger_append_only()`)
}

import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.query(`alter table billing_subscriptions
    -- An operator gave the plan, and nobody pays for it.
    add column given boolean not null default false,
    -- What the subscription adds to the recurring revenue, as recorded in billing_revenue_changes; null for nothing.
    add column revenue jsonb`)
  await m.query('create index on billing_subscriptions (id) where given')
  // Append-only, and without a workspace: deleting one doesn't change the figures of past months.
  await m.systemTable(
    'billing_revenue_changes',
    `id bigint generated always as identity primary key,
     recorded_at timestamptz not null,
     kind text not null check (kind in ('opening', 'new', 'expansion', 'contraction', 'lost', 'trial_started',
       'trial_converted', 'trial_lost')),
     plan_key text not null,
     currency text not null,
     -- Change of what is paid per year, in minor units: twelve times what is paid per month, and always whole.
     annual bigint not null,
     -- Change of the number of subscriptions that pay.
     subscriptions integer not null`,
  )
  await m.query(`create index on billing_revenue_changes (recorded_at)
    include (kind, plan_key, currency, annual, subscriptions)`)
  await m.systemTable(
    'billing_revenue_start',
    'only_one boolean primary key default true check (only_one), since timestamptz not null default now()',
  )
  await m.query('insert into billing_revenue_start default values')
  await m.query(`
    grant insert on billing_revenue_changes to larder_app;
    create policy record on billing_revenue_changes for insert to larder_app with check (true)`)
  await existingSubscriptions(m)
}

/** Nobody knows when the subscriptions of today began to pay, so the figures begin with all of them. */
async function existingSubscriptions(m: Parameters<Migration>[0]): Promise<void> {
  await m.query(
    `update billing_subscriptions s set revenue = jsonb_build_object('planKey', s.plan_key,
       'currency', p.definition->>'currency',
       'annual', (p.definition->>'price')::bigint * case p.definition->>'interval' when 'year' then 1 else 12 end)
     from billing_plans p
     where p.key = s.plan_key and s.state in ('active', 'past_due') and not s.payment_paused
       and (p.definition->>'price')::bigint > 0 and p.definition->>'currency' is not null
       and not (s.member_id = '' and s.tenant_id = (select operator_tenant_id from larder_installation))`,
  )
  await m.query(
    `insert into billing_revenue_changes (recorded_at, kind, plan_key, currency, annual, subscriptions)
     select now(), 'opening', revenue->>'planKey', revenue->>'currency', sum((revenue->>'annual')::bigint), count(*)
     from billing_subscriptions where revenue is not null group by 3, 4`,
  )
}

export const down: Migration = async m => {
  await m.query('drop table billing_revenue_changes, billing_revenue_start')
  await m.query('alter table billing_subscriptions drop column given, drop column revenue')
}

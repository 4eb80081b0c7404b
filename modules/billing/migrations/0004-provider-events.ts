import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.query(`alter table billing_subscriptions
    -- The provider collects no payments for now, and the default plan's entitlements hold.
    add column payment_paused boolean not null default false,
    -- Plan of a subscription that was canceled here because the provider gave up collecting, until it is paid.
    add column unpaid_plan_key text`)
  // The newest events of each tenant's subscription, which a late event is inserted into.
  await m.tenantTable('billing_event_histories', 'history jsonb not null, primary key (tenant_id)')
  // Subscriptions of the provider that a checkout has begun. A second event of a checkout changes nothing.
  await m.tenantTable('billing_checkouts', 'subscription text not null, primary key (tenant_id, subscription)')
}

export const down: Migration = async m => {
  await m.query('drop table billing_checkouts, billing_event_histories')
  await m.query('alter table billing_subscriptions drop column payment_paused, drop column unpaid_plan_key')
}

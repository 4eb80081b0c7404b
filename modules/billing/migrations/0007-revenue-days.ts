import type { Migration } from '@larder-dev/larder/kernel'

export const expands = true

export const up: Migration = m =>
  // Sums of the changes of days (UTC) that are over. A report reads them instead of all changes since the first one.
  m.systemTable(
    'billing_revenue_days',
    `day date not null,
     kind text not null,
     plan_key text not null,
     currency text not null,
     annual bigint not null,
     subscriptions integer not null,
     changes integer not null,
     primary key (day, kind, plan_key, currency)`,
  )

export const down: Migration = async m => {
  await m.query('drop table billing_revenue_days')
}

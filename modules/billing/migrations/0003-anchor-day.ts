import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.query(`alter table billing_subscriptions
    -- Day of the month on which periods end; null for subscriptions that began earlier.
    add column anchor_day smallint,
    -- Days by which the dates were moved back, to advance the time of the development provider.
    add column shifted_days integer not null default 0`)
}

export const down: Migration = async m => {
  await m.query('alter table billing_subscriptions drop column anchor_day, drop column shifted_days')
}

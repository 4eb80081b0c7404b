import type { Migration } from '@larder-dev/larder/kernel'

/** Attempts were separate rows, each with an index entry and a lookup of its delivery. */
export const up: Migration = async m => {
  await m.query(`alter table webhooks_deliveries add column attempt_log jsonb not null default '[]'`)
  await m.query(`
    update webhooks_deliveries d set attempt_log = a.log from (
      select delivery_id, jsonb_agg(jsonb_build_object('number', number,
          'at', to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'duration_ms', duration_ms,
          'status', status, 'error', error, 'answer', answer) order by number) as log
      from webhooks_attempts group by delivery_id) a
    where a.delivery_id = d.id`)
  await m.query('drop table webhooks_attempts')
}

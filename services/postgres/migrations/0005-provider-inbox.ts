/** Events of providers. Their tenant is known only when they are processed. */
import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query, systemTable }) => {
  await systemTable(
    'larder_provider_events',
    `inbox text not null,
     provider text not null,
     event_id text not null,
     data jsonb not null,
     -- Ids of the objects that the event is about.
     keys text[] not null,
     occurred_at timestamptz not null,
     received_at timestamptz not null,
     attempts integer not null default 0,
     next_attempt_at timestamptz not null,
     -- Null until the event is processed. unknown: it belongs to no tenant. failed: every attempt failed.
     outcome text check (outcome in ('done', 'stale', 'rejected', 'unknown', 'failed')),
     primary key (inbox, provider, event_id)`,
  )
  await query(
    'create index larder_provider_events_due on larder_provider_events (inbox, next_attempt_at) where outcome is null',
  )
  await query(
    'create index larder_provider_events_old on larder_provider_events (inbox, received_at) where outcome is not null',
  )
}

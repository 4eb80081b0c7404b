import type { Migration } from 'larder/kernel'

export const up: Migration = async m => {
  // Overrides of the product's templates.
  await m.tenantTable(
    'comms_templates',
    `template text not null,
     locale text not null,
     subject text not null,
     preheader text,
     html text not null,
     text text,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (tenant_id, template, locale)`,
  )

  // Events of email providers. The message that an event names determines the tenant.
  await m.systemTable(
    'comms_provider_events',
    `provider text not null,
     event_id text not null,
     message_id text,
     type text not null check (type in ('delivered', 'bounced', 'complained', 'unsubscribed')),
     hard boolean not null,
     detail text,
     happened_at timestamptz not null,
     received_at timestamptz not null,
     attempts integer not null default 0,
     -- Null until the event is processed. unknown: it names no message of this installation.
     outcome text check (outcome in ('done', 'unknown', 'failed')),
     primary key (provider, event_id)`,
  )
  await m.query('create index on comms_provider_events (received_at) where outcome is null')
}

export const down: Migration = async m => {
  await m.query('drop table comms_provider_events, comms_templates')
}

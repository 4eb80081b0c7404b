import type { Migration } from 'larder/kernel'

export const up: Migration = async m => {
  // What a tenant wrote in the place of the product's own templates.
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

  // What providers told of mail, whatever the tenant: it is found by the message that it names.
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
     -- Null while it waits; unknown: it names no message of this installation.
     outcome text check (outcome in ('done', 'unknown', 'failed')),
     primary key (provider, event_id)`,
  )
  await m.query('create index on comms_provider_events (received_at) where outcome is null')
}

export const down: Migration = async m => {
  await m.query('drop table comms_provider_events, comms_templates')
}

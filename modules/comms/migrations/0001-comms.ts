import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.tenantTable(
    'comms_messages',
    `id text primary key,
     template text not null,
     recipient text not null,
     recipient_key text not null,
     locale text not null,
     category text not null check (category in ('transactional', 'marketing')),
     subject text not null,
     data jsonb not null,
     -- Id of the causing event: a handler that runs twice inserts one message.
     key text,
     status text not null check (status in
       ('queued', 'sending', 'sent', 'delivered', 'bounced', 'complained', 'suppressed', 'failed')),
     attempts integer not null default 0,
     history jsonb not null default '[]',
     sent_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     unique (tenant_id, key, template, recipient_key)`,
  )
  await m.query('create index on comms_messages (tenant_id, id)')
  await m.query('create index on comms_messages (tenant_id, recipient_key, id)')

  await m.tenantTable(
    'comms_suppression',
    `id text primary key,
     email text not null,
     category text not null check (category in ('all', 'marketing')),
     reason text not null,
     expires_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     unique (tenant_id, email, category)`,
  )

  // Emails of the mailbox transport. Their bodies contain live links, so only system units can read them.
  await m.systemTable(
    'comms_mailbox',
    `id text primary key,
     message_id text not null unique,
     tenant_id text not null,
     sender text not null,
     recipient text not null,
     subject text not null,
     html text not null,
     text text not null,
     headers jsonb not null,
     created_at timestamptz not null`,
  )
}

export const down: Migration = async m => {
  await m.query('drop table comms_mailbox, comms_suppression, comms_messages')
}

import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.tenantTable(
    'messaging_conversations',
    `id text primary key,
     subject text,
     status text not null default 'open' check (status in ('open', 'resolved', 'snoozed')),
     snoozed_until timestamptz check ((status = 'snoozed') = (snoozed_until is not null)),
     -- Number of the newest message. The row lock keeps the numbers free of gaps.
     last_seq integer not null default 0,
     -- Increases by one with every change. Sockets use it to detect missed changes.
     version integer not null default 1,
     -- The version at which subject, status or participants last changed.
     settled integer not null default 1,
     active_at timestamptz not null,
     created_by text not null,
     created_at timestamptz not null,
     updated_at timestamptz not null`,
  )
  await m.tenantTable(
    'messaging_participants',
    `conversation_id text not null references messaging_conversations (id) on delete cascade,
     user_id text not null,
     last_read_seq integer not null,
     -- Number of the newest message covered by a reminder.
     notified_seq integer not null default 0,
     joined_at timestamptz not null,
     primary key (conversation_id, user_id)`,
  )
  await m.query('create index on messaging_participants (tenant_id, user_id)')
  await m.tenantTable(
    'messaging_messages',
    `id text primary key,
     conversation_id text not null references messaging_conversations (id) on delete cascade,
     seq integer not null,
     -- Version of the conversation at the last change of this message.
     version integer not null,
     sender_id text not null,
     client_message_id text,
     -- Digest of the content, if there is a clientMessageId, to distinguish a repeat from another message.
     digest text,
     body text,
     attachments jsonb not null,
     created_at timestamptz not null,
     edited_at timestamptz,
     deleted_at timestamptz,
     unique (conversation_id, seq)`,
  )
  await m.query(
    `create unique index messaging_messages_client on messaging_messages (conversation_id, sender_id, client_message_id)
     where client_message_id is not null`,
  )
  await m.query(
    `create index messaging_messages_altered on messaging_messages (conversation_id, version)
     where edited_at is not null or deleted_at is not null`,
  )
  // Both are updated with each message. The fill factor allows HOT updates.
  for (const table of ['messaging_conversations', 'messaging_participants'])
    await m.query(`alter table ${table} set (fillfactor = 70)`)
}

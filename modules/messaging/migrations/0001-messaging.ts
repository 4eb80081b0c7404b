import type { Migration } from 'larder/kernel'

export const up: Migration = async m => {
  await m.tenantTable(
    'messaging_conversations',
    `id text primary key,
     subject text,
     status text not null default 'open' check (status in ('open', 'resolved', 'snoozed')),
     snoozed_until timestamptz check ((status = 'snoozed') = (snoozed_until is not null)),
     -- Of the newest message; its row's lock is what makes the numbers free of gaps.
     last_seq integer not null default 0,
     -- Goes up by one with whatever happens in the conversation: what a socket has seen up to.
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
     -- The newest message that a mail has told of.
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
     -- The conversation's, when this message last changed.
     version integer not null,
     sender_id text not null,
     client_message_id text,
     -- Of what was posted, with a clientMessageId: tells a repeat from another message under the same one.
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
  // Both are written at each message: new versions of their rows stay on their page.
  for (const table of ['messaging_conversations', 'messaging_participants'])
    await m.query(`alter table ${table} set (fillfactor = 70)`)
}

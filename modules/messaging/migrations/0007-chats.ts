import type { Migration } from '@larder-dev/larder/kernel'

export const expands = true

/** Messages beside what other modules own, such as streams. */
export const up: Migration = async m => {
  await m.tenantTable(
    'messaging_chat_messages',
    `id text primary key,
     -- ID of what the chat belongs to, in the module that owns it.
     chat text not null,
     -- Null for a guest, who has a name instead.
     sender_id text,
     guest_name text check ((sender_id is null) = (guest_name is not null)),
     by_host boolean not null,
     body text not null,
     created_at timestamptz not null`,
  )
  await m.query('create index on messaging_chat_messages (tenant_id, chat, id)')
  // For the export of an account.
  await m.query('create index on messaging_chat_messages (sender_id, id) where sender_id is not null')
}

export const down: Migration = async m => {
  await m.query('drop table messaging_chat_messages')
}

import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.query(
    `alter table messaging_conversations
       add column kind text not null default 'private' check (kind in ('private', 'support')),
       add column assignee_id text check (assignee_id is null or kind = 'support')`,
  )
  // Without active_at, which changes with each message: an index on it would prevent HOT updates of all conversations.
  await m.query(`create index on messaging_conversations (tenant_id, status) where kind = 'support'`)
  await m.tenantTable(
    'messaging_saved_replies',
    `id text primary key,
     title text not null,
     body text not null,
     -- What is typed after a slash to insert the reply.
     shortcut text,
     version integer not null default 1,
     created_by text not null,
     created_at timestamptz not null,
     updated_at timestamptz not null`,
  )
  await m.query(
    `create unique index messaging_saved_replies_shortcut on messaging_saved_replies (tenant_id, shortcut)
     where shortcut is not null`,
  )
}

export const down: Migration = async m => {
  await m.query('drop table messaging_saved_replies')
  await m.query('alter table messaging_conversations drop column assignee_id, drop column kind')
}

import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.tenantTable(
    'content_media',
    `page_id text not null,
     number integer not null,
     media_id text not null,
     primary key (page_id, number, media_id),
     foreign key (page_id, number) references content_versions (page_id, number) on delete cascade`,
  )
  await m.query('create index on content_media (tenant_id, media_id)')
}

import type { Migration } from '@larder-dev/larder/kernel'

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
}

export const down: Migration = async m => {
  await m.query('drop table comms_templates')
}

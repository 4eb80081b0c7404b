import { type Migration, newId } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query, systemTable }) => {
  await systemTable(
    'larder_installation',
    `only_one boolean primary key default true check (only_one),
     operator_tenant_id text not null,
     created_at timestamptz not null default now()`,
  )
  await query('insert into larder_installation (operator_tenant_id) values ($1)', [newId('ten')])
  await query('grant select on larder_installation to larder_app')
  await query('create policy anyone on larder_installation for select to larder_app using (true)')
}

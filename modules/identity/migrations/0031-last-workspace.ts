import type { Migration } from '@larder-dev/larder/kernel'

/**
 * The workspace in which a person worked last. No foreign key: when they leave it, or it is deleted, pages show another one.
 * A cached caller is the one of this workspace, so a change revises the credentials.
 */
export const up: Migration = async m => {
  await m.query('alter table identity_users add column last_tenant_id text')
  await m.query(
    `create trigger identity_revise_workspace after update of last_tenant_id on identity_users
     for each row when (new.last_tenant_id is distinct from old.last_tenant_id)
     execute function identity_revise_users()`,
  )
}

export const down: Migration = async m => {
  await m.query('drop trigger identity_revise_workspace on identity_users')
  await m.query('alter table identity_users drop column last_tenant_id')
}

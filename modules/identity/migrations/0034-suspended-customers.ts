import type { Migration } from '@larder-dev/larder/kernel'

/**
 * Operators suspend customers of a product of people. A cached caller ends with the transaction that suspends or reinstates
 * them, as with a change of their roles.
 */
export const up: Migration = async m => {
  await m.query(
    `alter table identity_members add column suspended_at timestamptz, add column suspension_reason text,
     add constraint identity_members_suspension check ((suspended_at is null) = (suspension_reason is null))`,
  )
  await m.query(
    `create trigger identity_lock_suspended before update of suspended_at on identity_members
     for each row execute function identity_lock_user()`,
  )
  await m.query(
    `create trigger identity_revise_suspended after update of suspended_at on identity_members
     for each row execute function identity_revise_members()`,
  )
}

export const down: Migration = async m => {
  await m.query('drop trigger identity_lock_suspended on identity_members')
  await m.query('drop trigger identity_revise_suspended on identity_members')
  await m.query('alter table identity_members drop column suspended_at, drop column suspension_reason')
}

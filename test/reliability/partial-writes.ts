/** Queries that count incomplete writes of identity and billing. Each must return 0. */
import type { OwnerClient } from './fixtures.ts'

const event = (type: string, subject: string) =>
  `(select count(*) from larder_events e where e.type = '${type}' and e.subject = ${subject})`
const audited = (action: string, subject: string) =>
  `(select count(*) from identity_audit a where a.action = '${action}' and a.subject = ${subject})`
const users = `from identity_users u where`

export const PARTIAL_WRITES: Readonly<Record<string, string>> = {
  'user without exactly one workspace': `select count(*) ${users} 1 <> (select count(*)
    from identity_members m where m.user_id = u.id and m.roles = '{tenant.owner}')`,
  'user without exactly one API key': `select count(*) ${users} 1 <> (select count(*)
    from identity_api_keys k where k.user_id = u.id)`,
  'user without a login': `select count(*) ${users} not exists (select
    from identity_logins l where l.user_id = u.id)`,
  'user without exactly one event': `select count(*) ${users} 1 <> ${event('identity.user.created', 'u.id')}`,
  'workspace without exactly one owner': `select count(*) from identity_tenants t where slug <> 'operator' and 1 <> (select
    count(*) from identity_members m where m.tenant_id = t.tenant_id and 'tenant.owner' = any (m.roles))`,
  'workspace without exactly one event': `select count(*) from identity_tenants t where slug <> 'operator'
    and 1 <> ${event('identity.tenant.created', 't.tenant_id')}`,
  'workspace without exactly one audit entry': `select count(*) from identity_tenants t
    where 1 <> ${audited('tenant.created', 't.tenant_id')}`,
  'invitation without exactly one event, or with another version': `select count(*) from identity_invitations i
    where 1 <> ${event('identity.invitation.created', 'i.id')} or i.version <> 1`,
  'invitation without exactly one audit entry': `select count(*) from identity_invitations i
    where 1 <> ${audited('invitation.created', 'i.id')}`,
  'member without exactly one event and audit entry': `select count(*) from identity_members m
    where 1 <> ${event('identity.member.joined', 'm.id')} or ${audited('member.joined', 'm.id')} <>
      case when 'tenant.owner' = any (m.roles) then 0 else 1 end`,
  'accepted invitation without a member': `select count(*) from identity_invitations i where status = 'accepted'
    and not exists (select from identity_members m where m.tenant_id = i.tenant_id and m.user_id = i.accepted_by)`,
  'invited member without an accepted invitation': `select count(*) from identity_members m where m.roles = '{tenant.member}'
    and not exists (select from identity_invitations i where i.tenant_id = m.tenant_id and i.status = 'accepted'
      and i.accepted_by = m.user_id)`,
  'accepted invitation without exactly one audit entry': `select count(*) from identity_invitations i where status = 'accepted'
    and 1 <> (select count(*) from identity_audit a
      where a.action = 'member.joined' and a.details ->> 'invitationId' = i.id)`,
  'two invitations of one address': `select count(*) from (select from identity_invitations
    group by tenant_id, email_key having count(*) > 1) as twice`,
  'subscription without exactly one event': `select count(*) from billing_subscriptions s
    where plan_key is not null and 1 <> ${event('billing.subscription.trial_started', 's.id')}`,
  'subscription without the credits of its plan': `select count(*) from billing_subscriptions s where plan_key is not null
    and 1 <> (select count(*) from billing_credit_entries c where c.tenant_id = s.tenant_id)`,
  'credits without a subscription': `select count(*) from billing_credit_entries c
    where not exists (select from billing_subscriptions s where s.tenant_id = c.tenant_id and s.plan_key is not null)`,
}

/** The given ids that belong to a stored user or invitation, or to a workspace with a plan. */
export async function findCommitted(owner: OwnerClient, ids: readonly string[]): Promise<Set<string>> {
  const rows = await owner.query<{ id: string }>(
    `select id from identity_users where id = any ($1) union all select id from identity_invitations where id = any ($1)
     union all select tenant_id from billing_subscriptions where tenant_id = any ($1) and plan_key is not null`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

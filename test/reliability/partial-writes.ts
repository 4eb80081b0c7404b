/** What identity and billing write together, as questions to the database: each must find nothing. */
import type { Owner } from './fixtures.ts'

const event = (type: string, subject: string) =>
  `(select count(*) from larder_events e where e.type = '${type}' and e.subject = ${subject})`
const logged = (action: string, subject: string) =>
  `(select count(*) from identity_audit a where a.action = '${action}' and a.subject = ${subject})`
const person = `from identity_users u where`

export const HALVES: Readonly<Record<string, string>> = {
  'a person without a workspace of their own': `select count(*) ${person} 1 <> (select count(*)
    from identity_members m where m.user_id = u.id and m.roles = '{tenant.owner}')`,
  'a person without their first key': `select count(*) ${person} 1 <> (select count(*)
    from identity_api_keys k where k.user_id = u.id)`,
  'a person who was never signed in': `select count(*) ${person} not exists (select
    from identity_logins l where l.user_id = u.id)`,
  'a person of whom nobody was told once': `select count(*) ${person} 1 <> ${event('identity.user.created', 'u.id')}`,
  'a workspace without an owner': `select count(*) from identity_tenants t where slug <> 'operator' and 1 <> (select
    count(*) from identity_members m where m.tenant_id = t.tenant_id and 'tenant.owner' = any (m.roles))`,
  'a workspace of which nobody was told once': `select count(*) from identity_tenants t where slug <> 'operator'
    and 1 <> ${event('identity.tenant.created', 't.tenant_id')}`,
  'a workspace that is not on record once': `select count(*) from identity_tenants t
    where 1 <> ${logged('tenant.created', 't.tenant_id')}`,
  'an invitation of which nobody was told once': `select count(*) from identity_invitations i
    where 1 <> ${event('identity.invitation.created', 'i.id')} or i.version <> 1`,
  'an invitation that is not on record once': `select count(*) from identity_invitations i
    where 1 <> ${logged('invitation.created', 'i.id')}`,
  'a member of whom nobody was told once': `select count(*) from identity_members m
    where 1 <> ${event('identity.member.joined', 'm.id')} or 1 <> ${logged('member.joined', 'm.id')}`,
  'an accepted invitation without its member': `select count(*) from identity_invitations i where status = 'accepted'
    and not exists (select from identity_members m where m.tenant_id = i.tenant_id and m.user_id = i.accepted_by)`,
  'a guest without an accepted invitation': `select count(*) from identity_members m where m.roles = '{tenant.member}'
    and not exists (select from identity_invitations i where i.tenant_id = m.tenant_id and i.status = 'accepted'
      and i.accepted_by = m.user_id)`,
  'an acceptance that is not on record once': `select count(*) from identity_invitations i where status = 'accepted'
    and 1 <> ${logged('invitation.accepted', 'i.id')}`,
  'two invitations of one person': `select count(*) from (select from identity_invitations
    group by tenant_id, email_key having count(*) > 1) as twice`,
  'a plan that was bought and of which nobody was told once': `select count(*) from billing_subscriptions s
    where plan_key is not null and 1 <> ${event('billing.subscription.trial_started', 's.id')}`,
  'a plan without its credits': `select count(*) from billing_subscriptions s where plan_key is not null
    and 1 <> (select count(*) from billing_credit_entries c where c.tenant_id = s.tenant_id)`,
  'credits without the plan that brings them': `select count(*) from billing_credit_entries c
    where not exists (select from billing_subscriptions s where s.tenant_id = c.tenant_id and s.plan_key is not null)`,
}

/** Which of these users and invitations are there, and which of these workspaces have bought a plan. */
export async function heard(owner: Owner, ids: readonly string[]): Promise<Set<string>> {
  const rows = await owner.query<{ id: string }>(
    `select id from identity_users where id = any ($1) union all select id from identity_invitations where id = any ($1)
     union all select tenant_id from billing_subscriptions where tenant_id = any ($1) and plan_key is not null`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

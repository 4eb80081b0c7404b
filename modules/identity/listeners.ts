import { type Deps, type Event, listener } from '@larder-dev/larder/kernel'
import { mailLink } from './domain/links.ts'
import type { IdentityServices } from './services.ts'
import { ADDRESS_VERSION } from './sign-in/address-proofs.ts'
import { describeUserAgent } from './sign-in/domain/user-agent.ts'
import { PASSWORD } from './sign-in/sign-in-methods.ts'

type InvitationEvent = Event<'identity.invitation.created'> | Event<'identity.invitation.resent'>
type MethodEvent =
  | Event<'identity.sign_in_method.added'>
  | Event<'identity.sign_in_method.removed'>
  | Event<'identity.password.changed'>

type FactorEvent =
  | Event<'identity.second_factor.enabled'>
  | Event<'identity.second_factor.removed'>
  | Event<'identity.recovery_codes.replaced'>
  | Event<'identity.recovery_code.used'>

export function listeners(deps: Deps<'jobs' | 'operator' | 'people' | 'product', 'mailer'> & IdentityServices) {
  const { jobs, operator, settings, ssoConnections } = deps
  const deleteTenant = listener('identity.tenant.deleted', async ({ payload: { tenantId } }) => {
    // The job belongs to the operator's tenant: otherwise its own row would remain in the deleted one.
    const options = { key: tenantId, tenantId: operator.tenantId }
    await jobs.enqueue('identity.delete_tenant', { tenantId, pass: 1 }, options)
  })
  // An owner who removes a member lets the provider give their address to somebody else.
  const forgetPerson = listener('identity.member.removed', ({ tenantId, payload }) =>
    ssoConnections.forgetPeople(tenantId, payload.userId),
  )
  return [deleteTenant, ...(settings.enterprise ? [forgetPerson] : []), ...mailListeners(deps)]
}

/** The ID of the event is the idempotency key, so a redelivery sends no second email. */
function mailListeners({
  mailer,
  operator,
  product,
  people,
  settings,
  invitations,
  logins,
  tenants,
  userMail,
  users,
}: Deps<'operator' | 'people' | 'product', 'mailer'> & IdentityServices) {
  // Without a mailer, callers pass on invitation links themselves (`sendEmail: false`).
  if (!mailer) return []

  async function sendWelcome({ id: key, tenantId, payload }: Event<'identity.user.created'>): Promise<void> {
    const { userId, email, name, locale } = payload
    const [user] = await users.find([userId])
    if (!user) return
    const link = mailLink('verify_email', { id: userId, version: ADDRESS_VERSION })
    const data = { email, verified: user.emailVerified, link }
    await userMail.send({ email, name, locale }, { template: 'identity.welcome', tenantId, key, data })
  }

  async function sendInvitation(event: InvitationEvent): Promise<void> {
    const { invitationId: id, email, version, sendEmail } = event.payload
    if (!sendEmail) return
    const content = await invitations.emailContent(event.tenantId, { id, version })
    if (!content) return
    const { locale: chosen, invitedBy, ...data } = content
    const inviterLocale = async () => (await users.find(invitedBy === null ? [] : [invitedBy]))[0]?.locale ?? null
    const locale = chosen ?? (await users.localeOf(email)) ?? (await inviterLocale())
    await mailer?.send({
      template: 'identity.invitation',
      to: email,
      tenantId: event.tenantId,
      key: event.id,
      data: { ...data, link: mailLink('invitation', { id, version }) },
      ...(locale !== null && { locale }),
    })
  }

  async function sendAccessRevoked({ id: key, tenantId, payload }: Event<'identity.access.revoked'>): Promise<void> {
    const { userId, reason, ...ended } = payload
    const link = `${product.publicUrl}/forgot-password`
    const data = { ...ended, reset: reason === 'password_reset', link }
    await userMail.sendTo(userId, { template: 'identity.access_revoked', tenantId, key, data })
  }

  /** The person learns of the change even if somebody else made it with their login. */
  async function sendMethodChange(
    { id: key, tenantId, payload }: MethodEvent,
    change: 'added' | 'removed' | 'changed',
    label: string,
  ): Promise<void> {
    const link = `${product.publicUrl}/account/sign-in-methods`
    const data = {
      label,
      link,
      isPassword: 'method' in payload && payload.method === PASSWORD,
      added: change === 'added',
      removed: change === 'removed',
    }
    await userMail.sendTo(payload.userId, { template: 'identity.sign_in_method', tenantId, key, data })
  }

  /** Nothing is sent if the login has ended: the person or an operator has acted already. */
  async function sendNewDevice({ id: key, tenantId, payload }: Event<'identity.login.new_device'>): Promise<void> {
    const login = await logins.find(payload.loginId)
    if (!login) return
    const link = `${product.publicUrl}/account/logins`
    const data = { device: describeUserAgent(login.userAgent), at: login.createdAt, link }
    await userMail.sendTo(payload.userId, { template: 'identity.new_device', tenantId, key, data })
  }

  /** Mails of a suspended workspace wait, so these belong to the operator's. */
  async function sendSuspension(
    { id, payload: { tenantId, reason } }: Event<'identity.tenant.suspended'> | Event<'identity.tenant.resumed'>,
    suspended: boolean,
  ): Promise<void> {
    const workspace = await tenants.find(tenantId)
    if (!workspace) return
    const data = { workspace: workspace.name, reason, suspended, link: `${product.publicUrl}/account/workspaces` }
    const message = { template: 'identity.tenant_suspension', tenantId: operator.tenantId, data }
    for (const owner of await people.owners(tenantId))
      await userMail.send(owner, { ...message, key: `${id} ${owner.userId}` })
  }

  async function sendCustomerSuspension(
    { id, tenantId, payload }: Event<'identity.customer.suspended'> | Event<'identity.customer.reinstated'>,
    suspended: boolean,
  ): Promise<void> {
    const { userId, reason } = payload
    const link = `${product.publicUrl}/account/data`
    const data = { reason, suspended, contact: settings.contact ?? null, link }
    await userMail.sendTo(userId, { template: 'identity.customer_suspension', tenantId, key: id, data })
  }

  /** To the people who can add the record again, or tell who can. */
  async function sendSsoDomain(
    { id, tenantId, payload }: Event<'identity.sso_domain.record_missing'> | Event<'identity.sso_domain.lapsed'>,
    lapsesAt: string | null,
  ): Promise<void> {
    const workspace = await tenants.find(tenantId)
    if (!workspace) return
    const link = `${product.publicUrl}/workspace/sso`
    const data = { workspace: workspace.name, domain: payload.domain, lapsesAt, link }
    for (const owner of await people.owners(tenantId))
      await userMail.send(owner, { template: 'identity.sso_domain', tenantId, key: `${id} ${owner.userId}`, data })
  }

  async function sendFactorChange(
    { id: key, tenantId, payload }: FactorEvent,
    change: 'enabled' | 'removed' | 'replaced' | 'used',
  ): Promise<void> {
    const data = {
      remaining: 'remaining' in payload ? payload.remaining : 0,
      link: `${product.publicUrl}/account/second-factor`,
      enabled: change === 'enabled',
      removed: change === 'removed',
      replaced: change === 'replaced',
    }
    await userMail.sendTo(payload.userId, { template: 'identity.second_factor', tenantId, key, data })
  }

  return [
    listener('identity.tenant.suspended', event => sendSuspension(event, true), { concurrent: true }),
    listener('identity.tenant.resumed', event => sendSuspension(event, false), { concurrent: true }),
    listener('identity.customer.suspended', event => sendCustomerSuspension(event, true), { concurrent: true }),
    listener('identity.customer.reinstated', event => sendCustomerSuspension(event, false), { concurrent: true }),
    listener('identity.second_factor.enabled', event => sendFactorChange(event, 'enabled'), { concurrent: true }),
    listener('identity.second_factor.removed', event => sendFactorChange(event, 'removed'), { concurrent: true }),
    listener('identity.recovery_codes.replaced', event => sendFactorChange(event, 'replaced'), { concurrent: true }),
    listener('identity.recovery_code.used', event => sendFactorChange(event, 'used'), { concurrent: true }),
    listener('identity.sign_in_method.added', event => sendMethodChange(event, 'added', event.payload.label), {
      concurrent: true,
    }),
    listener('identity.sign_in_method.removed', event => sendMethodChange(event, 'removed', event.payload.label), {
      concurrent: true,
    }),
    listener('identity.password.changed', event => sendMethodChange(event, 'changed', 'Password'), {
      concurrent: true,
    }),
    listener('identity.sso_domain.record_missing', event => sendSsoDomain(event, event.payload.lapsesAt), {
      concurrent: true,
    }),
    listener('identity.sso_domain.lapsed', event => sendSsoDomain(event, null), { concurrent: true }),
    listener('identity.login.new_device', sendNewDevice, { concurrent: true }),
    listener('identity.access.revoked', sendAccessRevoked, { concurrent: true }),
    listener('identity.user.created', sendWelcome, { concurrent: true }),
    listener('identity.invitation.created', sendInvitation, { concurrent: true }),
    listener('identity.invitation.resent', sendInvitation, { concurrent: true }),
  ]
}

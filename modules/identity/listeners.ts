/** Mails that follow from events. Each holds the event's id, so that a second delivery sends no second mail. */
import { type Deps, type Event, listener } from 'larder/kernel'
import { mailLink } from './core/links.ts'
import type { InvitationSent } from './ports.ts'
import { ADDRESS_VERSION } from './services/account.ts'

export function listeners({ mailer, identity }: Deps<'identity', 'mailer'>) {
  // A recipe without mail hands invitation links on by itself (`sendEmail: false`).
  if (!mailer) return []

  async function welcome({ id, tenantId, payload }: Event<'identity.user.created'>): Promise<void> {
    const { userId, email, name, locale } = payload
    const link = mailLink('verify_email', { id: userId, version: ADDRESS_VERSION })
    const data = { name: name ?? email, email, link }
    const about = { template: 'identity.welcome', to: email, tenantId, key: id, data }
    await mailer?.send(locale === null ? about : { ...about, locale })
  }

  async function invite(event: { id: string; tenantId: string; payload: InvitationSent }): Promise<void> {
    const { invitationId: id, email, version, sendEmail } = event.payload
    const letter = sendEmail ? await identity.invitations.letter(event.tenantId, { id, version }) : null
    if (!letter) return
    await mailer?.send({
      template: 'identity.invitation',
      to: email,
      tenantId: event.tenantId,
      key: event.id,
      data: { ...letter, link: mailLink('invitation', { id, version }) },
    })
  }

  return [
    listener('identity.user.created', welcome, { concurrent: true }),
    listener('identity.invitation.created', invite, { concurrent: true }),
    listener('identity.invitation.resent', invite, { concurrent: true }),
  ]
}

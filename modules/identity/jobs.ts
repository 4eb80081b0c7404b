import { type Deps, job } from 'larder/kernel'
import { type LinkPurpose, mailLink } from './domain/links.ts'
import type { MailRecipient } from './services/account.ts'

const TEMPLATES = { password_reset: 'identity.password_reset', verify_email: 'identity.verify_email' } as const

export function jobs({ mailer, identity, operator }: Deps<'identity' | 'operator', 'mailer'>) {
  async function send(
    purpose: keyof typeof TEMPLATES & LinkPurpose,
    recipient: MailRecipient | null,
    key: string,
  ): Promise<void> {
    if (!recipient) return
    await mailer?.send({
      template: TEMPLATES[purpose],
      to: recipient.email,
      // An account belongs to no tenant, so the operator's tenant sends its mail.
      tenantId: operator.tenantId,
      key,
      data: { name: recipient.name ?? recipient.email, link: mailLink(purpose, recipient.link) },
      ...(recipient.locale !== null && { locale: recipient.locale }),
    })
  }

  return [
    job('identity.password_reset', {
      run: async ({ email }, { jobId }) => send('password_reset', await identity.account.allowReset(email), jobId),
    }),
    job('identity.verify_email', {
      run: async ({ userId }, { jobId }) =>
        send('verify_email', await identity.account.unverifiedRecipient(userId), jobId),
    }),
    job('identity.sweep', { every: '1h', run: () => identity.deleteExpired() }),
  ]
}

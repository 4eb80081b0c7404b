import { type Deps, job } from 'larder/kernel'
import { type LinkPurpose, mailLink } from './domain/links.ts'
import type { Addressee } from './services/account.ts'

const TEMPLATES = { password_reset: 'identity.password_reset', verify_email: 'identity.verify_email' } as const

export function jobs({ mailer, identity, operator }: Deps<'identity' | 'operator', 'mailer'>) {
  async function send(purpose: keyof typeof TEMPLATES & LinkPurpose, to: Addressee | null, key: string): Promise<void> {
    if (!to) return
    await mailer?.send({
      template: TEMPLATES[purpose],
      to: to.email,
      // An account is no tenant's: its mail goes out in the operator's name.
      tenantId: operator.tenantId,
      key,
      data: { name: to.name ?? to.email, link: mailLink(purpose, to.link) },
      ...(to.locale !== null && { locale: to.locale }),
    })
  }

  return [
    job('identity.password_reset', {
      run: async ({ email }, { jobId }) => send('password_reset', await identity.account.allowReset(email), jobId),
    }),
    job('identity.verify_email', {
      run: async ({ userId }, { jobId }) => send('verify_email', await identity.account.unverified(userId), jobId),
    }),
    job('identity.sweep', { every: '1h', run: () => identity.sweep() }),
  ]
}

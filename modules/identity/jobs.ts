import { type Deps, HOUR, job, MINUTE } from '@larder-dev/larder/kernel'
import { type LinkPurpose, mailCode, mailLink } from './domain/links.ts'
import { countActivePeople } from './operators/people-counts.ts'
import type { IdentityServices } from './services.ts'
import type { MailRecipient } from './sign-in/address-proofs.ts'
import { CODE_PURPOSE } from './sign-in/codes/email-codes.ts'
import { PROOF_CODE_TTL_MS, PROOF_PURPOSE } from './sign-in/codes/proof-codes.ts'
import type { Recipient, UserMessage } from './users/user-mail.ts'

const TEMPLATES = { password_reset: 'identity.password_reset', verify_email: 'identity.verify_email' } as const

const NEXT_DELETION_PASS = 1 * HOUR

export function jobs({
  operator,
  tenantDeletion,
  clock,
  jobs,
  caches,
  addressProofs,
  deleteExpired,
  emailChanges,
  emailCodes,
  erasures,
  passwordChanges,
  proofCodes,
  ssoConnections,
  ssoDomains,
  userMail,
  users,
  systemDatabase,
  product,
}: Deps<'operator' | 'tenantDeletion' | 'clock' | 'jobs' | 'caches' | 'systemDatabase' | 'product'> &
  IdentityServices) {
  /** An account belongs to no tenant, so the operator's tenant sends its mail. */
  const send = (recipient: Recipient, message: Omit<UserMessage, 'tenantId'>) =>
    userMail.send(recipient, { ...message, tenantId: operator.tenantId })

  async function sendLink(
    purpose: keyof typeof TEMPLATES & LinkPurpose,
    recipient: MailRecipient | null,
    key: string,
  ): Promise<void> {
    if (!recipient) return
    const data = { link: mailLink(purpose, recipient.link) }
    await send(recipient, { template: TEMPLATES[purpose], key, data })
  }

  return [
    job('identity.password_reset', {
      run: async (request, { jobId }) => sendLink('password_reset', await passwordChanges.allowReset(request), jobId),
    }),
    job('identity.email_code', {
      async run(request) {
        const mail = await emailCodes.prepare(request)
        if (!mail) return
        const { minutes, link } = mail
        const data = { minutes, code: mailCode(CODE_PURPOSE, link.id), link: mailLink('sign_in', link) }
        await send(mail, { template: 'identity.email_code', key: request.requestId, data })
      },
    }),
    job('identity.proof_code', {
      async run({ userId, requestId }) {
        const recipient = await proofCodes.recipient(userId)
        const data = { minutes: PROOF_CODE_TTL_MS / MINUTE, code: mailCode(PROOF_PURPOSE, requestId) }
        if (recipient) await send(recipient, { template: 'identity.proof_code', key: requestId, data })
      },
    }),
    job('identity.verify_email', {
      run: async ({ userId }, { jobId }) =>
        sendLink('verify_email', await addressProofs.unverifiedRecipient(userId), jobId),
    }),
    job('identity.delete_tenant', {
      timeout: 10 * MINUTE,
      async run({ tenantId, pass }, { signal }) {
        const { complete } = await tenantDeletion.run(tenantId, signal)
        // A request can have cached rows again before they were deleted.
        caches.dropTenant(tenantId)
        if (complete && pass > 1) return
        const at = new Date(clock.now() + NEXT_DELETION_PASS)
        await jobs.enqueue('identity.delete_tenant', { tenantId, pass: pass + 1 }, { key: tenantId, at })
      },
    }),
    job('identity.tenant_deletion', {
      async run({ name: workspace, reason, ownerIds }, { jobId }) {
        const data = { workspace, reason, link: `${product.publicUrl}/account/workspaces` }
        for (const owner of await users.find(ownerIds))
          await send(owner, { template: 'identity.tenant_deletion', key: `${jobId} ${owner.id}`, data })
      },
    }),
    job('identity.erase_user', {
      timeout: 10 * MINUTE,
      async run({ userId, pass }, { signal }) {
        if (await erasures.run(userId, signal)) return
        const at = new Date(clock.now() + Math.min(HOUR, MINUTE * 2 ** (pass - 1)))
        const options = { key: userId, at, tenantId: operator.tenantId }
        await jobs.enqueue('identity.erase_user', { userId, pass: pass + 1 }, options)
      },
    }),
    job('identity.email_change', {
      async run({ changeId }) {
        for (const { current, newEmail, link, ...recipient } of await emailChanges.mails(changeId))
          await send(recipient, {
            template: 'identity.email_change',
            key: `${changeId}:${current ? 'current' : 'new'}`,
            data: { newEmail, current, link: mailLink('email_change', link) },
          })
      },
    }),
    job('identity.check_sso_domains', {
      every: '1h',
      timeout: 10 * MINUTE,
      async run(_, { signal }) {
        await ssoDomains.recheck(signal)
        await ssoConnections.refresh(signal)
      },
    }),
    job('identity.count_active_people', { every: '30m', run: () => countActivePeople({ systemDatabase, clock }) }),
    job('identity.sweep', { every: '1h', run: deleteExpired }),
  ]
}

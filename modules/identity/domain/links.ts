/**
 * Links in mails carry `<id>.<version>.<HMAC>` of the server's secret: nothing that opens a door is stored. A link dies
 * when the version of what it names moves on.
 */

import type { Secrets } from 'larder/kernel'
export const LINKS = {
  invitation: '/invitations/accept',
  password_reset: '/reset-password',
  verify_email: '/verify-email',
} as const
export type LinkPurpose = keyof typeof LINKS

export interface MailToken {
  readonly id: string
  readonly version: number
}

/** What stands in a mail's data; the mailer makes the address of it when it sends. */
export const mailLink = (purpose: LinkPurpose, { id, version }: MailToken) => ({
  $link: { path: LINKS[purpose], purpose, id, version },
})

/** The whole address, for a caller who hands it on without a mail. */
export function linkAddress(publicUrl: string, secrets: Secrets, purpose: LinkPurpose, token: MailToken): string {
  return `${publicUrl}${LINKS[purpose]}?token=${linkToken(secrets, purpose, token)}`
}

export function linkToken(secrets: Secrets, purpose: LinkPurpose, { id, version }: MailToken): string {
  return `${id}.${version}.${secrets.sign(purpose, id, String(version))}`
}

/** Null for what this server never signed for this purpose. */
export function readLinkToken(secrets: Secrets, purpose: LinkPurpose, token: string): MailToken | null {
  const [, id, version, signature] = /^([a-z]+_[0-9a-z]{26})\.(\d{1,9})\.([\w-]{43})$/.exec(token) ?? []
  if (!id || !version || !signature) return null
  return secrets.verify(signature, purpose, id, version) ? { id, version: Number(version) } : null
}

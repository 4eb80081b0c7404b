/**
 * Tokens of links in emails: `<id>.<version>.<HMAC with the server's secret>`. No token is stored. A link expires when
 * the version of its resource changes.
 */
import type { Secrets } from '@larder-dev/larder/kernel'

export const LINK_PATHS = {
  invitation: '/invitations/accept',
  password_reset: '/reset-password',
  verify_email: '/verify-email',
  email_change: '/change-email',
  sign_in: '/sign-in/email-code/link',
} as const
export type LinkPurpose = keyof typeof LINK_PATHS

export interface MailToken {
  readonly id: string
  readonly version: number
}

/** A placeholder in the mail data. The mailer replaces it with the URL when it sends. */
export const mailLink = (purpose: LinkPurpose, { id, version }: MailToken) => ({
  $link: { path: LINK_PATHS[purpose], purpose, id, version },
})

/** A placeholder in the mail data, like that of a link. */
export const mailCode = (purpose: string, id: string) => ({ $code: { purpose, id } })

/** The full URL, for callers that pass on a link themselves. */
export function linkUrl(publicUrl: string, secrets: Secrets, purpose: LinkPurpose, token: MailToken): string {
  return `${publicUrl}${LINK_PATHS[purpose]}?token=${linkToken(secrets, purpose, token)}`
}

export function linkToken(secrets: Secrets, purpose: LinkPurpose, { id, version }: MailToken): string {
  return `${id}.${version}.${secrets.sign(purpose, id, String(version))}`
}

/** Returns null unless this server signed the token for this purpose. */
export function readLinkToken(secrets: Secrets, purpose: LinkPurpose, token: string): MailToken | null {
  const [, id, version, signature] = /^([a-z]+_[0-9a-z]{26})\.(\d{1,9})\.([\w-]{43})$/.exec(token) ?? []
  if (!id || !version || !signature) return null
  return secrets.verify(signature, purpose, id, version) ? { id, version: Number(version) } : null
}

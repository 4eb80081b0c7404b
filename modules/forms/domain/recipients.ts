/** Addresses that a form notifies, and the links in their emails. */
import { DAY, OneOf, type Secrets } from '@larder-dev/larder/kernel'

export const STORED_STATES = ['confirmed', 'pending', 'unsubscribed'] as const
const RECIPIENT_STATES = ['member', ...STORED_STATES] as const
/** Only `member` and `confirmed` receive submissions. */
export type RecipientState = (typeof RECIPIENT_STATES)[number]
export const RecipientStateSchema = OneOf(RECIPIENT_STATES, {
  description: 'Only members with a confirmed address and confirmed addresses receive submissions',
})

/** A link to confirm expires after this time. */
export const CONFIRMATION_TTL_MS = 7 * DAY
/** Requests to confirm per day. */
export const MAX_DAILY_REQUESTS_PER_TENANT = 20
export const MAX_DAILY_REQUESTS_PER_ADDRESS = 3
/** Addresses that no form notifies are deleted after this time, unless they unsubscribed. */
export const RETENTION_MS = 30 * DAY

/** Time until the same tenant may send another request, after this number of requests without a response. */
export const requestIntervalMs = (sent: number): number => (sent < 3 ? DAY : 30 * DAY)

/** The form in which addresses are compared. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()

interface Standing {
  readonly isMember: boolean
  /** Undefined for an address without a row. */
  readonly stored: (typeof STORED_STATES)[number] | undefined
  /** An address of the recipe belongs to the operator and needs no confirmation. */
  readonly trusted: boolean
}
export function recipientState({ isMember, stored, trusted }: Standing): RecipientState {
  if (isMember) return 'member'
  if (stored === 'unsubscribed') return stored
  return trusted || stored === 'confirmed' ? 'confirmed' : 'pending'
}

export const LINK_PATHS = {
  confirm: '/form-notifications/confirm',
  unsubscribe: '/form-notifications/unsubscribe',
} as const
type LinkKind = keyof typeof LINK_PATHS
export interface RecipientLink {
  readonly id: string
  readonly version: number
}

const purposeOf = (kind: LinkKind): string => `forms.recipient.${kind}`

/** The mailer replaces it with a signed URL. */
export const recipientLink = (kind: LinkKind, { id, version }: RecipientLink) => ({
  $link: { path: LINK_PATHS[kind], purpose: purposeOf(kind), id, version },
})

/** Undefined unless this server signed the token. */
export function readRecipientToken(secrets: Secrets, kind: LinkKind, token: string): RecipientLink | undefined {
  const [, id, version, signature] = /^([a-z]+_[0-9a-z]{26})\.(\d{1,9})\.([\w-]{43})$/.exec(token) ?? []
  if (!id || !version || !signature || !secrets.verify(signature, purposeOf(kind), id, version)) return undefined
  return { id, version: Number(version) }
}

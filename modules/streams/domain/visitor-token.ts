/**
 * Tokens with which visitors watch a public stream: `vt_<stream ID>.<expiry>.<signature>`. They are signed, not stored: a
 * stream can have any number of visitors.
 */
import type { Secrets } from '@larder-dev/larder/kernel'

const PURPOSE = 'streams.visitor'
const TOKEN = /^vt_(ses_[0-9a-z]{26})\.(\d{13})\.([\w-]{43})$/

export const isVisitorToken = (token: string): boolean => token.startsWith('vt_')

/** @param expiresAt milliseconds since the epoch */
export const createVisitorToken = (secrets: Pick<Secrets, 'sign'>, streamId: string, expiresAt: number): string =>
  `vt_${streamId}.${expiresAt}.${secrets.sign(PURPOSE, `${streamId}.${expiresAt}`)}`

/** The stream ID in a token; undefined if the token has expired or the signature is invalid. */
export function verifyVisitorToken(secrets: Pick<Secrets, 'verify'>, token: string, now: number): string | undefined {
  const [, streamId, expiresAt, signature] = TOKEN.exec(token) ?? []
  if (!streamId || !signature || Number(expiresAt) <= now) return undefined
  return secrets.verify(signature, PURPOSE, `${streamId}.${expiresAt}`) ? streamId : undefined
}

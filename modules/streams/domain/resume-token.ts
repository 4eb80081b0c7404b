/** Resume tokens: `rt_<peer_id>.<signature>`. They are signed, not stored, and valid as long as the peer session exists. */
import type { Secrets } from '@larder-dev/larder/kernel'

const PURPOSE = 'streams.resume'
const TOKEN = /^rt_(peer_[0-9a-z]{26})\.([\w-]{43})$/

export const createResumeToken = (secrets: Pick<Secrets, 'sign'>, peerId: string): string =>
  `rt_${peerId}.${secrets.sign(PURPOSE, peerId)}`

/** The peer id in a token; undefined if the signature is invalid. */
export function verifyResumeToken(secrets: Pick<Secrets, 'verify'>, token: string): string | undefined {
  const [, peerId, signature] = TOKEN.exec(token) ?? []
  return peerId && signature && secrets.verify(signature, PURPOSE, peerId) ? peerId : undefined
}

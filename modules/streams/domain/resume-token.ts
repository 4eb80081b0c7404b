/** Resume tokens: `rt_<peer_id>.<signature>`. Signed, not stored: they open a place for as long as there is one. */

import type { Secrets } from 'larder/kernel'

const PURPOSE = 'streams.resume'
const TOKEN = /^rt_(peer_[0-9a-z]{26})\.([\w-]{43})$/

export const resumeToken = (secrets: Pick<Secrets, 'sign'>, peerId: string): string =>
  `rt_${peerId}.${secrets.sign(PURPOSE, peerId)}`

/** Whose place it opens; undefined for anything that this server did not sign. */
export function peerOfToken(secrets: Pick<Secrets, 'verify'>, token: string): string | undefined {
  const [, peerId, signature] = TOKEN.exec(token) ?? []
  return peerId && signature && secrets.verify(signature, PURPOSE, peerId) ? peerId : undefined
}

/** Signed tokens that state which version of a form was shown, and when: `<version>.<milliseconds, base 36>.<HMAC>`. */
import { DAY, type Secrets } from '@larder-dev/larder/kernel'

/** A submission with an older token counts as one without a token. */
const TOKEN_LIFE_MS = DAY
const PURPOSE = 'forms.token'

export interface TokenClaims {
  readonly version: number
  /** Milliseconds since 1970. */
  readonly shownAt: number
}
/** `forged`: this server didn't sign the token for this form. */
export type TokenResult = TokenClaims | 'forged' | 'expired'

export function signToken(secrets: Secrets, formId: string, { version, shownAt }: TokenClaims): string {
  const time = shownAt.toString(36)
  return `${version}.${time}.${secrets.sign(PURPOSE, formId, String(version), time)}`
}

export function readToken(secrets: Secrets, formId: string, token: string, now: number): TokenResult {
  const [, version, time, mac] = /^(\d{1,9})\.([0-9a-z]{1,11})\.([\w-]{43})$/.exec(token) ?? []
  if (!version || !time || !mac || !secrets.verify(mac, PURPOSE, formId, version, time)) return 'forged'
  const shownAt = Number.parseInt(time, 36)
  if (now - shownAt > TOKEN_LIFE_MS) return 'expired'
  return { version: Number(version), shownAt }
}

/** What tells people who fill in a public form from programs: when it was shown, and an input that people don't see. */
import type { Secrets } from './secrets.ts'
import { DAY } from './units.ts'

/** An older token counts as none. */
const TOKEN_LIFE_MS = DAY

export interface ShownForm {
  readonly version: number
  /** Milliseconds since 1970. */
  readonly shownAt: number
}
/** `forged`: this server didn't sign the token for this form. */
export type ShownResult = ShownForm | 'forged' | 'expired'

export interface ShownTokens {
  /** States which version of a form was shown, and when: `<version>.<milliseconds, base 36>.<HMAC>`. */
  sign(formId: string, shown: ShownForm): string
  read(formId: string, token: string, now: number): ShownResult
}

/** Creates and reads tokens that a form carries from the time when it is shown until it is sent. @param purpose of the signature. */
export const createShownTokens = (secrets: Pick<Secrets, 'sign' | 'verify'>, purpose: string): ShownTokens => ({
  sign(formId, { version, shownAt }) {
    const time = shownAt.toString(36)
    return `${version}.${time}.${secrets.sign(purpose, formId, String(version), time)}`
  },
  read(formId, token, now) {
    const [, version, time, mac] = /^(\d{1,9})\.([0-9a-z]{1,11})\.([\w-]{43})$/.exec(token) ?? []
    if (!version || !time || !mac || !secrets.verify(mac, purpose, formId, version, time)) return 'forged'
    const shownAt = Number.parseInt(time, 36)
    if (now - shownAt > TOKEN_LIFE_MS) return 'expired'
    return { version: Number(version), shownAt }
  },
})

export interface VisitorInput {
  /** Undefined without a token. */
  readonly token: ShownResult | undefined
  /** Value of the input that people don't see. */
  readonly honeypot: unknown
  /** Milliseconds since 1970. */
  readonly now: number
}
export interface VisitorRules {
  readonly minFillMs: number
  readonly requireToken: boolean
}
export type SpamReason = 'honeypot' | 'forged_token' | 'too_fast' | 'no_token'

/** Returns why a submission seems to come from a program; null if it doesn't. */
export function spamReason(
  { token, honeypot, now }: VisitorInput,
  { minFillMs, requireToken }: VisitorRules,
): SpamReason | null {
  if (honeypot !== undefined && honeypot !== null && honeypot !== '') return 'honeypot'
  if (token === 'forged') return 'forged_token'
  if (typeof token === 'object') return now - token.shownAt < minFillMs ? 'too_fast' : null
  return requireToken ? 'no_token' : null
}

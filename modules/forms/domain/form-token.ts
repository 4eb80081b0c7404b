/** Which version of a form somebody was shown, and when: `<version>.<milliseconds, base 36>.<HMAC>`. */

import { DAY, type Secrets } from 'larder/kernel'

/** Whoever comes later is taken for somebody who never saw the form. */
const LIFE = DAY
const PURPOSE = 'forms.token'

export interface Shown {
  readonly version: number
  /** Milliseconds since 1970. */
  readonly at: number
}
/** `forged` is what this server never signed for this form, or signed for the future. */
export type Reading = Shown | 'forged' | 'late'

export function signToken(secrets: Secrets, formId: string, { version, at }: Shown): string {
  const time = at.toString(36)
  return `${version}.${time}.${secrets.sign(PURPOSE, formId, String(version), time)}`
}

export function readToken(secrets: Secrets, formId: string, token: string, now: number): Reading {
  const [, version, time, mac] = /^(\d{1,9})\.([0-9a-z]{1,11})\.([\w-]{43})$/.exec(token) ?? []
  if (!version || !time || !mac || !secrets.verify(mac, PURPOSE, formId, version, time)) return 'forged'
  const at = Number.parseInt(time, 36)
  if (now - at > LIFE) return 'late'
  return { version: Number(version), at }
}

/** Codes of authenticator apps (RFC 6238) by `otpauth`. A setup that isn't confirmed yet is stored nowhere. */
import { type Deps, MINUTE, SECOND } from '@larder-dev/larder/kernel'
import { importOptional } from '@larder-dev/larder/kernel/internal'
import { seal, unseal } from '../../domain/sealed-values.ts'
import type { TotpEnrollment } from './records.ts'

const ENROLLMENT_PURPOSE = 'totp_enrollment'
const ENROLLMENT_TTL_MS = 15 * MINUTE
const PERIOD_MS = 30 * SECOND
const SECRET_BYTES = 20
const QR_CODE_PIXELS = 220
/** Periods by which the clock of a device may be off. */
const CLOCK_SKEW = 1

export interface Totp {
  /** Starts a setup of the user. @param account what the app shows */
  enroll(userId: string, account: string): Promise<TotpEnrollment>
  /** A setup to show again, which expires as before. Null if it isn't one of this user, and after 15 minutes. */
  resume(userId: string, account: string, enrollment: string): Promise<TotpEnrollment | null>
  /** The secret of a setup that this user started. Undefined for another one, and after 15 minutes. */
  open(userId: string, enrollment: string): string | undefined
  /** The period of the code. Null for a wrong one. */
  stepOf(secret: string, code: string): Promise<number | null>
}

// Loaded with the first code: most processes never need them.
const otpauth = () => importOptional('otpauth', () => import('otpauth'))
const qrcode = async () => (await importOptional('qrcode', () => import('qrcode'))).default

export function createTotp(deps: Deps<'secrets' | 'clock' | 'product'>): Totp {
  const { clock, product } = deps
  async function totpOf(base32: string, label = '') {
    const { Secret, TOTP } = await otpauth()
    return new TOTP({ issuer: product.name, label, secret: Secret.fromBase32(base32), period: PERIOD_MS / SECOND })
  }

  async function newSecret(): Promise<string> {
    const { Secret } = await otpauth()
    return new Secret({ size: SECRET_BYTES }).base32
  }

  async function show(enrollment: string, secret: string, account: string): Promise<TotpEnrollment> {
    const uri = (await totpOf(secret, account)).toString()
    const svg = await (await qrcode()).toString(uri, { type: 'svg', margin: 4, width: QR_CODE_PIXELS })
    return { enrollment, secret, uri, qrCode: svg.trim() }
  }

  const open: Totp['open'] = (userId, enrollment) => {
    const opened = unseal<{ userId: string; secret: string }>(deps, ENROLLMENT_PURPOSE, enrollment)
    return opened?.userId === userId ? opened.secret : undefined
  }

  return {
    open,
    async enroll(userId, account) {
      const secret = await newSecret()
      return show(seal(deps, ENROLLMENT_PURPOSE, { userId, secret }, ENROLLMENT_TTL_MS), secret, account)
    },
    async resume(userId, account, enrollment) {
      const secret = open(userId, enrollment)
      return secret === undefined ? null : show(enrollment, secret, account)
    },

    async stepOf(secret, code) {
      const delta = (await totpOf(secret)).validate({ token: code, timestamp: clock.now(), window: CLOCK_SKEW })
      return delta === null ? null : Math.floor(clock.now() / PERIOD_MS) + delta
    },
  }
}

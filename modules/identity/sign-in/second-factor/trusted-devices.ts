/**
 * Browsers in which a person signs in without the second factor for a time. The cookie is not a credential: it counts
 * only after the first factor.
 */
import { type Deps, newId, SECOND, type Unit } from '@larder-dev/larder/kernel'
import type { AuditActor, AuditRecorder } from '../../audit/audit-log.ts'
import { trustedCookie } from '../../domain/cookies.ts'
import { hashSecret, newTrustedSecret } from '../../domain/secrets.ts'
import { timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'
import { describeUserAgent } from '../domain/user-agent.ts'
import { userAgentOf } from '../domain/user-agents.ts'
import type { TrustedDevice } from './records.ts'
import { trustedDeviceTable } from './records.ts'
import { FORGET_DEVICES, type UseUp } from './second-factors.ts'

/** People who trust the same browser. */
const MAX_SECRETS = 5

type Headers = { readonly cookie?: string | undefined; readonly 'user-agent'?: string | undefined }

export interface TrustedDevices {
  /** Hashes of the secrets that the browser sends. Empty if the recipe trusts no devices. */
  hashesIn(headers: Headers): readonly Buffer[]
  /**
   * What trusts the browser in the transaction of the sign-in, and its `Set-Cookie` header. Undefined if the recipe trusts no
   * devices.
   */
  trust(
    userId: string,
    headers: Headers,
    actor: AuditActor,
  ): { readonly store: UseUp; readonly cookie: string } | undefined
  /** Newest first. */
  list(userId: string): Promise<readonly TrustedDevice[]>
  forget(userId: string, actor: AuditActor): Promise<void>
}
type Needs = Deps<'systemDatabase' | 'clock' | 'operator' | 'product'> & {
  readonly audit: AuditRecorder
  readonly settings: IdentitySettings
}

export function createTrustedDevices({
  systemDatabase,
  clock,
  operator,
  product,
  audit,
  settings,
}: Needs): TrustedDevices {
  const { trustedDeviceTtl } = settings
  const secure = product.publicUrl.startsWith('https://')
  const users = () => systemDatabase.acrossTenants('a trusted device belongs to a user, not to a tenant')
  const record = (unit: Unit, action: string, userId: string, actor: AuditActor) =>
    audit.record(unit, { tenantId: operator.tenantId, action, actor, subject: userId, details: { userId } })

  return {
    hashesIn: headers => (trustedDeviceTtl === undefined ? [] : secretsIn(headers, secure).map(hashSecret)),

    trust(userId, headers, actor) {
      if (trustedDeviceTtl === undefined) return undefined
      const secret = newTrustedSecret()
      const value = [secret, ...secretsIn(headers, secure)].slice(0, MAX_SECRETS).join('~')
      const device = {
        id: newId('tdv', clock.now()),
        userId,
        secretHash: hashSecret(secret),
        userAgent: userAgentOf(headers),
        createdAt: timeAt(clock),
        expiresAt: timeAt(clock, trustedDeviceTtl),
      }
      return {
        cookie: trustedCookie.set(value, { secure, maxAge: Math.floor(trustedDeviceTtl / SECOND) }),
        async store(unit) {
          await unit.query(...trustedDeviceTable.insertStep(device))
          await record(unit, 'trusted_device.added', userId, actor)
        },
      }
    },

    async list(userId) {
      const rows = await trustedDeviceTable.query(
        users(),
        `select ${trustedDeviceTable.columns()} from identity_trusted_devices
         where user_id = $1 and expires_at > $2 order by id desc`,
        [userId, timeAt(clock)],
      )
      return rows.map(({ id, userAgent, createdAt, expiresAt }) => ({
        id,
        device: describeUserAgent(userAgent),
        createdAt,
        expiresAt,
      }))
    },

    async forget(userId, actor) {
      await users().transaction(async unit => {
        const { rowCount } = await unit.query(FORGET_DEVICES, [userId])
        if (rowCount > 0) await record(unit, 'trusted_devices.forgotten', userId, actor)
      })
    },
  }
}

function secretsIn({ cookie }: Headers, secure: boolean): string[] {
  const secrets = (trustedCookie.read(cookie, secure) ?? '').split('~', MAX_SECRETS)
  return secrets.filter(secret => /^tds_[\w-]{43}$/.test(secret))
}

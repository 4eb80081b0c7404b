/** Limits the emails to one address, counted over all tenants. */
import { DAY, type Deps, HOUR } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'

import type { CommsOptions } from '../options.ts'

const DEFAULT_LIMITS = { hour: 20, day: 60 }
/**
 * Emails sent by API get this share of a limit, so they can't use up the share of password resets and similar emails.
 */
const API_SHARE = 0.5
const WINDOWS_MS = { hour: HOUR, day: DAY } as const
const RETENTION_MS = 2 * DAY

export interface RecipientLimit {
  /**
   * Counts an email to this address. False if the limit is reached.
   * @param sendable whether tenants may send the email's template by API.
   */
  consume(address: string, sendable: boolean): Promise<boolean>
  /** Deletes counters of past windows. */
  sweep(): Promise<void>
}

export function createRecipientLimit(
  { systemDatabase, clock, secrets }: Deps<'systemDatabase' | 'clock' | 'secrets'>,
  { recipientLimits = {} }: CommsOptions,
): RecipientLimit {
  const limits = { ...DEFAULT_LIMITS, ...recipientLimits }
  const system = () => systemDatabase.acrossTenants('emails to one address are limited over all tenants')

  return {
    async consume(address, sendable) {
      // The address itself isn't stored: the counters belong to no tenant and would survive its deletion.
      const recipient = secrets.sign('recipient-limit', emailKey(address))
      const results = await system().all(
        (['hour', 'day'] as const).map(window => {
          const startedAt = new Date(Math.floor(clock.now() / WINDOWS_MS[window]) * WINDOWS_MS[window])
          return [
            `insert into comms_recipient_counts (recipient, period, started_at, total, by_api)
             values ($1, $2, $3, 1, $4)
             on conflict (recipient, period, started_at) do update
               set total = comms_recipient_counts.total + 1, by_api = comms_recipient_counts.by_api + excluded.by_api
             returning total, by_api as "byApi"`,
            [recipient, window, startedAt, sendable ? 1 : 0],
          ]
        }),
      )
      return (['hour', 'day'] as const).every((window, index) => {
        const row = results[index]?.rows[0]
        const [total, byApi] = [Number(row?.total), Number(row?.byApi)]
        const limit = limits[window]
        return sendable ? byApi <= Math.ceil(limit * API_SHARE) && total <= limit : total - byApi <= limit
      })
    },
    async sweep() {
      await system().query('delete from comms_recipient_counts where started_at < $1', [
        new Date(clock.now() - RETENTION_MS),
      ])
    },
  }
}

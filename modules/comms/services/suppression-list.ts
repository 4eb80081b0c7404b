/** Addresses that a tenant must not send to. */
import { type Deps, newId } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'

import type { MailCategory } from '../ports.ts'
import { type Suppression, suppressionTable } from '../records/suppression.ts'

export interface SuppressionList {
  /** True if emails of this category to this address are suppressed now. */
  isSuppressed(tenantId: string, address: string, category: MailCategory): Promise<boolean>
  /** The reason of the entry that suppresses these emails now. */
  findReason(tenantId: string, address: string, category: MailCategory): Promise<string | undefined>
  /** The same for emails whose category isn't known yet. */
  findReasons(tenantId: string, address: string): Promise<(category: MailCategory) => string | undefined>
  /** Records a hard bounce: suppresses every email until the given time. */
  addBounce(tenantId: string, address: string, until: Date): Promise<void>
  /** Records a spam complaint: suppresses every email. */
  addComplaint(tenantId: string, address: string): Promise<void>
  /** Records an unsubscription: suppresses marketing emails, unless the person has subscribed again since. */
  addUnsubscribe(tenantId: string, address: string, at: Date): Promise<void>
  /** Ends an unsubscription, but no other entry. */
  removeUnsubscribe(tenantId: string, address: string): Promise<void>
}

const UNSUBSCRIBED = 'unsubscribed'
/** Keeps an entry that lasts as long or longer. */
const UNLESS_LONGER = `on conflict (tenant_id, email, category) do update
  set reason = excluded.reason, expires_at = excluded.expires_at, updated_at = excluded.updated_at
  where coalesce(comms_suppression.expires_at, 'infinity') < coalesce(excluded.expires_at, 'infinity')`
/**
 * An unsubscription with an end is one that its person has reverted then: providers report late, and more than once.
 * @param time parameter with the time of the new one
 */
const unlessReverted = (time: string): string => `${UNLESS_LONGER}
  and (comms_suppression.reason <> '${UNSUBSCRIBED}' or coalesce(comms_suppression.expires_at, '-infinity') < ${time})`

export function createSuppressionList({ database, clock }: Deps<'database' | 'clock'>): SuppressionList {
  const now = () => new Date(clock.now())

  type Entry = Pick<Suppression, 'category' | 'reason'> & { readonly until: Date | null }
  const rowOf = (tenantId: string, address: string, { category, reason, until }: Entry) => ({
    id: newId('sup', clock.now()),
    tenantId,
    email: emailKey(address),
    category,
    reason,
    expiresAt: until,
    createdAt: now(),
    updatedAt: now(),
  })
  async function write(tenantId: string, address: string, entry: Entry): Promise<void> {
    const step = suppressionTable.insertStep(rowOf(tenantId, address, entry), UNLESS_LONGER)
    await database.tenant(tenantId).query(...step)
  }

  const findReasons: SuppressionList['findReasons'] = async (tenantId, address) => {
    const { rows } = await database.tenant(tenantId).query<Pick<Suppression, 'category' | 'reason'>>(
      `select category, reason from comms_suppression
          where email = $1 and (expires_at is null or expires_at > $2) order by category`,
      [emailKey(address), now()],
    )
    return mailCategory => rows.find(({ category }) => category === 'all' || mailCategory === 'marketing')?.reason
  }
  const findReason: SuppressionList['findReason'] = async (tenantId, address, category) =>
    (await findReasons(tenantId, address))(category)

  return {
    findReason,
    findReasons,
    isSuppressed: async (...mail) => (await findReason(...mail)) !== undefined,

    addBounce: (tenantId, address, until) =>
      write(tenantId, address, { category: 'all', reason: 'hard_bounce', until }),
    addComplaint: (tenantId, address) =>
      write(tenantId, address, { category: 'all', reason: 'complaint', until: null }),
    async addUnsubscribe(tenantId, address, at) {
      const row = rowOf(tenantId, address, { category: 'marketing', reason: UNSUBSCRIBED, until: null })
      const time = Object.keys(row).length + 1
      const [sql, values] = suppressionTable.insertStep(row, unlessReverted(`$${time}`))
      await database.tenant(tenantId).query(sql, [...(values ?? []), at])
    },

    async removeUnsubscribe(tenantId, address) {
      await database.tenant(tenantId).query(
        `update comms_suppression set expires_at = $3, updated_at = $3
           where email = $1 and category = 'marketing' and reason = $2 and expires_at is null`,
        [emailKey(address), UNSUBSCRIBED, now()],
      )
    },
  }
}

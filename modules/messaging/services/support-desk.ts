/** Where support conversations are answered. They are rows of the workspace of the person who asks, in either case. */
import type { Deps, Unit } from '@larder-dev/larder/kernel'
import { type MessagingOptions, supportOf } from '../options.ts'
import { problems } from '../problems.ts'
import { conversationNotFound } from './conversation-queries.ts'

export interface SupportDesk {
  /** The operator's team answers the conversations of every workspace. */
  readonly isShared: boolean
  /** The workspace whose members answer the conversations of this one. */
  of(tenantId: string): string
  /** Throws `no_support_inbox` for a workspace whose conversations are answered elsewhere. */
  assertInbox(tenantId: string): void
  /** Reads the conversations that an inbox lists, and no private ones: each statement has to exclude them. */
  unitOf(tenantId: string): Unit
  /** Returns the workspace of a conversation in the inbox. Throws `not_found`, also for private conversations. */
  tenantOf(tenantId: string, conversationId: string): Promise<string>
}

type Needs = Deps<'database' | 'systemDatabase' | 'operator'>

export function createSupportDesk(
  { database, systemDatabase, operator }: Needs,
  options: MessagingOptions,
): SupportDesk {
  const isShared = supportOf(options) !== 'workspace'
  const everywhere = () =>
    systemDatabase.acrossTenants("the operator's team answers support conversations of every workspace")
  return {
    isShared,
    of: tenantId => (isShared ? operator.tenantId : tenantId),
    assertInbox(tenantId) {
      if (isShared && tenantId !== operator.tenantId) throw problems.no_support_inbox()
    },
    unitOf: tenantId => (isShared ? everywhere() : database.tenant(tenantId)),
    async tenantOf(tenantId, conversationId) {
      if (!isShared) return tenantId
      const { rows } = await everywhere().query<{ tenantId: string }>(
        `select tenant_id as "tenantId" from messaging_conversations where id = $1 and kind = 'support'`,
        [conversationId],
      )
      if (!rows[0]) throw conversationNotFound()
      return rows[0].tenantId
    },
  }
}

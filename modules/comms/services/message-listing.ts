/** Messages as admins list them. */

import type { Deps, PageOf, Unit } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import type { MessageState } from '../domain/message-states.ts'
import { type Message, messageTable } from '../records/message.ts'

export interface MessageQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly status?: MessageState | undefined
  readonly to?: string | undefined
  readonly oldestFirst?: boolean
}
export interface MessageListing {
  /** Newest first by default. */
  list(tenantId: string, query: MessageQuery): Promise<PageOf<Message>>
  /** The messages of every tenant, or of one, for operators. */
  listAll(query: MessageQuery & { readonly tenantId?: string | undefined }): Promise<PageOf<Message>>
}

export function createMessageListing({
  database,
  systemDatabase,
}: Deps<'database' | 'systemDatabase'>): MessageListing {
  const page = (unit: Unit, { status, to, limit, cursor, oldestFirst }: MessageQuery, tenantId?: string) =>
    messageTable.page(unit, {
      limit,
      cursor,
      ascending: oldestFirst,
      where: { tenantId, recipientKey: to === undefined ? undefined : emailKey(to) },
      // A plan for any status would read all messages to find a few: most have one of two.
      and: status === undefined ? [] : [[`status = '${status}'`]],
    })
  return {
    list: (tenantId, query) => page(database.tenant(tenantId), query),
    listAll: ({ tenantId, ...query }) =>
      page(systemDatabase.acrossTenants('an operator lists the emails of every tenant'), query, tenantId),
  }
}

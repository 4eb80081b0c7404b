/** Messages as admins list them. */

import { type Deps, emailKey, type PageOf } from '@larder-dev/larder/kernel'
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
}

export const createMessageListing = ({ database }: Deps<'database'>): MessageListing => ({
  list: (tenantId, { status, to, limit, cursor, oldestFirst }) =>
    messageTable.page(database.tenant(tenantId), {
      ...{ limit, cursor, ascending: oldestFirst },
      where: { status, recipientKey: to === undefined ? undefined : emailKey(to) },
    }),
})

/** Messages as admins list them. */

import type { Deps, PageOf } from 'larder/kernel'
import { emailKey } from 'larder/kernel'

import type { MessageState } from '../domain/message-states.ts'
import { messageModel } from '../models.ts'
import type { Message } from './message-repository.ts'

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

export function createMessageListing({ database, models }: Deps<'database' | 'models'>): MessageListing {
  const model = messageModel(models)
  return {
    list(tenantId, { status, to, ...query }) {
      const where = { status, recipientKey: to === undefined ? undefined : emailKey(to) }
      return models.page(database.tenant(tenantId), model, { ...query, where })
    },
  }
}

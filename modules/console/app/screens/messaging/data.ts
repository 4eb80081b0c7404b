/** Requests of the inbox. */

import { useMemo } from 'react'
import { type Api, type Query, usePages } from '../../public.ts'
import { INBOX_PATH } from './inbox.ts'

export const useConversations = (query: Query) => usePages<Api.InboxConversation>(INBOX_PATH, query)

/** Oldest first; the first page has the newest messages. */
export function useMessages(id: string) {
  const { rows, ...result } = usePages<Api.Message>(`${INBOX_PATH}/${id}/messages`, {})
  const messages = useMemo(() => [...rows].reverse(), [rows])
  return { ...result, messages }
}

/** Requests of the inbox. */

import { useMemo } from 'react'
import { usePages } from '../../public.ts'
import type { queryOf } from './inbox.ts'

export const useConversations = (query: ReturnType<typeof queryOf>) => usePages('/v1/messaging/inbox', { query })

/** Oldest first; the first page has the newest messages. */
export function useMessages(id: string) {
  const { rows, ...result } = usePages('/v1/messaging/inbox/{id}/messages', { path: { id } })
  const messages = useMemo(() => [...rows].reverse(), [rows])
  return { ...result, messages }
}

/** Requests of the inbox. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callApi, type Query } from '../../data/api.ts'
import type { InboxConversation, Message } from '../../data/api-types.ts'
import type { ListOf } from '../../data/loaded-rows.ts'
import { INBOX_PATH } from './inbox.ts'

const PAGE_SIZE = 50

/** Keys of `useGet`, so that `useReload` loads these lists again, too. */
function usePages<T>(path: string, query: Query) {
  const result = useInfiniteQuery({
    queryKey: ['get', path, query],
    queryFn: async ({ pageParam, signal }) =>
      (await callApi<ListOf<T>>({ path, query: { ...query, limit: PAGE_SIZE, cursor: pageParam }, signal })).body,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
  })
  const rows = useMemo(() => result.data?.pages.flatMap(({ data }) => data) ?? [], [result.data])
  /** A change that arrives meanwhile loads the list again and cancels the request of the next page: it is repeated. */
  const fetchNextPage = async () => {
    const count = result.data?.pages.length ?? 0
    for (;;) {
      const { data, error, hasNextPage } = await result.fetchNextPage({ cancelRefetch: false })
      if (error || !hasNextPage || (data?.pages.length ?? 0) > count) return
    }
  }
  return { ...result, rows, fetchNextPage }
}

export const useConversations = (query: Query) => usePages<InboxConversation>(INBOX_PATH, query)

/** Oldest first; the first page has the newest messages. */
export function useMessages(id: string) {
  const { rows, ...result } = usePages<Message>(`${INBOX_PATH}/${id}/messages`, {})
  const messages = useMemo(() => [...rows].reverse(), [rows])
  return { ...result, messages }
}

import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../data/api.ts'
import type { ContentChoices } from '../../data/api-types.ts'

const UNKNOWN: ContentChoices = { templates: [], locales: { default: 'en', available: [] } }

/** Templates and locales for pages. Unknown to people who may not change pages. */
export function useChoices(): ContentChoices {
  const { data } = useQuery({
    queryKey: ['content-choices'],
    queryFn: async ({ signal }) => (await callApi<ContentChoices>({ path: '/v1/content/choices', signal })).body,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data ?? UNKNOWN
}

import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../data/api.ts'

export interface Choices {
  readonly templates: readonly string[]
  readonly locales: { readonly default: string; readonly available: readonly string[] }
}
const UNKNOWN: Choices = { templates: [], locales: { default: 'en', available: [] } }

/** Templates and locales for pages. Unknown to people who may not change pages. */
export function useChoices(): Choices {
  const { data } = useQuery({
    queryKey: ['content-choices'],
    queryFn: async ({ signal }) => (await callApi<Choices>({ path: '/v1/content/choices', signal })).body,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data ?? UNKNOWN
}

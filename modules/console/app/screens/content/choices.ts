import { type Api, useGet, usePermissions } from '../../public.ts'

const UNKNOWN: Api.ContentChoices = { templates: [], locales: { default: 'en', available: [] } }

/** Templates and locales for pages. Unknown to people who may not change pages. */
export function useChoices(): Api.ContentChoices {
  const isEnabled = usePermissions().may('content.page.update')
  const { data } = useGet('/v1/content/choices', { isEnabled })
  return data ?? UNKNOWN
}

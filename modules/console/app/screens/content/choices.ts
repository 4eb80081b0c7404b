import type { ContentChoices } from '../../data/api-types.ts'
import { useGet } from '../../data/get.ts'
import { usePermissions } from '../../data/session.ts'

const UNKNOWN: ContentChoices = { templates: [], locales: { default: 'en', available: [] } }

/** Templates and locales for pages. Unknown to people who may not change pages. */
export function useChoices(): ContentChoices {
  const isEnabled = usePermissions().may('content.page.update')
  const { data } = useGet<ContentChoices>('/v1/content/choices', { isEnabled })
  return data ?? UNKNOWN
}

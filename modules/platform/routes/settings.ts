import { consoleLocale, type Deps, listOf, route } from '@larder-dev/larder/kernel'
import { ListedSetting } from '../records/setting.ts'
import { listSettings } from '../services/settings.ts'

type SettingDeps = Deps<'settings' | 'registry' | 'inspector' | 'theme' | 'product'>

export const settingRoutes = (deps: SettingDeps) => [
  route({
    method: 'get',
    path: '/platform/settings',
    operationId: 'listSettings',
    summary: 'Lists environment variables and options of modules with the values in use.',
    description:
      'Of the process that answers. Secrets are masked as ***. Descriptions are in the language of `Accept-Language`.',
    allow: 'platform.module.configure',
    replies: { 200: listOf(ListedSetting) },
    handle: async ({ request }) => {
      const locale = consoleLocale(request, deps.product)
      const data = listSettings(deps).map(({ description, ...setting }) => ({
        ...setting,
        description: description === null ? null : deps.theme.text(locale, description),
      }))
      return { data, nextCursor: null }
    },
  }),
]

import { consoleLocale, type Deps, listOf, route, Type } from '@larder-dev/larder/kernel'
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
    query: Type.Object({
      owner: Type.Optional(
        Type.String({ maxLength: 100, description: 'Only those that this service or module reads' }),
      ),
    }),
    replies: { 200: listOf(ListedSetting) },
    handle: async ({ request, query: { owner } }) => {
      const locale = consoleLocale(request, deps.product)
      const settings = listSettings(deps).filter(setting => owner === undefined || setting.owner === owner)
      const data = settings.map(({ description, ...setting }) => ({
        ...setting,
        description: description === null ? null : deps.theme.text(locale, description),
      }))
      return { data, nextCursor: null }
    },
  }),
]

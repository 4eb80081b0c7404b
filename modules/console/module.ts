import { defineModule } from '@larder-dev/larder/kernel'
import { collectionsOf, declaredAreas, declaredGroups } from './domain/areas.ts'
import { ConsoleOptions } from './options.ts'
import { consoleSite } from './pages/console-site.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { validate } from './recipe/validate.ts'
import { applicationRoutes, screenRoutes } from './routes/application.ts'
import { homeRoutes } from './routes/home.ts'
import { viewRoutes } from './routes/views.ts'
import { createBundle } from './services/bundle.ts'
import { createHomeCards } from './services/home-cards.ts'
import { createListAccess } from './services/list-access.ts'
import { createModuleScreens } from './services/module-screens.ts'
import { forgetMember, personalData } from './services/personal-data.ts'

const bundle = () => createBundle(new URL('./public/', import.meta.url))

export default defineModule({
  name: 'console',
  summary: 'Web console: lists, edits and acts on the records of all modules through the public API.',
  needs: [
    'product',
    'operator',
    'tenantDirectory',
    'callerRights',
    'authenticator',
    'registry',
    'theme',
    'http',
    'database',
    'clock',
  ],
  optional: ['entitlements'],
  options: ConsoleOptions,
  optionItems(modules, { collections = [] }) {
    const counted = [...collectionsOf(modules), ...collections]
    return {
      customers: [...declaredAreas(modules), ...collections],
      sidebar: declaredGroups(modules),
      'home.count': counted,
      'home.chart': counted,
    }
  },
  validate,
  permissions: { 'console.view.share': 'Share views of lists with the workspace, and change shared ones' },
  problems,
  services: { bundle, moduleScreens: createModuleScreens, mayOpenList: createListAccess, homeCards: createHomeCards },
  routes: deps => [...screenRoutes(deps), ...homeRoutes(deps), ...viewRoutes(deps)],
  rawRoutes: applicationRoutes,
  site: consoleSite,
  /** Mistakes in screens and cards fail the start. */
  verify({ moduleScreens, homeCards }) {
    moduleScreens.check()
    homeCards.check()
  },
  listeners: deps => [forgetMember(deps)],
  personalData,
  migrations: new URL('./migrations/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})

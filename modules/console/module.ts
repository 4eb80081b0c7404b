import { defineModule } from '@larder-dev/larder/kernel'
import { consoleSite } from './pages/console-site.ts'
import type {} from './ports.ts'
import { applicationRoutes, screenRoutes } from './routes/application.ts'
import { createBundle } from './services/bundle.ts'
import { createModuleScreens } from './services/module-screens.ts'

const bundle = () => createBundle(new URL('./public/', import.meta.url))

export default defineModule({
  name: 'console',
  summary: 'Web console: lists, edits and acts on the records of all modules through the public API.',
  needs: ['product', 'tenantDirectory', 'callerRights', 'registry', 'theme'],
  services: { bundle, moduleScreens: createModuleScreens },
  routes: screenRoutes,
  rawRoutes: applicationRoutes,
  site: consoleSite,
  /** Mistakes in screens fail the start. */
  start: ({ moduleScreens }) => moduleScreens.check(),
  locales: new URL('./locales/', import.meta.url),
})

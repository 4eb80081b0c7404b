import { defineModule } from '@larder-dev/larder/kernel'
import { consoleSite } from './pages/console-site.ts'
import { applicationRoutes } from './routes/application.ts'

export default defineModule({
  name: 'console',
  summary: 'Web console: lists, edits and acts on the records of all modules through the public API.',
  needs: ['product', 'tenantDirectory', 'callerRights'],
  rawRoutes: applicationRoutes,
  site: consoleSite,
  locales: new URL('./locales/', import.meta.url),
})

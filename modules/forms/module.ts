import { defineModule } from '@larder-dev/larder/kernel'
import { actions } from './actions.ts'
import { events } from './events.ts'
import { jobs } from './jobs.ts'
import { listeners } from './listeners.ts'
import { FormsOptions } from './options.ts'
import { embedScripts } from './pages/embed-scripts.ts'
import { formPages } from './pages/form-pages.ts'
import { recipientPages } from './pages/recipient-pages.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { plan, reconcile } from './recipe/forms.ts'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'
import { resources } from './resources.ts'
import { formRoutes } from './routes/forms.ts'
import { submissionRoutes } from './routes/submissions.ts'
import { summaryRoutes } from './routes/summary.ts'
import { countForms } from './services/form-repository.ts'
import { personalData } from './services/personal-data.ts'

export default defineModule({
  name: 'forms',
  summary: 'Forms from JSON Schema: hosted pages, embeds, and submissions that you can store, email and export.',
  needs: [
    'database',
    'systemDatabase',
    'events',
    'jobs',
    'caches',
    'clock',
    'secrets',
    'product',
    'operator',
    'log',
    'theme',
    'workerPool',
  ],
  optional: ['collections', 'entitlements', 'mailer', 'people', 'tenantDirectory'],
  options: FormsOptions,
  sections,
  validate,
  permissions: {
    'forms.form.read': 'View forms',
    'forms.form.create': 'Create forms',
    'forms.form.update': 'Change forms',
    'forms.form.delete': 'Delete forms and their submissions',
    'forms.submission.create': { title: 'Submit forms that are not public', customers: true },
    'forms.submission.read': 'View and export submissions',
    'forms.submission.update': 'Mark submissions as spam and add notes',
    'forms.submission.delete': 'Delete submissions',
  },
  problems,
  limits: ['forms.submit', 'forms.notification_link'],
  roles: {
    'tenant.form_editor': {
      name: 'Form editor',
      description: 'Builds forms and reads their submissions',
      permissions: ['forms.*'],
    },
  },
  usage: { 'forms.count': countForms },
  events,
  actions,
  services: async () => (await import('./services.ts')).services,
  routes: deps => [...formRoutes(deps), ...submissionRoutes(deps), ...summaryRoutes(deps)],
  resources: () => resources,
  names: () => [
    {
      prefix: 'sub',
      title: 'Submission',
      names: {
        allow: 'forms.submission.read',
        sql: `select s.id, f.name from forms_submissions s join forms_forms f on f.id = s.form_id where s.id = any ($1)`,
      },
    },
    {
      prefix: 'frm',
      title: 'Form',
      resource: 'forms.forms',
      names: { allow: 'forms.form.read', sql: 'select id, name from forms_forms where id = any ($1)' },
    },
  ],
  rawRoutes: embedScripts,
  pages: deps => [...formPages(deps), ...recipientPages(deps)],
  listeners,
  jobs,
  reconcile,
  plan,
  personalData,
  // Visitors find a form by its id, without its workspace. Submissions are deleted with the other rows.
  stopTenant:
    ({ database }) =>
    async tenantId => {
      await database.tenant(tenantId).defer([['delete from forms_forms where tenant_id = $1', [tenantId]]])
    },
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})

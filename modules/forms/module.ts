import { defineModule, job } from 'larder/kernel'
import { embedRoutes } from './routes/embed-scripts.ts'
import { events } from './events.ts'
import { createForms, NEEDS } from './services/form-services.ts'
import { listeners } from './listeners.ts'
import { FormsOptions } from './options.ts'
import { formPages } from './pages/form-pages.ts'
import type {} from './ports.ts'
import { plan, reconcile } from './recipe/apply.ts'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'
import { formRoutes } from './routes/forms.ts'
import { submissionRoutes } from './routes/submissions.ts'
import { countForms } from './services/form-service.ts'

export default defineModule({
  name: 'forms',
  summary: 'Forms from JSON Schema: hosted pages, embeds, and responses that you can store, email and export.',
  needs: NEEDS,
  optional: ['entitlements', 'mailer'],
  options: FormsOptions,
  sections,
  validate,
  permissions: {
    'forms.form.read': 'Read forms',
    'forms.form.create': 'Make forms',
    'forms.form.update': 'Change forms',
    'forms.form.delete': 'Delete forms with what was sent to them',
    'forms.submission.create': 'Send forms that are not public',
    'forms.submission.read': 'Read and export what was sent',
    'forms.submission.delete': 'Delete what was sent',
  },
  limits: ['forms.submit'],
  roles: { 'tenant.form_editor': { name: 'Form editor', permissions: ['forms.*'] } },
  usage: { 'forms.count': countForms },
  events,
  provides: { forms: createForms },
  routes: deps => [...formRoutes(deps), ...submissionRoutes(deps)],
  rawRoutes: embedRoutes,
  pages: formPages,
  listeners: listeners,
  jobs: ({ forms, operator }) => [
    job('forms.forget', {
      run: ({ formId }, { tenantId }) => forms.editing.forget(tenantId ?? operator.tenantId, formId),
    }),
  ],
  reconcile,
  plan,
  stop: async ({ forms }) => forms.definitions.stop(),
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})

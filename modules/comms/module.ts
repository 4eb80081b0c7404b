import { defineModule } from '@larder-dev/larder/kernel'
import { templateProblems } from '@larder-dev/larder/kernel/internal'
import { actions } from './actions.ts'
import { auditActions } from './domain/audit-actions.ts'
import { jobs } from './jobs.ts'
import { CommsOptions, settings } from './options.ts'
import { mailboxPages } from './pages/mailbox-pages.ts'
import { unsubscribePages } from './pages/unsubscribe-page.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { plan } from './recipe/plan.ts'
import { validate } from './recipe/validate.ts'
import { resources, templateWords } from './resources.ts'
import { mailboxRoutes } from './routes/mailbox.ts'
import { messageContentRoutes } from './routes/message-content.ts'
import { messageRoutes } from './routes/messages.ts'
import { operatorRoutes } from './routes/operator.ts'
import { providerEventRoutes } from './routes/provider-events.ts'
import { suppressionRoutes } from './routes/suppression.ts'
import { templateOverrideRoutes } from './routes/template-overrides.ts'
import { templateRoutes } from './routes/templates.ts'
import { unsubscribeRoutes } from './routes/unsubscribe.ts'
import { mailMetrics } from './services/mail-metrics.ts'
import { createMailSender } from './services/mail-sender.ts'
import { createMailer } from './services/mailer.ts'
import { personalData } from './services/personal-data.ts'
import { erasePersonalData } from './services/personal-data-erasure.ts'
import { searchSources } from './services/search-sources.ts'
import { statistics } from './services/statistics.ts'
import { createSuppressedCounts } from './services/suppressed-counts.ts'
import { selectTransport } from './services/transports/select-transport.ts'

export default defineModule({
  name: 'comms',
  summary: 'Sends email from templates, tracks delivery and sends nothing to blocked addresses.',
  needs: [
    'database',
    'systemDatabase',
    'clock',
    'log',
    'jobs',
    'jobActivity',
    'providerInbox',
    'settings',
    'mailTemplates',
    'secrets',
    'product',
    'registry',
  ],
  optional: ['mailProvider', 'entitlements'],
  options: CommsOptions,
  settings,
  validate,
  permissions: {
    'communications.message.read': 'View sent emails and their status',
    'communications.message.read_content': 'View the content of sent emails',
    'communications.message.send': 'Send emails',
    'communications.message.retry': 'Resend emails',
    'communications.template.read': 'View and preview email templates',
    'communications.template.update': 'Override email templates',
    'communications.suppression.read': 'View blocked addresses',
    'communications.suppression.create': 'Block addresses',
    'communications.suppression.delete': 'Unblock addresses',
    'communications.message.read_all': { title: 'View emails of every workspace', scope: 'platform' },
    'communications.message.resend_all': { title: 'Resend emails of every workspace', scope: 'platform' },
    'communications.mailbox.read': { title: 'View emails of every tenant in the mailbox', scope: 'platform' },
  },
  problems: { ...templateProblems, ...problems },
  limits: [
    'communications.send',
    'communications.test',
    'communications.templates',
    'communications.intake',
    'communications.unsubscribe',
  ],
  services: { mailTransport: { create: selectTransport, dispose: transport => transport.close() } },
  actions,
  provides: { mailer: deps => createMailer(createMailSender(deps)) },
  routes: deps => [
    ...messageRoutes(deps),
    ...messageContentRoutes(deps),
    ...templateRoutes(deps),
    ...templateOverrideRoutes(deps),
    ...suppressionRoutes(deps),
    ...mailboxRoutes(deps),
    ...operatorRoutes(deps),
  ],
  names: () => [
    {
      prefix: 'msg',
      title: 'Email',
      resource: 'comms.messages',
      names: {
        allow: 'communications.message.read',
        sql: 'select id, subject as name from comms_messages where id = any ($1)',
      },
    },
  ],
  resources: ({ mailTemplates, product }) => resources(templateWords(mailTemplates.list()), product),
  words: ({ mailTemplates }) => ({ templateKey: templateWords(mailTemplates.list()) }),
  search: searchSources,
  rawRoutes: (deps, options) => [...unsubscribeRoutes(deps), ...providerEventRoutes(deps, options)],
  pages: deps => [...mailboxPages(deps), ...unsubscribePages(deps)],
  jobs,
  statistics,
  metrics: deps => [createSuppressedCounts(deps).metric, ...mailMetrics(deps)],
  plan,
  personalData,
  erasePersonalData,
  auditActions: () => auditActions,
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})

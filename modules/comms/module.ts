import { defineModule, job, MINUTE, templateProblems } from 'larder/kernel'
import { ATTEMPTS, backoff, createDelivery } from './services/delivery-service.ts'
import { createIntake } from './services/provider-event-service.ts'
import { createMailer } from './services/mailer.ts'
import { CommsOptions } from './options.ts'
import { mailboxPages } from './pages/mailbox-pages.ts'
import { plan } from './recipe/plan.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { intakeRoutes } from './routes/provider-events.ts'
import { mailboxRoutes } from './routes/mailbox.ts'
import { messageRoutes } from './routes/messages.ts'
import { ownTextRoutes } from './routes/template-overrides.ts'
import { suppressionRoutes } from './routes/suppression.ts'
import { templateRoutes } from './routes/templates.ts'
import { unsubscribePages, unsubscribeRoutes } from './routes/unsubscribe.ts'
import { pickTransport } from './services/transports/select-transport.ts'
import { validate } from './recipe/validate.ts'

export default defineModule({
  name: 'comms',
  summary: 'Sends mail from templates, keeps what became of it, and leaves alone who is suppressed.',
  needs: ['database', 'models', 'clock', 'log', 'jobs', 'mailServer', 'mailTemplates', 'secrets', 'product'],
  optional: ['mailProvider'],
  options: CommsOptions,
  validate,
  permissions: {
    'communications.message.read': 'Read what became of mail',
    'communications.message.send': 'Send mail',
    'communications.message.retry': 'Send mail again',
    'communications.template.read': 'Read and preview mail templates',
    'communications.template.update': 'Write own texts of mail templates',
    'communications.suppression.read': 'Read the suppression list',
    'communications.suppression.create': 'Stop mail to an address',
    'communications.suppression.delete': 'Let mail to an address go again',
    'communications.mailbox.read': { title: 'Read mail of every tenant in the mailbox', scope: 'platform' },
  },
  problems: { ...templateProblems, ...problems },
  limits: [
    'communications.send',
    'communications.test',
    'communications.templates',
    'communications.intake',
    'communications.unsubscribe',
  ],
  provides: { mailer: createMailer, mailTransport: pickTransport },
  routes: deps => [
    ...messageRoutes(deps),
    ...templateRoutes(deps),
    ...ownTextRoutes(deps),
    ...suppressionRoutes(deps),
    ...mailboxRoutes(deps),
  ],
  rawRoutes: (deps, options) => [...unsubscribeRoutes(deps), ...intakeRoutes(deps, options)],
  pages: deps => [...mailboxPages(deps), ...unsubscribePages(deps)],
  jobs: (deps, options) => [
    job('comms.deliver', { attempts: ATTEMPTS, backoff, timeout: 2 * MINUTE, run: createDelivery(deps, options).run }),
    job('comms.intake', { timeout: 2 * MINUTE, run: () => createIntake(deps).run() }),
    job('comms.sweep', { every: '1d', run: () => createIntake(deps).sweep() }),
  ],
  plan,
  stop: ({ mailTransport }) => mailTransport.close(),
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
})

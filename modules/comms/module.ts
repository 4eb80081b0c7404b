import { defineModule, job, MINUTE, templateProblems } from 'larder/kernel'
import { ATTEMPTS, backoff, createDelivery } from './delivery.ts'
import { createIntake } from './intake/process.ts'
import { createMailer } from './mailer.ts'
import { CommsOptions } from './options.ts'
import { mailboxPages } from './pages.ts'
import { plan } from './plan.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { intakeRoutes } from './routes/intake.ts'
import { mailboxRoutes } from './routes/mailbox.ts'
import { messageRoutes } from './routes/messages.ts'
import { ownTextRoutes } from './routes/own-texts.ts'
import { suppressionRoutes } from './routes/suppression.ts'
import { templateRoutes } from './routes/templates.ts'
import { unsubscribePages, unsubscribeRoutes } from './routes/unsubscribe.ts'
import { pickTransport } from './transports/pick.ts'
import { validate } from './validate.ts'

export default defineModule({
  name: 'comms',
  summary: 'Sends email from templates, tracks delivery and honors the suppression list.',
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
  locales: new URL('./locales/', import.meta.url),
})

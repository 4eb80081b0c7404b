import type { Deps } from '@larder-dev/larder/kernel'
import type { CommsOptions } from '../../options.ts'
import { operatorErrors } from '../../problems.ts'
import { createMailboxTransport } from './mailbox-transport.ts'
import { createSmtpTransport } from './smtp-transport.ts'
import type { MailTransport } from './transport.ts'

/** `auto` selects SMTP if the recipe or SMTP_URL names a server, and the mailbox otherwise. */
export function selectTransport(
  deps: Deps<'systemDatabase' | 'clock' | 'settings'>,
  { transport = 'auto', smtp }: CommsOptions,
): MailTransport {
  const url = smtp?.url || (deps.settings.smtpUrl ?? '')
  if (transport === 'mailbox' || (transport === 'auto' && url === '')) return createMailboxTransport(deps)
  if (url === '') throw operatorErrors.smtp_url_missing()
  return createSmtpTransport(url)
}

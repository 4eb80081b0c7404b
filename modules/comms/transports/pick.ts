import type { Deps } from 'larder/kernel'
import type { CommsOptions } from '../options.ts'
import { createMailboxTransport } from './mailbox.ts'
import { createSmtpTransport } from './smtp.ts'
import type { MailTransport } from './transport.ts'

/** `auto` is SMTP where the recipe or SMTP_URL names a server, else the mailbox. */
export function pickTransport(
  deps: Deps<'database' | 'clock' | 'settings'>,
  { transport = 'auto', smtp }: CommsOptions,
): MailTransport {
  const url = smtp?.url || (deps.settings.smtpUrl ?? '')
  if (transport === 'mailbox' || (transport === 'auto' && url === '')) return createMailboxTransport(deps)
  if (url === '') throw new Error('comms.transport is smtp, but comms.smtp.url is empty: set SMTP_URL')
  return createSmtpTransport(url)
}

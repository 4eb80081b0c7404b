/** Rules for emails that tenants send by API. */
import type { MailTemplates } from 'larder/kernel'
import { problems } from '../problems.ts'

/** Entitlement that limits the emails a tenant sends by API. */
export const SEND_ENTITLEMENT = 'comms.send'

/** Throws `template_not_sendable` for emails of the product. Unknown templates pass. */
export function assertSendable(mailTemplates: Pick<MailTemplates, 'list'>, template: string): void {
  const info = mailTemplates.list().find(({ key }) => key === template)
  if (info && !info.sendable) throw problems.template_not_sendable({ template })
}

/** Rules for emails that tenants send by API. */
import type { MailTemplates } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'

/** Entitlement that limits the emails a tenant sends by API. */
export const SEND_ENTITLEMENT = 'comms.send'

type TemplateList = Pick<MailTemplates, 'list'>

const findInfo = (mailTemplates: TemplateList, template: string) =>
  mailTemplates.list().find(({ key }) => key === template)

export const isSendable = (mailTemplates: TemplateList, template: string): boolean =>
  findInfo(mailTemplates, template)?.sendable ?? false

/** Throws `template_not_sendable` for emails of the product. Unknown templates pass. */
export function assertSendable(mailTemplates: TemplateList, template: string): void {
  const info = findInfo(mailTemplates, template)
  if (info && !info.sendable) throw problems.template_not_sendable({ template })
}

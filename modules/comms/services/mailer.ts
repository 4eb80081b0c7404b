/** The port `mailer`. */
import type { Mailer } from '../ports.ts'
import type { MailSender } from './mail-sender.ts'

export const createMailer = (sender: MailSender): Mailer => ({
  async send(mail) {
    const { id, status } = await sender.send(mail)
    return { messageId: id, status: status === 'suppressed' ? 'suppressed' : 'queued' }
  },
})

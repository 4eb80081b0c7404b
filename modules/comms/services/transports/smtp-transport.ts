/** SMTP by nodemailer, loaded with the first mail. */
import { SECOND } from 'larder/kernel'
import type { Transporter } from 'nodemailer'
import { bareAddress } from '../../domain/address.ts'
import { Bounce, type MailTransport } from './transport.ts'

/** What a server's 5xx at these commands is about: this recipient, or this mail. At others it is about us. */
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA'])

export function createSmtpTransport(url: string): MailTransport {
  let opened: Promise<Transporter> | undefined
  const transporter = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      maxConnections: 4,
      connectionTimeout: 10 * SECOND,
      greetingTimeout: 10 * SECOND,
      socketTimeout: 30 * SECOND,
      // A body never names a file or an address from which to read an attachment.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  return {
    name: 'smtp',
    async send({ from, to: given, subject, html, text, headers }) {
      // nodemailer splits what it gets at commas, even here.
      const to = bareAddress(given)
      opened ??= transporter()
      const { 'message-id': messageId, ...others } = headers
      const mail = { from, to: { name: '', address: to }, subject, html, text, messageId, headers: others }
      try {
        const { response } = await (await opened).sendMail({ ...mail, envelope: { from: from.address, to: [to] } })
        return String(response)
      } catch (error) {
        throw bounceOf(error) ?? error
      }
    },
    async close() {
      const open = opened
      opened = undefined
      if (open) (await open).close()
    },
  }
}

interface SmtpError extends Error {
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
}

function bounceOf(error: unknown): Bounce | undefined {
  const { responseCode = 0, response, command = '' } = error as SmtpError
  return responseCode >= 500 && ABOUT_THE_MAIL.has(command)
    ? new Bounce(response ?? String(responseCode), error)
    : undefined
}

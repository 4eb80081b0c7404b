/** SMTP through nodemailer, which is loaded with the first email. */
import { SECOND } from '@larder-dev/larder/kernel'
import { containsEncodedWord } from '@larder-dev/larder/kernel/internal'
import type { Transporter } from 'nodemailer'
import { parseAddress } from '../../domain/address.ts'
import { bounceMeaning } from '../../domain/bounce.ts'
import { BounceError, type MailTransport } from './transport.ts'

/** Bytes of an encoded word: 75 characters at most, of which 12 are its frame. */
const WORD_BYTES = 45
const ASCII = /^[\x20-\x7e]*$/

/** A subject that looks encoded is encoded, so that readers see what was written. nodemailer encodes other characters. */
function headerText(text: string): string {
  if (!containsEncodedWord(text) || !ASCII.test(text)) return text
  const words = text.match(new RegExp(`.{1,${WORD_BYTES}}`, 'g')) ?? []
  return words.map(word => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}

/** nodemailer would quote an encoded name. The joiner makes it encode the whole name itself. */
const headerName = (name: string): string =>
  containsEncodedWord(name) && ASCII.test(name) ? name.replaceAll('=?', '=\u2060?') : name

/** A 5xx reply to these commands concerns the recipient or the message. To others, it concerns our server. */
const RECIPIENT_COMMANDS = new Set(['RCPT TO', 'DATA'])

export function createSmtpTransport(url: string): MailTransport {
  let connecting: Promise<Transporter> | undefined
  const transporter = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      maxConnections: 4,
      connectionTimeout: 10 * SECOND,
      greetingTimeout: 10 * SECOND,
      socketTimeout: 30 * SECOND,
      // Attachments are never read from a file or URL that the message names.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  return {
    name: 'smtp',
    async send({ from, to: recipient, subject, html, text, headers }) {
      // nodemailer splits addresses at commas, even in this form.
      const to = parseAddress(recipient)
      connecting ??= transporter()
      const { 'message-id': messageId, ...others } = headers
      const sender = { ...from, name: headerName(from.name) }
      const content = { subject: headerText(subject), html, text }
      const mail = { from: sender, to: { name: '', address: to }, ...content, messageId, headers: others }
      try {
        const { response } = await (await connecting).sendMail({ ...mail, envelope: { from: from.address, to: [to] } })
        return String(response)
      } catch (error) {
        throw toBounce(error) ?? error
      }
    },
    async close() {
      const transporterToClose = connecting
      connecting = undefined
      if (transporterToClose) (await transporterToClose).close()
    },
  }
}

interface SmtpError extends Error {
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
}

function toBounce(error: unknown): BounceError | undefined {
  const { responseCode = 0, response, command = '' } = error as SmtpError
  if (responseCode < 500 || !RECIPIENT_COMMANDS.has(command)) return undefined
  const reply = response ?? String(responseCode)
  const meaning = bounceMeaning(reply)
  // Servers check the address before the message.
  return new BounceError(reply, meaning === 'unclear' && command === 'DATA' ? 'message' : meaning, error)
}

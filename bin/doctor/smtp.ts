/** The mail server: connects, encrypts and signs in, without a mail. */
import { createTransport } from 'nodemailer'
import SmtpConnection from 'nodemailer/lib/smtp-connection'
import { isThisMachine } from '../../kernel/base/index.ts'
import { ANSWER_MS, type Finding, reason } from './finding.ts'

export async function smtp(url: string, limitMs = ANSWER_MS): Promise<Finding[]> {
  // nodemailer reads the URL as it does for mail.
  const options = createTransport({ url }).options as SmtpConnection.Options & { readonly auth?: Login }
  const { host = '', auth } = options
  const place = `${host}:${options.port ?? (options.secure ? 465 : 25)}`
  const connection = new SmtpConnection({
    ...options,
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    socketTimeout: limitMs,
    dnsTimeout: limitMs,
  })
  const failed = new Promise<never>((_, reject) => connection.on('error', reject))
  failed.catch(() => undefined)
  try {
    await Promise.race([failed, new Promise<void>(resolve => connection.connect(() => resolve()))])
    const { secure } = connection
    const reached: Finding[] = [
      encryption(place, secure, { hasLogin: auth !== undefined, isLocal: isThisMachine({ hostname: host }) }),
    ]
    if (!auth) return [...reached, { state: 'skip', what: `${place} isn't asked for a login: SMTP_URL has none` }]
    return [...reached, await login(connection, auth, failed, place)]
  } catch (error) {
    return [unusable(place, error)]
  } finally {
    connection.close()
  }
}

interface Login {
  readonly user: string
  readonly pass: string
}

async function login(connection: SmtpConnection, auth: Login, failed: Promise<never>, place: string): Promise<Finding> {
  try {
    const answer = new Promise<void>((resolve, reject) =>
      connection.login({ user: auth.user, pass: auth.pass }, error => (error ? reject(error) : resolve())),
    )
    await Promise.race([failed, answer])
    return { state: 'ok', what: `${place} accepts the login ${auth.user}` }
  } catch (error) {
    return {
      state: 'fail',
      what: `${place} refuses the login ${auth.user}: ${reason(error)}`,
      fix: 'Correct user and password in SMTP_URL; special characters are written as in URLs, such as %40 for @.',
    }
  }
}

function encryption(
  place: string,
  isSecure: boolean,
  { hasLogin, isLocal }: { readonly hasLogin: boolean; readonly isLocal: boolean },
): Finding {
  if (isSecure) return { state: 'ok', what: `${place} accepts mail, encrypted` }
  if (isLocal) return { state: 'ok', what: `${place} on this machine accepts mail, not encrypted` }
  return {
    state: hasLogin ? 'fail' : 'warn',
    what: `${place} offers no STARTTLS: mail ${hasLogin ? 'and the password are' : 'is'} sent in the clear`,
    fix: 'Use a server with STARTTLS (port 587), or smtps:// (port 465).',
  }
}

function unusable(place: string, error: unknown): Finding {
  const { code, message } = error as { readonly code?: string; readonly message: string }
  if (/certificate|altname/i.test(message))
    return {
      state: 'fail',
      what: `${place} has a certificate that isn't accepted, so no mail is sent: ${reason(error)}`,
      fix: 'Name the server in SMTP_URL as its certificate does. NODE_EXTRA_CA_CERTS names the root of an authority of your own.',
    }
  if (/wrong version number/i.test(message))
    return {
      state: 'fail',
      what: `${place} speaks no TLS`,
      fix: 'Use smtp:// in SMTP_URL: STARTTLS encrypts the connection then.',
    }
  return {
    state: 'fail',
    what: `${place} is unreachable or doesn't answer as a mail server: ${reason(error)}`,
    fix:
      code === 'ETIMEDOUT'
        ? 'Check host and port of SMTP_URL: smtps:// for port 465, smtp:// otherwise. Many hosts block port 25.'
        : 'Start the server, or correct SMTP_URL.',
  }
}

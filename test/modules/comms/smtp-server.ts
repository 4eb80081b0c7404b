/** A real SMTP server that keeps what it gets. */
import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

export interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  readonly mail: Email
}
/** What the server says to a command: a code and a text, or nothing for yes. */
type Refusal = { readonly code: number; readonly text: string } | undefined
export interface Manners {
  sender?(address: string): Refusal
  recipient?(address: string): Refusal
  data?(): Refusal
  user?: string
}
export interface SmtpKit {
  readonly url: string
  readonly received: Received[]
  /** Changes how it answers. */
  manners: Manners
  stop(): Promise<void>
}

export async function startSmtp(t: ExecutionContext, manners: Manners = {}, port = 0): Promise<SmtpKit> {
  const received: Received[] = []
  const kit = { received, manners }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    // A client that keeps its connection does not keep the test.
    closeTimeout: 100,
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, done) =>
      username === kit.manners.user
        ? done(null, { user: username })
        : done(errorOf({ code: 535, text: 'no such login' })),
    onMailFrom: ({ address }, _session, done) => done(errorOf(kit.manners.sender?.(address))),
    onRcptTo: ({ address }, _session, done) => done(errorOf(kit.manners.recipient?.(address))),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const refusal = kit.manners.data?.()
        if (refusal) return done(errorOf(refusal))
        received.push(await keep(Buffer.concat(chunks), session))
        done(null, 'taken')
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const at = (server.server.address() as AddressInfo).port
  const stop = () => new Promise<void>(resolve => server.close(() => resolve()))
  t.teardown(stop)
  return Object.assign(kit, { url: `smtp://127.0.0.1:${at}`, stop })
}

async function keep(raw: Buffer, { envelope }: SMTPServerSession): Promise<Received> {
  const from = envelope.mailFrom ? envelope.mailFrom.address : ''
  const to = envelope.rcptTo.map(({ address }) => address)
  return { from, to, raw: raw.toString('utf8'), mail: await PostalMime.parse(raw) }
}

const errorOf = (refusal: Refusal): Error | null =>
  refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null

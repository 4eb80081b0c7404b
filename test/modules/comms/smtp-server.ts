/** An SMTP server that stores received messages. */
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
/** An error reply; undefined to accept. */
type ErrorReply = { readonly code: number; readonly text: string } | undefined
/** Replies to each command. */
export interface Behavior {
  sender?(address: string): ErrorReply
  recipient?(address: string): ErrorReply
  data?(): ErrorReply
  user?: string
}
export interface SmtpFixture {
  readonly url: string
  readonly received: Received[]
  behavior: Behavior
  stop(): Promise<void>
}

export async function startSmtp(
  t: Pick<ExecutionContext, 'teardown'>,
  behavior: Behavior = {},
  port = 0,
): Promise<SmtpFixture> {
  const received: Received[] = []
  const fixture = { received, behavior }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    // An open connection must not delay the end of the test.
    closeTimeout: 100,
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, done) =>
      username === fixture.behavior.user
        ? done(null, { user: username })
        : done(errorOf({ code: 535, text: 'no such login' })),
    onMailFrom: ({ address }, _session, done) => done(errorOf(fixture.behavior.sender?.(address))),
    onRcptTo: ({ address }, _session, done) => done(errorOf(fixture.behavior.recipient?.(address))),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const reply = fixture.behavior.data?.()
        if (reply) return done(errorOf(reply))
        received.push(await keep(Buffer.concat(chunks), session))
        done(null, 'accepted')
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const at = (server.server.address() as AddressInfo).port
  const stop = () => new Promise<void>(resolve => server.close(() => resolve()))
  t.teardown(stop)
  return Object.assign(fixture, { url: `smtp://127.0.0.1:${at}`, stop })
}

async function keep(raw: Buffer, { envelope }: SMTPServerSession): Promise<Received> {
  const from = envelope.mailFrom ? envelope.mailFrom.address : ''
  const to = envelope.rcptTo.map(({ address }) => address)
  return { from, to, raw: raw.toString('utf8'), mail: await PostalMime.parse(raw) }
}

const errorOf = (reply: ErrorReply): Error | null =>
  reply ? Object.assign(new Error(reply.text), { responseCode: reply.code }) : null

/** Mail sent to Mailpit by SMTP with STARTTLS. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import anyTest, { type TestFn } from 'ava'
import { createSmtpTransport } from '../../modules/comms/services/transports/smtp-transport.ts'
import { BounceError, type OutgoingMail } from '../../modules/comms/services/transports/transport.ts'
import { startTestKernel } from '../../testing/index.ts'
import { writeCertificate } from '../fixtures/certificate.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { goProgram, PROGRAMS } from './programs.ts'
import { type PeerServer, startPeer } from './server.ts'

interface Mailpit extends PeerServer {
  /** `smtp://127.0.0.1:1025` */
  readonly smtp: string
  readonly certificate: string
  get<T>(path: string): Promise<T>
}
interface Message {
  readonly ID: string
  readonly From: { readonly Address: string }
  readonly Subject: string
}

const test = anyTest as TestFn<{ mailpit: Mailpit; folder: string }>
const program = await goProgram(PROGRAMS.mailpit)
const MAIL: OutgoingMail = {
  messageId: 'msg_1',
  tenantId: 'ten_1',
  from: { name: 'Acme', address: 'hello@acme.test' },
  to: 'ada@example.test',
  subject: 'Hi',
  html: '<p>Hi</p>',
  text: 'Hi',
  headers: {},
}
const NEWS = '---\nsubject: Grüße\ncategory: marketing\n---\n<p>News</p>'

/** Accepts mail only after STARTTLS, with a certificate for 127.0.0.1. */
async function startMailpit(path: string, folder: string): Promise<Mailpit> {
  const { key, certificate } = await writeCertificate(folder)
  const [smtp, http] = [await freePort(), await freePort()]
  const get = async <T>(at: string) => (await fetch(`http://127.0.0.1:${http}/api/v1/${at}`)).json() as Promise<T>
  const { close } = await startPeer({
    path,
    args: database => [
      '--smtp',
      `127.0.0.1:${smtp}`,
      '--listen',
      `127.0.0.1:${http}`,
      '--database',
      join(database, 'mail.db'),
      '--smtp-tls-cert',
      certificate,
      '--smtp-tls-key',
      key,
      '--smtp-require-starttls',
      '--disable-version-check',
      '--quiet',
    ],
    isReady: async () => (await get('info')) !== undefined,
  })
  return { close, get, smtp: `smtp://127.0.0.1:${smtp}`, certificate: await readFile(certificate, 'utf8') }
}

const received = async (mailpit: Mailpit, to: string): Promise<readonly Message[]> =>
  (await mailpit.get<{ messages: Message[] }>(`search?query=${encodeURIComponent(`to:${to}`)}`)).messages

test.before(async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-mailpit-'))
  await writeFile(join(folder, 'news.hbs'), NEWS)
  t.context = { folder, mailpit: await startMailpit(program, folder) }
})
test.after.always(async ({ context: { mailpit, folder } }) => {
  await mailpit?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

test('sends mail over STARTTLS, and its link to unsubscribe works with one click', async t => {
  const { mailpit, folder } = t.context
  const url = `${mailpit.smtp}?requireTLS=true&tls.ca=${encodeURIComponent(mailpit.certificate)}`
  const kernel = await startTestKernel({
    folder,
    recipe: {
      modules: { identity: {}, comms: { from: 'Acme <hello@acme.test>', smtp: { url } } },
      emails: { 'shop.news': { template: './news.hbs' } },
    },
  })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const send = () => ada.post('/v1/communications/messages', { templateKey: 'shop.news', to: 'reader@example.test' })
  await send()
  await kernel.settled()
  const [message] = await waitFor(
    () => received(mailpit, 'reader@example.test'),
    messages => messages.length > 0,
  )
  t.like(message, { From: { Address: 'hello@acme.test' }, Subject: 'Grüße' })
  const headers = await mailpit.get<Record<string, string[]>>(`message/${message?.ID}/headers`)
  t.deepEqual(headers['List-Unsubscribe-Post'], ['List-Unsubscribe=One-Click'])
  const link = /^<(.+)>$/.exec(headers['List-Unsubscribe']?.[0] ?? '')?.[1] ?? ''
  const { pathname, search } = new URL(link)
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  t.is((await fetch(new URL(pathname + search, kernel.url), { method: 'POST', body })).status, 200)
  const { data } = (await ada.get('/v1/communications/suppression?filter[email]=reader@example.test')).body
  t.like(data[0], { category: 'marketing', reason: 'unsubscribed' })
})

test('sends nothing to a server whose certificate is not trusted', async t => {
  const { mailpit } = t.context
  const transport = createSmtpTransport(mailpit.smtp)
  t.teardown(() => transport.close())
  const error = await t.throwsAsync(transport.send({ ...MAIL, to: 'bob@example.test' }), { message: /self-signed/ })
  // The address isn't at fault.
  t.false(error instanceof BounceError)
  t.is((await received(mailpit, 'bob@example.test')).length, 0)
})

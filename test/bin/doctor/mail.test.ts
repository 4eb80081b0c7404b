/** A mail server and a name server of the test. */
import { generateKeyPairSync } from 'node:crypto'
import { promises } from 'node:dns'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { senderRecords } from '../../../bin/doctor/sender-records.ts'
import { smtp } from '../../../bin/doctor/smtp.ts'
import { writeCertificate } from '../../fixtures/certificate.ts'
import { type NameServer, startNameServer } from '../../modules/identity/sign-in/sso/name-server.ts'

async function startServer(t: ExecutionContext, options: SMTPServerOptions): Promise<number> {
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 50,
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'shop' }) : done(new Error('no such login')),
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>(resolve => server.close(() => resolve())))
  return (server.server.address() as { port: number }).port
}
const said = async (url: string) =>
  (await smtp(url, 2000)).map(({ state, what }) => `${state} ${what.replaceAll(/127\.0\.0\.1:\d+/g, 'SERVER')}`)

test('signs in at a mail server, and sends no mail', async t => {
  let mails = 0
  const port = await startServer(t, {
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onMailFrom: (_address, _session, done) => {
      mails++
      done()
    },
  })
  t.deepEqual(await said(`smtp://shop:right@127.0.0.1:${port}`), [
    'ok SERVER on this machine accepts mail, not encrypted',
    'ok SERVER accepts the login shop',
  ])
  const wrong = await said(`smtp://shop:hunter2@127.0.0.1:${port}`)
  t.regex(wrong[1] ?? '', /^fail SERVER refuses the login shop: .*no such login/)
  t.notRegex(wrong.join(), /hunter2/)
  t.deepEqual(await said(`smtp://127.0.0.1:${port}`), [
    'ok SERVER on this machine accepts mail, not encrypted',
    "skip SERVER isn't asked for a login: SMTP_URL has none",
  ])
  t.is(mails, 0)
})

test('STARTTLS encrypts, and a certificate that is not accepted is a failure', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-smtp-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const files = await writeCertificate(folder)
  const [key, cert] = await Promise.all([readFile(files.key), readFile(files.certificate)])
  const port = await startServer(t, { key, cert })
  t.regex(
    (await said(`smtp://shop:right@127.0.0.1:${port}`)).join(),
    /^fail SERVER has a certificate that isn't accepted/,
  )
  t.deepEqual(await said(`smtp://shop:right@127.0.0.1:${port}?tls.rejectUnauthorized=false`), [
    'ok SERVER accepts mail, encrypted',
    'ok SERVER accepts the login shop',
  ])
  t.deepEqual(await said(`smtps://shop:right@127.0.0.1:${port}`), ['fail SERVER speaks no TLS'])
})

test('a mail server that accepts and never answers is a failure in time', async t => {
  const server = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const [finding] = await smtp(`smtp://127.0.0.1:${(server.address() as { port: number }).port}`, 50)
  t.is(finding?.state, 'fail')
  t.regex(finding?.what ?? '', /unreachable or doesn't answer as a mail server/)
})

const SPF = 'v=spf1 include:mail.example.org -all'
const rsa = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64')
const RECORDS = {
  'acme.org': ['some-verification=1', SPF],
  'mail.example.org': ['v=spf1 ip4:192.0.2.0/24 -all'],
  's1._domainkey.acme.org': [`v=DKIM1; k=rsa; p=${rsa(2048)}`],
  '_dmarc.acme.org': ['v=DMARC1; p=reject; rua=mailto:dmarc@acme.org'],
}

async function startNames(t: ExecutionContext): Promise<{ names: NameServer; ask: typeof judgedBy }> {
  const names = await startNameServer()
  t.teardown(names.stop)
  for (const [name, texts] of Object.entries(RECORDS)) names.records.set(name, texts)
  const resolver = new promises.Resolver({ timeout: 100, tries: 1 })
  resolver.setServers([names.address])
  return { names, ask: (domain, selector) => judgedBy(domain, selector, resolver) }
}
async function judgedBy(domain: string, selector?: string, resolver = new promises.Resolver()): Promise<string[]> {
  return (await senderRecords(domain, resolver, selector)).map(({ state, what }) => `${state} ${what}`)
}

test('finds the records of a sender', async t => {
  const { ask } = await startNames(t)
  t.deepEqual(await ask('acme.org'), [
    `ok SPF of acme.org: ${SPF}`,
    'ok the DKIM key s1._domainkey.acme.org: RSA, 2048 bits',
    'ok DMARC at _dmarc.acme.org: v=DMARC1; p=reject; rua=mailto:dmarc@acme.org',
  ])
  t.deepEqual(await ask('nothing.example'), ["skip the sender's domain nothing.example isn't a public one"])
})

test('says which record is missing', async t => {
  const { names, ask } = await startNames(t)
  t.deepEqual(
    (await ask('empty.org')).map(line => line.replace(/:.*/, '')),
    ['warn empty.org has no SPF record', 'warn empty.org has no DKIM key', 'warn empty.org has no DMARC record'],
  )
  names.records.set('_domainkey.empty.org', [])
  t.true((await ask('empty.org')).includes('skip no DKIM key of empty.org has a common selector'))
  t.true((await ask('empty.org', 'own')).includes('fail there is no DKIM key at own._domainkey.empty.org'))
})

test('says what is wrong with SPF', async t => {
  const { names, ask } = await startNames(t)
  const judged = async (...records: string[]) => {
    names.records.set('acme.org', records)
    return (await ask('acme.org'))[0] ?? ''
  }
  t.regex(await judged(SPF, 'v=spf1 -all'), /^fail acme\.org has 2 SPF records/)
  t.regex(await judged('v=spf1 mx +all'), /^fail .*lets every server send its mail/)
  t.regex(await judged('v=spf1 mx ?all'), /^warn .*says nothing about other servers/)
  t.regex(await judged('v=spf1 mx'), /^warn .*says nothing about other servers/)
  t.regex(await judged('v=spf1 ip4 -all'), /^fail .*a part that isn't valid, "ip4"/)
  t.regex(await judged('v=spf1 redirect=mail.example.org'), /^ok /)
  t.regex(await judged('v=spf1 include:%{d}.example.org -all'), /^ok /)
  t.regex(await judged('v=spf1 include:gone.example.org -all'), /^fail .*leads to gone\.example\.org, which has no SPF/)
  t.regex(await judged('v=spf1 redirect=gone.example.org'), /^fail .*leads to gone\.example\.org, which has no SPF/)
  names.records.set('mail.example.org', ['v=spf1 include:gone.example.org -all'])
  t.regex(await judged(SPF), /^fail SPF of acme\.org leads to gone\.example\.org/)
  names.records.set('mail.example.org', [
    'v=spf1 a mx a:b.org a:c.org a:d.org a:e.org a:f.org a:g.org a:h.org a:i.org -all',
  ])
  t.regex(await judged(SPF), /^fail SPF of acme\.org needs 11 lookups/)
})

test('says what is wrong with DKIM', async t => {
  const { names, ask } = await startNames(t)
  const judged = async (record: string) => {
    names.records.set('s1._domainkey.acme.org', [record])
    return (await ask('acme.org'))[1] ?? ''
  }
  t.regex(await judged('v=DKIM1; p='), /^fail .*is revoked/)
  t.regex(await judged('v=DKIM1; p=MIIB'), /^fail .*can't be read/)
  t.regex(await judged(`v=DKIM1; p=${rsa(1024)}`), /^warn .*has 1024 bits only/)
  t.regex(await judged(`v=DKIM1; p=${rsa(512)}`), /^fail .*has 512 bits/)
  t.regex(await judged(`v=DKIM1; t=y; p=${rsa(1024)}`), /^warn .*is in test mode/)
  t.regex(await judged(`v=DKIM1; k=ed25519; p=${Buffer.alloc(32).toString('base64')}`), /^ok .*Ed25519/)
})

test('says what is wrong with DMARC, also with that of a parent', async t => {
  const { names, ask } = await startNames(t)
  const judged = async (domain: string, ...records: string[]) => {
    names.records.set('_dmarc.acme.org', records)
    return (await ask(domain)).at(-1) ?? ''
  }
  t.regex(await judged('acme.org', 'v=DMARC1; p=none'), /^warn .*forged mail is delivered/)
  t.regex(await judged('acme.org', 'v=DMARC1; rua=mailto:a@acme.org'), /^fail .*p= is missing/)
  t.regex(await judged('acme.org', 'v=DMARC1; p=refuse'), /^fail .*"refuse" isn't a policy/)
  t.regex(await judged('acme.org', 'v=DMARC1; p=reject; pct=20'), /^warn .*counts for 20% of mail/)
  t.regex(await judged('acme.org', 'v=DMARC1; p=reject', 'v=DMARC1; p=none'), /^fail .*2 DMARC records/)
  t.regex(await judged('news.acme.org', 'v=DMARC1; p=reject; sp=none'), /^warn DMARC at _dmarc\.acme\.org/)
})

test('a name server that fails or never answers is a warning', async t => {
  const { names, ask } = await startNames(t)
  names.failing = true
  t.regex((await ask('acme.org'))[0] ?? '', /^warn DNS doesn't answer about acme\.org/)
  names.failing = false
  names.quorum = 1000
  t.is((await ask('acme.org')).filter(line => line.startsWith("warn DNS doesn't answer")).length, 3)
})

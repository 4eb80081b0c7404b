/** Certificates that openssl makes, served over TLS. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createMuteServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type TlsOptions } from 'node:tls'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { certificate, judgeCertificate } from '../../../bin/doctor/certificate.ts'
import { DAY } from '../../../kernel/base/index.ts'
import { writeCertificate } from '../../fixtures/certificate.ts'

const openssl = (...args: string[]) => promisify(execFile)('openssl', args)
let folder: string
let selfSigned: TlsOptions
test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-certificate-'))
  const files = await writeCertificate(folder)
  selfSigned = { key: await readFile(files.key), cert: await readFile(files.certificate) }
})
test.after.always(() => rm(folder, { recursive: true, force: true }))

async function serve(t: ExecutionContext, options: TlsOptions): Promise<URL> {
  const server = createServer(options, socket => socket.on('error', () => {})).listen(0, '127.0.0.1')
  server.on('tlsClientError', () => {})
  await once(server, 'listening')
  t.teardown(() => server.close())
  return new URL(`https://127.0.0.1:${(server.address() as { port: number }).port}`)
}
const said = async (url: URL, now = Date.now()) =>
  (await certificate(url, now)).map(({ state, what }) => `${state} ${what}`)

test('a self-signed certificate is a failure, and so is an expired one', async t => {
  const url = await serve(t, selfSigned)
  t.deepEqual(await said(url), ['fail the certificate is self-signed, so browsers refuse it'])
  const [expired] = await said(url, Date.now() + 2 * DAY)
  t.regex(expired ?? '', /^fail the certificate expired on \d{4}-\d\d-\d\d$/)
  const [early] = await said(url, Date.now() - 2 * DAY)
  t.regex(early ?? '', /^fail the certificate is valid from .* on$/)
})

test('a certificate of another name is a failure', async t => {
  const url = await serve(t, selfSigned)
  url.hostname = 'localhost'
  t.true((await said(url)).includes('fail the certificate is for 127.0.0.1, not for localhost'))
})

test('a chain without the authorities in between is a failure', async t => {
  const at = (name: string) => join(folder, name)
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  await writeFile(at('extensions'), 'subjectAltName=IP:127.0.0.1')
  await openssl(
    'req',
    '-x509',
    ...key,
    '-days',
    '1',
    '-subj',
    '/CN=authority',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
  )
  await openssl('req', ...key, '-subj', '/CN=site', '-keyout', at('site.key'), '-out', at('site.csr'))
  const signed = ['-req', '-in', at('site.csr'), '-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-days', '1']
  await openssl('x509', ...signed, '-extfile', at('extensions'), '-out', at('site.pem'))
  const url = await serve(t, { key: await readFile(at('site.key')), cert: await readFile(at('site.pem')) })
  t.deepEqual(await said(url), ['fail the chain of the certificate is incomplete'])
})

test('warns of a certificate that was not renewed in time', t => {
  const now = Date.parse('2027-01-01T00:00:00Z')
  const states = (days: number, lifetimeDays: number) => {
    const [valid_from, valid_to] = [days - lifetimeDays, days].map(each => new Date(now + each * DAY).toUTCString())
    const served = { subject: { CN: 'a.example' }, subjectaltname: 'DNS:a.example', valid_from, valid_to }
    return judgeCertificate(
      'a.example',
      { certificate: served as never, distrust: undefined, protocol: 'TLSv1.3' },
      now,
    )
  }
  t.is(states(40, 90)[0]?.state, 'ok')
  t.is(states(13, 90)[0]?.state, 'warn')
  t.is(states(4, 6)[0]?.state, 'ok')
  t.is(states(1, 6)[0]?.state, 'warn')
  t.regex(states(40, 90)[0]?.what ?? '', /valid for 40 more days, until 2027-02-10/)
})

test('a server that accepts and never answers is a failure in time', async t => {
  const server = createMuteServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const url = new URL(`https://127.0.0.1:${(server.address() as { port: number }).port}`)
  const [finding] = await certificate(url, Date.now(), 50)
  t.is(finding?.state, 'fail')
  t.regex(finding?.what ?? '', /no answer within 0\.05 s/)
})

/** Scans by ClamAV, with a signature database that contains only EICAR. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { Person } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { EICAR, file, pdf, pngFile, zip, zipFile } from '../modules/media/files.ts'
import { type Item, type MediaFixture, startFixture } from '../modules/media/fixtures.ts'

const MIB = 1024 * 1024
const MINUTE = 60_000

let folder: string
let port: number
let clamd: ChildProcess
let fixture: MediaFixture
let ada: Person

async function startClamd(): Promise<ChildProcess> {
  const server = spawn('clamd', ['--foreground', `--config-file=${join(folder, 'clamd.conf')}`], { stdio: 'ignore' })
  await waitFor(acceptsConnections)
  return server
}
const acceptsConnections = () =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
async function stopClamd(): Promise<void> {
  if (clamd.exitCode !== null || clamd.signalCode !== null) return
  const gone = once(clamd, 'exit')
  clamd.kill('SIGKILL')
  await gone
}

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-clamd-'))
  port = await freePort()
  await mkdir(join(folder, 'signatures'))
  const signature = Buffer.from(EICAR).toString('hex')
  await writeFile(join(folder, 'signatures', 'local.ndb'), `Eicar-Test-Signature:0:*:${signature}\n`)
  await writeFile(
    join(folder, 'clamd.conf'),
    `TCPSocket ${port}
TCPAddr 127.0.0.1
DatabaseDirectory ${join(folder, 'signatures')}
StreamMaxLength 2M
AlertExceedsMax yes
MaxFileSize 1M
`,
  )
  clamd = await startClamd()
  fixture = await startFixture({ scanner: { url: `tcp://127.0.0.1:${port}`, maxBytes: '100MiB' } })
  ada = await fixture.person()
})
test.after.always(async () => {
  await fixture?.stop()
  if (clamd) await stopClamd()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const rejectionOf = ({ rejection }: Item) => `${rejection?.code}: ${rejection?.detail}`

test.serial('detects EICAR in a plain file and in a ZIP file', async t => {
  const open = await fixture.send(ada, file('a.pdf', 'application/pdf', `${pdf()}\n${EICAR}`))
  t.regex(rejectionOf(open.body), /^infected: .*Eicar-Test-Signature/)
  const packed = zip([
    { name: 'letter.txt', content: 'Dear all' },
    { name: 'eicar.com', content: EICAR },
  ])
  t.regex(rejectionOf((await fixture.send(ada, zipFile(packed))).body), /^infected: .*Eicar-Test-Signature/)
  const stored = zip([{ name: 'eicar.com', content: EICAR, stored: true }])
  t.regex(rejectionOf((await fixture.send(ada, zipFile(stored))).body), /^infected/)
})

test.serial('accepts clean files', async t => {
  t.is((await fixture.send(ada, await pngFile())).body.status, 'ready')
  t.is((await fixture.send(ada, zipFile(zip([{ name: 'letter.txt', content: 'Dear all' }])))).body.status, 'ready')
})

test.serial("holds files above the scanner's limits as not scanned", async t => {
  const stream = Buffer.concat([pdf(), Buffer.alloc(3 * MIB)])
  const over = await fixture.send(ada, file('a.pdf', 'application/pdf', stream))
  t.is(over.status, 202)
  t.deepEqual(over.body.hold, { reason: 'not_scanned' })
  const unreported = await fixture.send(ada, file('b.pdf', 'application/pdf', stream.subarray(0, 1.5 * MIB)))
  t.deepEqual(unreported.body.hold, { reason: 'not_scanned' })
})

test.serial('holds files while clamd is down, and scans them afterwards', async t => {
  await stopClamd()
  const clean = await fixture.send(ada, await pngFile())
  const evil = await fixture.send(ada, file('a.pdf', 'application/pdf', `${pdf()}\n${EICAR}`))
  for (const { status, body } of [clean, evil]) {
    t.is(status, 202)
    t.deepEqual(body.hold, { reason: 'scanner_unavailable' })
  }
  clamd = await startClamd()
  fixture.clock.at += 2 * MINUTE
  const after = (id: string) =>
    waitFor(
      async () => (await ada.get(`/v1/media/${id}`)).body.status,
      status => status !== 'processing',
    )
  t.is(await after(clean.body.id), 'ready')
  t.is(await after(evil.body.id), 'rejected')
})

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { createServerProcess, createStream, goLive, openBrowser, openStreamPage } from './fixtures.ts'

const SECRET = 'shared by coturn and Larder'

/** Runs Debian's coturn on a free port until the end of the test. */
async function startTurn(t: ExecutionContext): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-turn-'))
  const port = await freePort()
  const options = [
    '-n',
    '--listening-ip=127.0.0.1',
    '--relay-ip=127.0.0.1',
    `--listening-port=${port}`,
    '--realm=larder',
    '--use-auth-secret',
    `--static-auth-secret=${SECRET}`,
    '--allow-loopback-peers',
    '--no-tls',
    '--no-dtls',
    '--no-cli',
    '--log-file=stdout',
    `--pidfile=${join(folder, 'pid')}`,
    `--userdb=${join(folder, 'db')}`,
  ]
  const turn = spawn('turnserver', options, { cwd: folder, stdio: 'ignore' })
  t.teardown(async () => {
    const gone = once(turn, 'close')
    turn.kill('SIGKILL')
    await gone
    await rm(folder, { recursive: true, force: true })
  })
  await waitForStun(t, port)
  return port
}

/** Waits for a reply to a STUN binding request (RFC 8489): type 1, length 0, the magic cookie, a transaction id of 12 bytes. */
async function waitForStun(t: ExecutionContext, port: number): Promise<void> {
  const socket = createSocket('udp4')
  t.teardown(() => socket.close())
  const request = Buffer.concat([Buffer.from('000100002112a442', 'hex'), randomBytes(12)])
  const replied = once(socket, 'message', { signal: AbortSignal.timeout(60_000) })
  const sending = setInterval(() => socket.send(request, port, '127.0.0.1'), 100)
  await replied.finally(() => clearInterval(sending))
}

test('coturn accepts the credentials and relays the media', async t => {
  const port = await startTurn(t)
  // The older secret of a rotation follows the new one.
  const turn = { urls: [`turn:127.0.0.1:${port}?transport=udp`], secret: `${SECRET},an older one` }
  const server = await createServerProcess(t, { turn })
  await server.start()
  const { id, join_token } = await createStream(server.url)
  const browser = await openBrowser(t, ['--allow-loopback-in-peer-connection'])
  const broadcast = await openStreamPage(browser, `${server.url}/broadcast/${id}?relay#${join_token}`, '#broadcast')
  await goLive(broadcast.page, 'Test pattern')
  const watch = await openStreamPage(browser, `${server.url}/watch/${id}?relay#${join_token}`, '#watch')
  await watch.waitForFrames(15)
  // A connection that is made again has no statistics for a moment.
  for (const side of [broadcast, watch])
    t.is(await waitFor(async () => (await side.stats())[0]?.candidateType), 'relay')
})

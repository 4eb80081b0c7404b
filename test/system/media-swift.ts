/** Debian's OpenStack Swift with its S3 API on free ports of 127.0.0.1: one disk, one replica, verified signatures. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'

export interface Swift {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly client: S3Client
  bucket(name: string): Promise<void>
  /** Stops only the proxy. Stored objects remain. */
  pause(): Promise<void>
  resume(): Promise<void>
  close(): Promise<void>
}

const run = promisify(execFile)
const KINDS = ['account', 'container', 'object'] as const
const KEYS = { accessKeyId: 'larder:tester', secretAccessKey: 'only-the-test-knows-it', region: 'us-east-1' }

export async function startSwift(): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-swift-'))
  const servers: ChildProcess[] = []
  for (const kind of KINDS) servers.push(await backend(folder, kind))
  const port = await freePort()
  await writeFile(join(folder, 'proxy.conf'), proxyConf(folder, port))
  const proxy = () => start('swift-proxy-server', join(folder, 'proxy.conf'))
  let front = proxy()
  const endpoint = `http://127.0.0.1:${port}`
  await waitForOk(`${endpoint}/healthcheck`)
  const { region, ...credentials } = KEYS
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  return {
    endpoint,
    client,
    ...KEYS,
    async bucket(name) {
      await client.send(new CreateBucketCommand({ Bucket: name }))
    },
    pause: () => end(front),
    async resume() {
      front = proxy()
      await waitForOk(`${endpoint}/healthcheck`)
    },
    async close() {
      client.destroy()
      await Promise.all([front, ...servers].map(end))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function start(command: string, conf: string): ChildProcess {
  return spawn(command, [conf], { stdio: 'ignore' })
}

async function backend(folder: string, kind: (typeof KINDS)[number]): Promise<ChildProcess> {
  const port = await freePort()
  const devices = join(folder, 'devices')
  await mkdir(join(devices, 'disk'), { recursive: true })
  const conf = join(folder, `${kind}.conf`)
  await writeFile(
    conf,
    `[DEFAULT]
${common(folder)}
bind_port = ${port}
devices = ${devices}
mount_check = false
[pipeline:main]
pipeline = healthcheck ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
[filter:healthcheck]
use = egg:swift#healthcheck
`,
  )
  const builder = join(folder, `${kind}.builder`)
  const ring = (...words: string[]) => run('swift-ring-builder', [builder, ...words])
  await ring('create', '4', '1', '0')
  await ring('add', `r1z1-127.0.0.1:${port}/disk`, '1')
  await ring('rebalance')
  const server = start(`swift-${kind}-server`, conf)
  await waitForOk(`http://127.0.0.1:${port}/healthcheck`)
  return server
}

const common = (folder: string) => `bind_ip = 127.0.0.1
workers = 0
user = ${process.getuid?.() === 0 ? 'root' : (process.env.USER ?? 'swift')}
swift_dir = ${folder}`

const proxyConf = (folder: string, port: number) => `[DEFAULT]
${common(folder)}
bind_port = ${port}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache s3api tempauth copy proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
# The middleware is required, but works without a server.
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_larder_tester = ${KEYS.secretAccessKey} .admin
[filter:copy]
use = egg:swift#copy
`

async function waitForOk(url: string): Promise<void> {
  await waitFor(async () => (await fetch(url).catch(() => undefined))?.ok === true)
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill('SIGKILL')
  await gone
}

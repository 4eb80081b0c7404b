// Checks that the Debian packages of a kind of tests are installed: `system`, the default, or `cluster`. Fails if any is
// missing; `--missing` lists them.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const SYSTEM = [
  { package: 'redis-server', command: 'redis-server', why: 'Redis for jobs and the bus' },
  { package: 'postgresql', command: 'pg_dump', why: 'backups, and the oldest supported PostgreSQL' },
  { package: 'pgbouncer', command: 'pgbouncer', why: 'a pooler in front of PostgreSQL' },
  { package: 'chromium', command: 'chromium', why: 'a browser' },
  { package: 'clamav-daemon', command: 'clamd', why: 'a virus scanner' },
  { package: 'swift-proxy', command: 'swift-proxy-server', why: 'an S3 server' },
  { package: 'swift-account', command: 'swift-account-server', why: 'an S3 server' },
  { package: 'swift-container', command: 'swift-container-server', why: 'an S3 server' },
  { package: 'swift-object', command: 'swift-object-server', why: 'an S3 server' },
  { package: 'openssl', command: 'openssl', why: 'certificates of webhook receivers' },
  { package: 'nginx', command: 'nginx', why: 'a proxy that compresses' },
  { package: 'systemd', command: 'systemd-analyze', why: 'a check of its units' },
  { package: 'prometheus', command: 'promtool', why: 'a check of the metrics' },
  { package: 'coturn', command: 'turnserver', why: 'a TURN relay for streams' },
  { package: 'debootstrap', command: 'debootstrap', why: 'a bare Debian for the image of the Dockerfile' },
]
const CLUSTER = [
  { package: 'postgresql', command: 'pg_basebackup', why: 'nodes that fail over' },
  { package: 'patroni', command: 'patroni', why: 'failover' },
  { package: 'pgbackrest', command: 'pgbackrest', why: 'point in time recovery' },
  { package: 'etcd-server', command: 'etcd', why: 'the lock of the primary' },
  { package: 'haproxy', command: 'haproxy', why: 'an address that leads to the primary, and a proxy of web processes' },
  { package: 'pgbouncer', command: 'pgbouncer', why: 'a pooler in front of PostgreSQL' },
  { package: 'redis-server', command: 'redis-server', why: 'Redis for jobs and the bus' },
  { package: 'nginx', command: 'nginx', why: 'a proxy of web processes' },
  { package: 'caddy', command: 'caddy', why: 'a proxy of web processes' },
  { package: 'openssl', command: 'openssl', why: 'certificates of the proxies' },
  { package: 'faketime', command: 'faketime', why: 'a clock that is wrong' },
]
const kind = process.argv.includes('cluster') ? 'cluster' : 'system'
const needed = kind === 'cluster' ? CLUSTER : SYSTEM

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
const missing = needed.filter(({ command }) => !folders.some(folder => executable(join(folder, command))))

if (process.argv.includes('--missing')) for (const { package: name } of missing) console.log(name)
else if (missing.length > 0) {
  for (const { package: name, why } of missing) console.error(`The ${kind} tests need ${name}: ${why}.`)
  console.error(
    `Install them: apt-get install --no-install-recommends ${missing.map(entry => entry.package).join(' ')}`,
  )
  process.exitCode = 1
}

function executable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

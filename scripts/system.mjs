// What the system tests need of Debian beside Node. Names what is missing and fails; `--missing` prints its packages.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NEEDED = [
  { package: 'redis-server', command: 'redis-server', why: 'jobs on Redis' },
  { package: 'chromium', command: 'chromium', why: 'pages in a real browser' },
  { package: 'clamav-daemon', command: 'clamd', why: 'files before a real virus scanner' },
  { package: 'swift-proxy', command: 'swift-proxy-server', why: 'files in a real S3' },
  { package: 'swift-account', command: 'swift-account-server', why: 'files in a real S3' },
  { package: 'swift-container', command: 'swift-container-server', why: 'files in a real S3' },
  { package: 'swift-object', command: 'swift-object-server', why: 'files in a real S3' },
  { package: 'openssl', command: 'openssl', why: 'webhooks to a receiver with a certificate' },
  { package: 'coturn', command: 'turnserver', why: 'streams that go through a relay' },
]

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
const missing = NEEDED.filter(({ command }) => !folders.some(folder => executable(join(folder, command))))

if (process.argv.includes('--missing')) for (const { package: name } of missing) console.log(name)
else if (missing.length > 0) {
  for (const { package: name, why } of missing) console.error(`The system tests need ${name}: ${why}.`)
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

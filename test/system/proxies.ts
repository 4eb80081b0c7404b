/** Debian's nginx, Caddy and HAProxy with the files of `deploy`, on a free port, in front of web processes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, fetch } from 'undici'
import { writeCertificate } from '../fixtures/certificate.ts'
import { deployFile } from '../fixtures/deploy-file.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'

export interface TlsProxy {
  /** `https://127.0.0.1:PORT`, with the certificate `ca`. */
  readonly url: string
  /** PEM */
  readonly ca: string
  /** Trusts `ca`. */
  readonly fetch: typeof fetch
  close(): Promise<void>
}

/** @param target `http://127.0.0.1:8080` of each web process. */
type Targets = readonly [target: string, ...others: string[]]

/** @param directives of the section `http`, such as `gzip on;`. */
export const startNginx = (targets: Targets, directives = ''): Promise<TlsProxy> =>
  startProxy(async ({ folder, port, key, certificate }) => {
    const site = await deployFile('nginx/larder.conf', {
      // The server that redirects to HTTPS.
      'listen 80;': `listen unix:${folder}/redirect.sock;`,
      'listen [::]:80;': '',
      'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl http2;`,
      'listen [::]:443 ssl http2;': '',
      'server 127.0.0.1:8080 max_fails=1 fail_timeout=2s;': targets
        .map(target => `server ${new URL(target).host} max_fails=1 fail_timeout=2s;`)
        .join('\n'),
      '/etc/letsencrypt/live/app.example.com/fullchain.pem': certificate,
      '/etc/letsencrypt/live/app.example.com/privkey.pem': key,
    })
    const file = join(folder, 'nginx.conf')
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      name => `${name}_temp_path ${folder}/${name};`,
    )
    await writeFile(join(folder, 'larder.conf'), site)
    await writeFile(
      file,
      `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${paths.join('\n  ')}
  ${directives}
  include ${folder}/larder.conf;
}
`,
    )
    return { command: 'nginx', args: ['-p', folder, '-c', file, '-e', 'stderr'], stop: 'SIGQUIT' }
  })

export const startCaddy = (targets: Targets): Promise<TlsProxy> =>
  startProxy(async ({ folder, port, key, certificate }) => {
    const site = await deployFile('caddy/Caddyfile', {
      'app.example.com {': `https://127.0.0.1:${port} {\n\ttls ${certificate} ${key}`,
      'reverse_proxy 127.0.0.1:8080 {': `reverse_proxy ${targets.map(target => new URL(target).host).join(' ')} {`,
      ...(targets.length > 1 && { '# health_': 'health_' }),
    })
    const file = join(folder, 'Caddyfile')
    await writeFile(
      file,
      `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}\n}\n\n${site}`,
    )
    return { command: 'caddy', args: ['run', '--config', file, '--adapter', 'caddyfile'], stop: 'SIGTERM' }
  })

export const startHaproxy = (targets: Targets): Promise<TlsProxy> =>
  startProxy(async ({ folder, port, key, certificate }) => {
    const pair = join(folder, 'app.pem')
    await writeFile(pair, `${await readFile(certificate, 'utf8')}${await readFile(key, 'utf8')}`)
    const site = await deployFile('haproxy/web.cfg', {
      'bind :443': `bind 127.0.0.1:${port}`,
      '/etc/haproxy/app.pem': pair,
      '  server web1 127.0.0.1:8081\n': targets
        .map((target, at) => `  server web${at + 1} ${new URL(target).host}\n`)
        .join(''),
      '  server web2 127.0.0.1:8082\n': '',
    })
    const file = join(folder, 'haproxy.cfg')
    await writeFile(file, site)
    return { command: 'haproxy', args: ['-db', '-f', file], stop: 'SIGTERM' }
  })

interface Place {
  readonly folder: string
  readonly port: number
  /** Path of the file. */
  readonly key: string
  readonly certificate: string
}
interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly stop: NodeJS.Signals
}

async function startProxy(prepare: (place: Place) => Promise<Program>): Promise<TlsProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-proxy-'))
  const port = await freePort()
  const files = await writeCertificate(folder)
  const { command, args, stop } = await prepare({ folder, port, ...files })
  const ca = await readFile(files.certificate, 'utf8')
  const dispatcher = new Agent({ connect: { ca } })
  const trusting: typeof fetch = (input, init) => fetch(input, { ...init, dispatcher })
  const url = `https://127.0.0.1:${port}`
  const child: ChildProcess = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder, PATH: `${process.env.PATH}:/usr/sbin` },
  })
  let said = ''
  child.stderr?.on('data', text => {
    said = `${said}${text}`.slice(-10_000)
  })
  const ended = once(child, 'close')
  await waitFor(() => {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${said}`)
    return trusting(url).then(
      () => true,
      () => false,
    )
  })
  return {
    url,
    ca,
    fetch: trusting,
    async close() {
      await dispatcher.destroy()
      child.kill(stop)
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

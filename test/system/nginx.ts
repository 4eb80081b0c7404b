/** Debian's nginx on a free port, in front of a server. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'

export interface Nginx {
  readonly url: string
  close(): Promise<void>
}

/** @param directives of the section `http`, such as `gzip on;`. */
export async function startNginx(target: string, directives: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`)
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
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${target}; proxy_http_version 1.1; }
  }
}
`,
  )
  const url = `http://127.0.0.1:${port}`
  const child: ChildProcess = spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  })
  await waitFor(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  )
  return {
    url,
    async close() {
      const ended = once(child, 'exit')
      child.kill('SIGQUIT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

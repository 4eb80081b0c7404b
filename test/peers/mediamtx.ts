/** MediaMTX with the configuration and the environment of docs/streams.md, on free ports of 127.0.0.1. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { freePort } from '../fixtures/free-port.ts'
import { goProgram, PROGRAMS } from './programs.ts'
import { startPeer } from './server.ts'

const program = process.env.MEDIAMTX_BIN ?? (await goProgram(PROGRAMS.mediamtx))

export interface MediaMtx {
  readonly api: string
  readonly webrtc: string
  readonly hls: string
  readonly moq: string
  /** The address for each protocol of encoders, without a path. */
  readonly rtmp: string
  readonly rtsp: string
  readonly srt: string
  stop(): Promise<void>
}

export interface MediaMtxOptions {
  /** URL of Larder. */
  readonly larder: string
  readonly secret: string
  /** Changes the documented text. */
  readonly yaml?: (text: string) => string
}

export async function startMediaMtx({ larder, secret, yaml = text => text }: MediaMtxOptions): Promise<MediaMtx> {
  const ports = new Map<string, number>()
  for (const name of ['api', 'webrtc', 'webrtcLocalUDP', 'hls', 'rtmp', 'rtsp', 'srt', 'moq'])
    ports.set(name, await freePort())
  const url = (scheme: string, name: string) => `${scheme}://127.0.0.1:${ports.get(name)}`
  const { text, env } = documented()
  const settings = yaml(text)
    .replace(/^(\w+)Address: [^"\n]+$/gm, (line, name) =>
      ports.has(name) ? `${name}Address: 127.0.0.1:${ports.get(name)}` : line,
    )
    // Browsers connect to one address, by TCP and by UDP.
    .concat(`moqHTTP2Address: 127.0.0.1:${ports.get('moq')}\nmoqHTTP3Address: 127.0.0.1:${ports.get('moq')}\n`)
    .concat(`moqQUICAddress: 127.0.0.1:${await freePort()}\n`)
  const api = url('http', 'api')
  const { close } = await startPeer({
    path: program,
    async args(folder) {
      await writeFile(join(folder, 'mediamtx.yml'), settings)
      return ['mediamtx.yml']
    },
    env: env(larder, secret),
    isReady: async () => (await fetch(`${api}/v3/paths/list`)).status > 0,
  })
  return {
    api,
    webrtc: url('http', 'webrtc'),
    hls: url('http', 'hls'),
    moq: url('https', 'moq'),
    rtmp: url('rtmp', 'rtmp'),
    rtsp: url('rtsp', 'rtsp'),
    srt: url('srt', 'srt'),
    stop: close,
  }
}

/** What the page tells its readers to copy. */
function documented() {
  const page = readFileSync(new URL('docs/streams.md', packageRoot), 'utf8')
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const [, variables = ''] = /MediaMTX reads three variables:\n\n((?: {4}.+\n)+)/.exec(page) ?? []
  return {
    text,
    env: (larder: string, secret: string) =>
      Object.fromEntries(
        [...variables.matchAll(/^ +(\w+)=(.*)$/gm)].map(([, name, value = '']) => [
          name,
          value.replace(/\bSECRET\b/, encodeURIComponent(secret)).replace('127.0.0.1:8080', new URL(larder).host),
        ]),
      ),
  }
}

export interface Running {
  readonly ended: Promise<void>
  end(): void
}

export function ffmpeg(options: readonly string[]): Running {
  const child = spawn('ffmpeg', ['-v', 'error', ...options], { stdio: 'ignore' })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  return { ended, end: () => void child.kill('SIGKILL') }
}

const PICTURE = [
  '-re',
  '-f',
  'lavfi',
  '-i',
  'testsrc=size=320x180:rate=15',
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-tune',
  'zerolatency',
  '-g',
  '15',
  '-pix_fmt',
  'yuv420p',
]
export type Encoder = 'rtmp' | 'rtsp' | 'srt'

/** Publishes a test picture to the address that docs/streams.md has. */
export function publish(edge: MediaMtx, path: string, token: string, protocol: Encoder = 'rtmp'): Running {
  const outputs: Readonly<Record<Encoder, readonly string[]>> = {
    rtmp: ['-f', 'flv', `${edge.rtmp}/${path}?join_token=${token}`],
    rtsp: ['-f', 'rtsp', '-rtsp_transport', 'tcp', `${edge.rtsp}/${path}?token=${token}`],
    srt: ['-f', 'mpegts', `${edge.srt}?streamid=publish:${path}:x:${token}&pkt_size=1316`],
  }
  return ffmpeg([...PICTURE, ...outputs[protocol]])
}

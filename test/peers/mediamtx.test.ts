/** The cases of the double against MediaMTX itself, if `MEDIAMTX_BIN` names a binary. Needs ffmpeg and curl. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { waitFor } from '../fixtures/wait.ts'
import { environmentOf } from '../modules/streams/services/edge-fixtures.ts'
import { cases, type Server } from '../modules/streams/services/mediamtx-cases.ts'
import { binary, mediaMtxYaml, run } from './mediamtx.ts'

const PATTERN = ['-re', '-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=15']
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '15', '-pix_fmt', 'yuv420p']

async function start(larder: string, yaml: (text: string) => string): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-mediamtx-'))
  const { text, ports } = await mediaMtxYaml(yaml)
  await writeFile(join(folder, 'mediamtx.yml'), text)
  const started = [run(binary, [join(folder, 'mediamtx.yml')], environmentOf(larder, 'secret'))]
  const address = (port: number) => `http://127.0.0.1:${port}`
  await waitFor(() =>
    fetch(`${address(ports.api)}/v3/paths/list`).then(
      () => true,
      () => false,
    ),
  )
  const ffmpeg = (options: readonly string[]) => {
    const running = run('ffmpeg', ['-v', 'error', ...options])
    started.push(running)
    return running.end
  }
  return {
    ...{ api: address(ports.api), webrtc: address(ports.webrtc), hls: address(ports.hls) },
    publish: (path, token) =>
      ffmpeg([...PATTERN, ...H264, '-f', 'flv', `rtmp://127.0.0.1:${ports.rtmp}/${path}?join_token=${token}`]),
    play: (path, token) =>
      ffmpeg([
        '-rtsp_transport',
        'tcp',
        '-i',
        `rtsp://127.0.0.1:${ports.rtsp}/${path}?token=${token}`,
        '-f',
        'null',
        '-',
      ]),
    async stop() {
      for (const { end } of started) end()
      await Promise.all(started.map(({ ended }) => ended))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

if (binary === '') test.skip('MediaMTX: set MEDIAMTX_BIN to a binary', t => t.pass())
else for (const [title, check] of Object.entries(cases)) test.serial(`MediaMTX ${title}`, t => check(t, start))

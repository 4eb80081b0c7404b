/** Runs MediaMTX with the shipped configuration on free ports of 127.0.0.1. */
import { spawn } from 'node:child_process'
import { SHIPPED } from '../modules/streams/services/edge-fixtures.ts'
import { freePort } from '../system/fixtures.ts'

export const binary = process.env.MEDIAMTX_BIN ?? ''

export function run(command: string, options: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(command, options, { stdio: 'ignore', env: { ...process.env, ...env } })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  return { ended, end: () => void child.kill('SIGKILL') }
}

/** With RTMP and RTSP. @param change of the shipped text */
export async function mediaMtxYaml(change: (text: string) => string = text => text) {
  const [api = 0, webrtc = 0, udp = 0, hls = 0, rtmp = 0, rtsp = 0] = await Promise.all(
    Array.from({ length: 6 }, freePort),
  )
  const ports = { api, webrtc, udp, hls, rtmp, rtsp }
  const addresses: Readonly<Record<string, number>> = {
    ...{ apiAddress: api, webrtcAddress: webrtc, webrtcLocalUDPAddress: udp },
    ...{ hlsAddress: hls, rtmpAddress: rtmp, rtspAddress: rtsp },
  }
  const text = change(SHIPPED.replace(/^(rtmp|rtsp): no$/gm, '$1: yes')).replace(
    /^(\w+Address): .*$/gm,
    (line, name) => (addresses[name] ? `${name}: 127.0.0.1:${addresses[name]}` : line),
  )
  return { text, ports }
}

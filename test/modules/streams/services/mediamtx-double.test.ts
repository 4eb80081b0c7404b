import test from 'ava'
import { environmentOf, WITH_ENCODERS } from './edge-fixtures.ts'
import { cases, type Server } from './mediamtx-cases.ts'
import { startMediaMtxDouble } from './mediamtx-double.ts'

/** Where the addresses of the media record have the token. */
const CREDENTIALS = {
  rtmp: (token: string) => ({ query: `join_token=${token}` }),
  rtsp: (token: string) => ({ query: `token=${token}` }),
  srt: (token: string) => ({ user: 'x', password: token }),
  moq: (token: string) => ({ query: `join_token=${token}` }),
}

async function start(larder: string, yaml: (text: string) => string): Promise<Server> {
  const double = await startMediaMtxDouble()
  double.configure(yaml(WITH_ENCODERS), environmentOf(larder, 'secret'))
  const ending = (connecting: ReturnType<typeof double.publish>) => () =>
    void connecting.then(result => typeof result !== 'string' && double.close(result.id))
  return {
    api: double.api,
    webrtc: double.media,
    hls: double.media,
    stop: double.stop,
    publish: (path, token, protocol = 'rtmp') => ending(double.publish(path, CREDENTIALS[protocol](token), protocol)),
    play: (path, token, protocol = 'rtsp') => ending(double.play(path, CREDENTIALS[protocol](token), protocol)),
  }
}

for (const [title, run] of Object.entries(cases)) test(`the double of MediaMTX ${title}`, t => run(t, start))

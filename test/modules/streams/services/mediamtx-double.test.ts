import test from 'ava'
import { environmentOf, SHIPPED } from './edge-fixtures.ts'
import { cases, type Server } from './mediamtx-cases.ts'
import { startMediaMtxDouble } from './mediamtx-double.ts'

const WITH_RTMP_AND_RTSP = SHIPPED.replace(/^(rtmp|rtsp): no$/gm, '$1: yes')

async function start(larder: string, yaml: (text: string) => string): Promise<Server> {
  const double = await startMediaMtxDouble()
  double.configure(yaml(WITH_RTMP_AND_RTSP), environmentOf(larder, 'secret'))
  const ending = (connecting: ReturnType<typeof double.publish>) => () =>
    void connecting.then(result => typeof result !== 'string' && double.close(result.id))
  return {
    ...{ api: double.api, webrtc: double.media, hls: double.media, stop: double.stop },
    publish: (path, token) => ending(double.publish(path, { query: `join_token=${token}` })),
    play: (path, token) => ending(double.play(path, { query: `token=${token}` })),
  }
}

for (const [title, run] of Object.entries(cases)) test(`the double of MediaMTX ${title}`, t => run(t, start))

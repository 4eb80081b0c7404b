import { OneOf, type Static, Type, urlPattern } from '@larder-dev/larder/kernel'

const Url = (description: string) => Type.Optional(Type.String({ format: 'uri', pattern: '^https?://.+', description }))
/** May be empty, so that a recipe can take it from the environment. */
const Address = (scheme: string, description: string) =>
  Type.Optional(Type.String({ pattern: urlPattern(scheme), description }))

export const StreamsOptions = Type.Object(
  {
    edge: Type.Optional(
      Type.Object(
        {
          provider: Type.Optional(OneOf(['mediamtx'])),
          webrtcUrl: Url('Public URL of WHIP and WHEP (http://localhost:8889)'),
          hlsUrl: Url('Public URL of HLS (http://localhost:8888)'),
          rtmpUrl: Address('rtmps?', 'Public URL of RTMP, if the edge accepts it (rtmp://edge.example.com)'),
          rtspUrl: Address('rtsps?', 'Public URL of RTSP, if the edge accepts it (rtsp://edge.example.com:8554)'),
          srtUrl: Address('srt', 'Public URL of SRT, if the edge accepts it (srt://edge.example.com:8890)'),
          apiUrl: Url('Control API of the edge, which closes connections (http://localhost:9997)'),
          secret: Type.Optional(
            Type.String({
              writeOnly: true,
              description:
                'Password of the hooks; newest first, comma-separated during a rotation. Without it, the edge is off',
            }),
          ),
          prefix: Type.Optional(Type.String({ pattern: '^([\\w-]+/)*$', description: 'Prefix of each path (live/)' })),
        },
        { additionalProperties: false, description: 'Media server that ingests and plays streams' },
      ),
    ),
    requireAccept: Type.Optional(
      Type.Boolean({ description: 'Keep viewers waiting until the session is accepted (false)' }),
    ),
  },
  { additionalProperties: false },
)
export type StreamsOptions = Static<typeof StreamsOptions>

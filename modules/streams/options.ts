import { OneOf, type Static, Type } from 'larder/kernel'

const Address = (description: string) => Type.Optional(Type.String({ pattern: '^https?://.+', description }))

export const StreamsOptions = Type.Object(
  {
    edge: Type.Optional(
      Type.Object(
        {
          provider: Type.Optional(OneOf(['mediamtx'])),
          webrtcUrl: Address('Where browsers reach WHIP and WHEP (http://localhost:8889)'),
          hlsUrl: Address('Where players reach HLS (http://localhost:8888)'),
          apiUrl: Address("The edge's own API, for kicking (http://localhost:9997)"),
          secret: Type.Optional(
            Type.String({
              writeOnly: true,
              description: 'In the query of the hooks; newest first, separated by commas during a rotation',
            }),
          ),
          prefix: Type.Optional(Type.String({ pattern: '^([\\w-]+/)*$', description: 'Before each path (live/)' })),
        },
        { additionalProperties: false, description: 'The media server that takes and plays streams' },
      ),
    ),
    requireAccept: Type.Optional(
      Type.Boolean({ description: 'Viewers wait, connected, until the session is accepted (false)' }),
    ),
  },
  { additionalProperties: false },
)
export type StreamsOptions = Static<typeof StreamsOptions>

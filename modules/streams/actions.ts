/** What automations can do with streams. */
import { action, type Deps, OneOf, secretValue, Type } from '@larder-dev/larder/kernel'
import { MAX_TTL_SECONDS, PROFILES } from './domain/values.ts'
import { Visibility } from './records/served-stream.ts'

export const actions = {
  create: action({
    title: { en: 'Create a stream', de: 'Stream erstellen' },
    description: {
      en: 'Creates a stream, private by default, whose join token the workspace rotates to read it; `sessions.end` ends it',
      de: 'Erstellt einen Stream, standardmäßig privat, dessen Token der Workspace erneuert, um ihn zu lesen; `sessions.end` beendet ihn',
    },
    input: Type.Object(
      {
        title: Type.Optional(Type.String({ maxLength: 255 })),
        description: Type.Optional(Type.String({ maxLength: 2000 })),
        visibility: Type.Optional(Visibility),
        tags: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { maxItems: 10, uniqueItems: true }),
        ),
        customer: Type.Optional(Type.String({ maxLength: 255, description: 'Your reference for the stream' })),
        stream_profile: Type.Optional(OneOf(PROFILES)),
        ttl_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TTL_SECONDS })),
      },
      { additionalProperties: false },
    ),
    // The join token stays out of it, and runs don't show the code, which people join with.
    output: Type.Object({
      id: Type.String(),
      code: secretValue(Type.String()),
      media_path: Type.String(),
      expires_at: Type.String({ format: 'date-time' }),
    }),
    effects: 'database',
    check: () => ({ events: ['sessions.session.created'] }),
    async run({ streams }: Deps<'streams'>, input, { tenantId }) {
      const { id, code, media_path, expires_at } = await streams.create(tenantId, input)
      return { id, code, media_path, expires_at }
    },
  }),
}

/** What automations can do with sessions. */
import { action, common, type Deps, literalValue, Problem, secretValue, Type } from '@larder-dev/larder/kernel'
import { NewSession } from './records.ts'
import type { SessionTransitions } from './services/session-transitions.ts'

const { webhook_url: webhookUrl, ...given } = NewSession.properties
const Ended = Type.Object({ id: Type.String(), status: Type.String() })

export const actions = {
  create: action({
    title: { en: 'Create a session', de: 'Sitzung erstellen' },
    description: {
      en: 'Creates a session that people join with a token; the workspace rotates the token to read it',
      de: 'Erstellt eine Sitzung, der man mit einem Token beitritt; der Workspace erneuert den Token, um ihn zu lesen',
    },
    // Sessions send their events to this URL.
    input: Type.Object({ ...given, webhook_url: literalValue(webhookUrl) }, { additionalProperties: false }),
    // The join token stays out of it, and runs don't show the code, which people join with.
    output: Type.Object({
      id: Type.String(),
      code: secretValue(Type.String()),
      expires_at: Type.String({ format: 'date-time' }),
    }),
    effects: 'database',
    check: () => ({ events: ['sessions.session.created'] }),
    async run({ sessions }: Deps<'sessions'>, input, { tenantId }) {
      const { id, code, expires_at } = await sessions.create(tenantId, input)
      return { id, code, expires_at }
    },
  }),

  end: action({
    title: { en: 'End a session', de: 'Sitzung beenden' },
    description: {
      en: 'Ends a session; does nothing if it has ended or expired',
      de: 'Beendet eine Sitzung; tut nichts, wenn sie beendet oder abgelaufen ist',
    },
    input: Type.Object(
      {
        session: Type.String({
          maxLength: 64,
          description: 'ID of the session',
          examples: ['$event.payload.session_id'],
        }),
      },
      { additionalProperties: false },
    ),
    output: Ended,
    effects: 'database',
    check: () => ({ events: ['sessions.session.ended'] }),
    async run(
      { sessions, transitions }: Deps<'sessions'> & { readonly transitions: SessionTransitions },
      { session: id },
      { tenantId },
    ) {
      const { status } = await transitions.end(tenantId, id).catch(error => {
        if (Problem.is(error) && error.code === common.invalid_state.code) return sessions.get(tenantId, id)
        throw error
      })
      return { id, status }
    },
  }),
}

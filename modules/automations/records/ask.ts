/** Questions of runs in replies. */
import {
  idPattern,
  type LocalText,
  listOf,
  Nullable,
  named,
  type RecordOf,
  Time,
  Type,
  table,
} from '@larder-dev/larder/kernel'

const ask = {
  id: Type.String({ pattern: idPattern('ask') }),
  runId: Type.String(),
  automation: Type.String({ description: 'Its key in the recipe' }),
  role: Type.String({ description: 'Members with this role can answer' }),
  choices: Type.Array(Type.String(), { description: 'The answers' }),
  expiresAt: Time,
  choice: Nullable(Type.String({ description: 'Null without an answer' })),
  answeredBy: Nullable(Type.String({ description: 'User ID' })),
  answeredAt: Nullable(Type.Unsafe<Date>({ ...Time, description: 'When it was answered, or its time was over' })),
  createdAt: Time,
}

export const askTable = table('automations_asks', Type.Object(ask), {
  what: 'question',
  hidden: { tenantId: Type.String(), position: Type.Integer(), text: Type.Unsafe<LocalText>({ type: 'object' }) },
})
export type AskRecord = RecordOf<typeof askTable>

export const Ask = named(
  'AutomationAsk',
  Type.Object({ ...ask, text: Type.String({ description: 'In the language of the request' }) }),
)
export const AskList = listOf(Ask)

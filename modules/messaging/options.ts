import { DURATION_PATTERN, MINUTE, milliseconds, OneOf, type Static, Type } from '@larder-dev/larder/kernel'

export const MessagingOptions = Type.Object(
  {
    notifyAfter: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        description: 'Delay of the email reminder of unread messages (10m); 0s disables reminders',
      }),
    ),
    maxParticipants: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 1000,
        description: 'Maximum number of participants in a conversation (100)',
      }),
    ),
    support: Type.Optional(
      Type.Union([OneOf(['operator', 'workspace']), Type.Literal(false)], {
        description:
          "Who answers support conversations: the operator's team, or members of the workspace of those who ask (operator); false for nobody",
      }),
    ),
  },
  { additionalProperties: false },
)
export type MessagingOptions = Static<typeof MessagingOptions>

const DEFAULT_REMINDER_DELAY_MS = 10 * MINUTE
const DEFAULT_MAX_PARTICIPANTS = 100

/** Who answers support conversations. Null if members can't start any. */
export const supportOf = ({ support = 'operator' }: MessagingOptions): 'operator' | 'workspace' | null =>
  support || null

/** Null if reminders are disabled. */
export function reminderDelayMs({ notifyAfter }: MessagingOptions): number | null {
  const delay = notifyAfter === undefined ? DEFAULT_REMINDER_DELAY_MS : milliseconds(notifyAfter)
  return delay === 0 ? null : delay
}
export const maxParticipantsOf = (options: MessagingOptions): number =>
  options.maxParticipants ?? DEFAULT_MAX_PARTICIPANTS

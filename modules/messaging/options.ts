import { DURATION_PATTERN, MINUTE, milliseconds, type Static, Type } from 'larder/kernel'

export const MessagingOptions = Type.Object(
  {
    notifyAfter: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        description: 'A reader who has not read a message for so long gets a mail (10m); 0s: nobody gets mail',
      }),
    ),
    maxParticipants: Type.Optional(
      Type.Integer({ minimum: 2, maximum: 1000, description: 'People in one conversation (100)' }),
    ),
  },
  { additionalProperties: false },
)
export type MessagingOptions = Static<typeof MessagingOptions>

const STANDARD_DELAY = 10 * MINUTE
const STANDARD_SIZE = 100

/** Milliseconds until a mail goes out; null where none does. */
export function notifyDelay({ notifyAfter }: MessagingOptions): number | null {
  const delay = notifyAfter === undefined ? STANDARD_DELAY : milliseconds(notifyAfter)
  return delay === 0 ? null : delay
}
export const maxParticipants = (options: MessagingOptions): number => options.maxParticipants ?? STANDARD_SIZE

/** What the page of a conversation shows. Pure. */
import type { Message } from '../records/message.ts'

/** The initials of a name or an email address: `Ada King Lovelace` → `AL`, `ada@example.test` → `A`. Pure. */
function initialsOf(nameOrEmail: string): string {
  const [name = ''] = nameOrEmail.split('@')
  const letters = name.split(/[\s._-]+/u).flatMap(word => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  return letters.length > 1
    ? `${letters[0]}${letters.at(-1)}`.toLocaleUpperCase()
    : (letters[0] ?? '?').toLocaleUpperCase()
}

type NameOf = (userId: string) => string
export interface Reader {
  readonly userId: string
  readonly lastReadSeq: number
}

/** Messages of the same sender within this time share one avatar and name. */
const GROUP_MS = 5 * 60_000

/** Oldest first. Days are in UTC. */
export function toMessages(messages: readonly Message[], callerId: string, nameOf: NameOf) {
  return messages.map((message, at) => {
    const before = messages[at - 1]
    const isNewDay = before === undefined || dayOf(before) !== dayOf(message)
    const sender = nameOf(message.senderId)
    return {
      ...message,
      // The attribute `datetime` needs text; rows have dates.
      createdAt: new Date(message.createdAt).toISOString(),
      sender,
      initials: initialsOf(sender),
      mine: message.senderId === callerId,
      gone: message.deletedAt !== null,
      firstOfDay: isNewDay,
      continued:
        !isNewDay &&
        before.senderId === message.senderId &&
        Number(new Date(message.createdAt)) - Number(new Date(before.createdAt)) < GROUP_MS,
    }
  })
}

const dayOf = ({ createdAt }: Message): string => new Date(createdAt).toISOString().slice(0, 10)

/** Names of the others who have read the newest message, if it is the caller's. */
export function seenBy(
  newest: Message | undefined,
  readers: readonly Reader[],
  callerId: string,
  nameOf: NameOf,
): string | null {
  if (newest === undefined || newest.senderId !== callerId) return null
  const names = readers
    .filter(({ userId, lastReadSeq }) => userId !== callerId && lastReadSeq >= newest.seq)
    .map(({ userId }) => nameOf(userId))
  return names.length === 0 ? null : names.join(', ')
}

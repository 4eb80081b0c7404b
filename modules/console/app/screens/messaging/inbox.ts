/** The data of the inbox, and pure helpers. */
import { type Api, folded, HOUR, MINUTE } from '@larder-dev/larder/console'

export const INBOX_TOPIC = 'messaging.inbox'

export const VIEWS = ['open', 'mine', 'unassigned', 'snoozed', 'resolved'] as const
export type View = (typeof VIEWS)[number]
export const isView = (value: unknown): value is View => VIEWS.some(view => view === value)

/** Query parameters of a view. */
export function queryOf(view: View, words: string) {
  const status = view === 'snoozed' || view === 'resolved' ? view : 'open'
  const assignee = view === 'mine' ? 'me' : view === 'unassigned' ? 'none' : ''
  return { 'filter[status]': status, 'filter[assignee]': assignee, q: words.trim() } as const
}

export const nameOf = ({ name, email }: Api.InboxPerson): string | null => name ?? email

/** `Ada King Lovelace` → `AL`. */
export function initialsOf(name: string): string {
  const letters = name.split(/[\s@._-]+/u).flatMap(word => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  return `${letters[0] ?? '?'}${letters.length > 1 && !name.includes('@') ? letters.at(-1) : ''}`.toUpperCase()
}

/** Messages of the same sender within this time share one name. */
const GROUP_MS = 5 * MINUTE

export interface ShownMessage extends Api.Message {
  readonly isFirstOfDay: boolean
  readonly isContinued: boolean
  readonly isFromSupport: boolean
}

/** @param messages oldest first. Days are those of the viewer. */
export function toShown(messages: readonly Api.Message[], participantIds: readonly string[]): readonly ShownMessage[] {
  return messages.map((message, index) => {
    const before = messages[index - 1]
    const at = new Date(message.createdAt)
    const isFirstOfDay = before === undefined || new Date(before.createdAt).toDateString() !== at.toDateString()
    return {
      ...message,
      isFirstOfDay,
      isContinued:
        !isFirstOfDay &&
        before.senderId === message.senderId &&
        at.getTime() - new Date(before.createdAt).getTime() < GROUP_MS,
      isFromSupport: !participantIds.includes(message.senderId),
    }
  })
}

/** Fills the placeholders of a saved reply. */
export const fillReply = (body: string, names: { readonly name: string; readonly agent: string }): string =>
  body.replace(/\{(name|agent)\}/g, (_, key: 'name' | 'agent') => names[key])

const MAX_SUGGESTIONS = 6

/** The `/shortcut` that ends at the cursor, without the slash; null if there is none. */
export const shortcutAt = (text: string, cursor: number): string | null =>
  /(?:^|\s)\/([\p{L}\p{N}_-]*)$/u.exec(text.slice(0, cursor))?.[1] ?? null

/** Replies whose shortcut starts with the words or whose title contains them, exact shortcuts first. */
export function findReplies(replies: readonly Api.SavedReply[], words: string): readonly Api.SavedReply[] {
  const wanted = folded(words)
  const rank = ({ shortcut, title }: Api.SavedReply): number =>
    shortcut === wanted ? 0 : shortcut?.startsWith(wanted) ? 1 : folded(title).includes(wanted) ? 2 : 3
  return replies
    .map(reply => ({ reply, rank: rank(reply) }))
    .filter(found => found.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ reply }) => reply)
}

/** Replaces the `/shortcut` before the cursor. Returns the text and the new cursor. */
export function insertReply(text: string, cursor: number, reply: string): { text: string; cursor: number } {
  const words = shortcutAt(text, cursor)
  const start = words === null ? cursor : cursor - words.length - 1
  return { text: text.slice(0, start) + reply + text.slice(cursor), cursor: start + reply.length }
}

const MORNING_HOUR = 9
const MONDAY = 1

/** Times until which a conversation can be snoozed, in the time zone of the viewer. */
export function snoozeTimes(now: Date): Readonly<Record<'hour' | 'tomorrow' | 'monday', Date>> {
  const morning = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR)
  return {
    hour: new Date(now.getTime() + HOUR),
    tomorrow: morning(1),
    monday: morning((7 + MONDAY - now.getDay()) % 7 || 7),
  }
}

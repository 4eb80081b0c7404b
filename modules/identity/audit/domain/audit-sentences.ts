/** Audit entries in sentences. */
import { defineTexts, type Ports } from '@larder-dev/larder/kernel'
import type { AuditAction, AuditActions, AuditRecord } from '../../ports.ts'

const WORDS = defineTexts({ system: 'the system', someone: 'someone' })
/**
 * Users without a name: whose names the reader may not read, who left the workspace, whose account was deleted. The second
 * text is for one beside whom the sentence names another. German sentences need them in the nominative or accusative.
 */
export const NAMELESS = {
  user: defineTexts(['a user', 'another user']),
  former: defineTexts(['a former member', 'another former member']),
  deleted: defineTexts(['a deleted person', 'another deleted person']),
} as const
export type Nameless = (typeof NAMELESS)[keyof typeof NAMELESS]
const IS_PERSON = /^(usr|mem)_/

/** The actions of all modules. */
export const auditActionsOf = (registry: Ports['registry']): AuditActions =>
  Object.assign({}, ...registry.collect<AuditActions>('auditActions').map(({ value }) => value))

/** IDs of the users that an entry names. */
export const usersOf = ({ actor, subject, details: { userId } }: AuditRecord): string[] =>
  [actor.userId, userId, subject?.startsWith('usr_') ? subject : null].filter(id => typeof id === 'string')

/**
 * Says what happened, and which values the sentence contains.
 * @param names of users by their ID
 * @param nameless one of `NAMELESS`
 */
export function sentenceOf(
  entry: AuditRecord,
  action: AuditAction | undefined,
  names: ReadonlyMap<string, string>,
  nameless: Nameless,
  translate: (text: string) => string,
): { readonly summary: string; readonly said: readonly string[] } {
  const { actor, details } = entry
  const word = (text: string): Said => ({ text: translate(text), isWord: true })
  const name = (text: string): Said => ({ text, isWord: false })
  const known = actor.userId === null ? undefined : names.get(actor.userId)
  const who = actor.userId === null ? word(WORDS.system) : known === undefined ? word(nameless[0]) : name(known)
  const operator = typeof details.operator === 'string' ? name(details.operator) : word(WORDS.someone)
  const values = [who, aboutOf(entry, names, nameless, { word, name }), operator]
  const sentence = action ? translate(wordingOf(entry, action)) : `{0}: ${entry.action}`
  return {
    summary: sentence.replace(/\{(\d)\}/g, (_, at: string, place: number) => {
      const { text = '', isWord } = values[Number(at)] ?? {}
      return isWord && place === 0 ? text.charAt(0).toUpperCase() + text.slice(1) : text
    }),
    said: values.filter((_, at) => sentence.includes(`{${at}}`)).map(({ text }) => text),
  }
}

const wordingOf = ({ actor, subject, details }: AuditRecord, { sentence, ofOneself }: AuditAction): string =>
  ofOneself !== undefined && actor.userId !== null && actor.userId === (details.userId ?? subject)
    ? ofOneself
    : sentence

/** A part of a sentence. A name or an address keeps its letters at the beginning of a sentence, a word doesn't. */
interface Said {
  readonly text: string
  readonly isWord: boolean
}

function aboutOf(
  { actor, details, subject }: AuditRecord,
  names: ReadonlyMap<string, string>,
  nameless: Nameless,
  { word, name }: Record<'word' | 'name', (text: string) => Said>,
): Said {
  for (const value of [details.email, details.name, details.domain]) if (typeof value === 'string') return name(value)
  for (const id of [details.userId, subject]) {
    const known = typeof id === 'string' ? names.get(id) : undefined
    if (known !== undefined) return name(known)
  }
  if (typeof details.userId === 'string' || (subject !== null && IS_PERSON.test(subject))) {
    const { userId } = actor
    const isOther = userId !== null && !names.has(userId) && userId !== (details.userId ?? subject)
    return word(nameless[isOther ? 1 : 0])
  }
  // An invitation of an entry without its address.
  return subject === null || subject.startsWith('inv_') ? word(WORDS.someone) : name(subject)
}

/** Audit entries in sentences. */
import { defineTexts, type Ports } from '@larder-dev/larder/kernel'
import type { AuditAction, AuditActions, AuditRecord } from '../../ports.ts'

const WORDS = defineTexts({ system: 'The system', someone: 'someone' })
/** Users without a name: whose names the reader may not read, who left the workspace, whose account was deleted. */
export const NAMELESS = defineTexts({ user: 'A user', former: 'A former member', deleted: 'A deleted person' })
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
  nameless: string,
  translate: (text: string) => string,
): { readonly summary: string; readonly said: readonly string[] } {
  const { actor, details } = entry
  const who = actor.userId === null ? translate(WORDS.system) : (names.get(actor.userId) ?? translate(nameless))
  const operator = typeof details.operator === 'string' ? details.operator : translate(WORDS.someone)
  const values = [who, aboutOf(entry, names, nameless, translate), operator]
  const sentence = action ? translate(action.sentence) : `{0}: ${entry.action}`
  return {
    summary: sentence.replace(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? ''),
    said: values.filter((_, at) => sentence.includes(`{${at}}`)),
  }
}

function aboutOf(
  { details, subject }: AuditRecord,
  names: ReadonlyMap<string, string>,
  nameless: string,
  translate: (text: string) => string,
): string {
  for (const value of [details.email, details.name, details.domain]) if (typeof value === 'string') return value
  for (const id of [details.userId, subject]) {
    const name = typeof id === 'string' ? names.get(id) : undefined
    if (name !== undefined) return name
  }
  if (typeof details.userId === 'string' || (subject !== null && IS_PERSON.test(subject))) return translate(nameless)
  // An invitation of an entry without its address.
  return subject === null || subject.startsWith('inv_') ? translate(WORDS.someone) : subject
}

/** What people did, in sentences, from the events of every module. Pure. */
import { defineTexts } from '@larder-dev/larder/kernel'

/** By the last words of the type of an event: `content.page.published`. */
const DEEDS: Readonly<Record<string, string>> = defineTexts({
  created: '{actor} created {subject}',
  submitted: '{actor} submitted {subject}',
  updated: '{actor} changed {subject}',
  published: '{actor} published {subject}',
  unpublished: '{actor} unpublished {subject}',
  accepted: '{actor} accepted {subject}',
  ended: '{actor} ended {subject}',
  live: '{actor} went live with {subject}',
  idle: '{actor} stopped {subject}',
  uploaded: '{actor} uploaded {subject}',
})
/** Words for events whose last word doesn't say what somebody did. */
const VERBS: Readonly<Record<string, string>> = { 'submission.created': 'submitted', 'item.ready': 'uploaded' }
/** What nobody did who is known: a visitor, an automation or the product. */
const APPEARED: Readonly<Record<string, string>> = defineTexts({
  created: '{subject} was created',
  submitted: '{subject} was submitted',
})
const OTHERS = defineTexts({ other: '{actor}: {subject} – {event}' })

const PERSON = /^usr_/

export interface Deed {
  readonly type: string
  readonly actor: { readonly kind: string; readonly id: string; readonly userId?: string | undefined }
  readonly subject: string
}
/** `layout_updated` of a stream is a change like any other. */
const verbOf = ({ type }: Deed): string => type.slice(type.lastIndexOf('.') + 1).replace(/^.*_updated$/, 'updated')
const authorOf = ({ actor }: Deed): string => actor.userId ?? actor.id

/** That a person registered, or confirmed their address: the log of the workspace says who joined it. */
const isOfOwnAccount = (deed: Deed): boolean =>
  PERSON.test(deed.subject) && (deed.actor.kind === 'system' || authorOf(deed) === deed.subject)

function textOf(texts: Readonly<Record<string, string>>, deed: Deed): string | undefined {
  const [, resource = ''] = deed.type.split('.')
  const verb = verbOf(deed)
  const word = VERBS[`${resource}.${verb}`] ?? verb
  return Object.hasOwn(texts, word) ? texts[word] : undefined
}

/** `{event}` stands for the title of the event. Undefined for what nobody did and for what tells people nothing. */
export function sentenceOf(deed: Deed): string | undefined {
  if (isOfOwnAccount(deed)) return undefined
  if (deed.actor.kind === 'system') return textOf(APPEARED, deed)
  return textOf(DEEDS, deed) ?? (deed.actor.kind === 'login' ? OTHERS.other : undefined)
}

/** The newest of equal deeds, without the changes by who also did something else to the record. The newest comes first. */
export function notableDeeds<D extends Deed>(deeds: readonly D[]): D[] {
  const key = (deed: Deed) => `${deed.subject} ${authorOf(deed)} ${verbOf(deed)}`
  const firsts = [...new Map(deeds.toReversed().map(deed => [key(deed), deed])).values()]
  const kept = new Set(
    firsts.filter(
      deed =>
        verbOf(deed) !== 'updated' ||
        !firsts.some(other => other !== deed && other.subject === deed.subject && authorOf(other) === authorOf(deed)),
    ),
  )
  return deeds.filter(deed => kept.has(deed))
}

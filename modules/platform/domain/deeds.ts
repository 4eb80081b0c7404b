/** What people did, in sentences, from the events of every module. Pure. */
import { defineTexts } from '@larder-dev/larder/kernel'

/** By the last word of the type of an event: `content.page.published`. */
const DEEDS: Readonly<Record<string, string>> = defineTexts({
  created: '{actor} created {subject}',
  updated: '{actor} changed {subject}',
  published: '{actor} published {subject}',
  unpublished: '{actor} unpublished {subject}',
  accepted: '{actor} accepted {subject}',
  ended: '{actor} ended {subject}',
})
const OTHERS = defineTexts({ appeared: '{subject} was created', other: '{actor}: {subject} – {event}' })

export interface Deed {
  readonly type: string
  readonly actor: { readonly kind: string; readonly id: string; readonly userId?: string | undefined }
  readonly subject: string
}
const verbOf = ({ type }: Deed): string => type.slice(type.lastIndexOf('.') + 1)
const authorOf = ({ actor }: Deed): string => actor.userId ?? actor.id

/** `{event}` stands for the title of the event. Undefined for what nobody did and what tells people nothing. */
export function sentenceOf(deed: Deed): string | undefined {
  const verb = verbOf(deed)
  if (deed.actor.kind === 'system') return verb === 'created' ? OTHERS.appeared : undefined
  const sentence = Object.hasOwn(DEEDS, verb) ? DEEDS[verb] : undefined
  return sentence ?? (deed.actor.kind === 'login' ? OTHERS.other : undefined)
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

import type { States } from '../data/resources.ts'
import { useStore } from '../data/store.ts'
import { languageStore, stateLabel } from '../locales/index.ts'

const TONES: readonly (readonly [tone: string, words: RegExp])[] = [
  ['success', /^(active|published|live|sent|delivered|done|ready|accepted|clean|enabled|succeeded|ok|running|loaded)$/],
  ['danger', /^(dead|failed|bounced|infected|revoked|rejected|spam|error|expired|complained|past_due)$/],
  ['warning', /^(pending|queued|scheduled|trialing|retrying|paused|quarantined|warning|processing|waiting)$/],
]

interface Props {
  readonly text: string
  readonly label?: string
  /** By default, from the text. */
  readonly tone?: string
}

/** A state in the color of its meaning. The text alone says the same. @param label the translated text. */
export function Badge({ text, label, tone: given }: Props) {
  useStore(languageStore)
  const tone = given ?? TONES.find(([, words]) => words.test(text.toLowerCase()))?.[0] ?? 'neutral'
  return <span className={`badge ${tone}`}>{label ?? stateLabel(text)}</span>
}

/** A state in the words of its resource. */
export function StateBadge({ states, value }: { readonly states: States | undefined; readonly value: string }) {
  const state = states?.[value]
  return state ? <Badge text={value} label={state.title} tone={state.tone ?? 'neutral'} /> : <Badge text={value} />
}

import type { States } from '../data/resources.ts'
import { wordOf } from '../locales/index.ts'

const TONES: readonly (readonly [tone: string, words: RegExp])[] = [
  ['success', /^(active|published|live|sent|delivered|done|ready|accepted|clean|enabled|succeeded|ok|running|loaded)$/],
  ['danger', /^(dead|failed|bounced|infected|revoked|rejected|spam|error|expired|complained|past_due)$/],
  ['warning', /^(pending|queued|scheduled|trialing|retrying|paused|quarantined|warning|processing|waiting)$/],
]

interface Props {
  readonly text: string
  /** The text in words. */
  readonly label: string
  /** By default, from the text. */
  readonly tone?: string | null | undefined
}

/** A state in the color of its meaning. The label alone says the same. */
export function Badge({ text, label, tone: given }: Props) {
  const tone = given ?? TONES.find(([, words]) => words.test(text.toLowerCase()))?.[0] ?? 'neutral'
  return <span className={`badge ${tone}`}>{label}</span>
}

/** A state in the words of its resource. */
export const StateBadge = ({ states, value }: { readonly states: States | undefined; readonly value: string }) => (
  <Badge text={value} label={wordOf(value, states)} tone={states?.[value]?.tone} />
)

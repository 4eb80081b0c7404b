/** Positions of a conversation in realtime topics, as text: `<seq>.<version>`. Pure. */

export interface ConversationPosition {
  readonly seq: number
  readonly version: number
}

const PATTERN = /^(\d{1,10})\.(\d{1,10})$/
const MAX_INTEGER = 2_147_483_647

export const formatPosition = ({ seq, version }: ConversationPosition): string => `${seq}.${version}`

/** Undefined for a text that isn't a position. */
export function parsePosition(text: string | undefined): ConversationPosition | undefined {
  const [, seq, version] = PATTERN.exec(text ?? '') ?? []
  if (seq === undefined || version === undefined) return undefined
  const position = { seq: Number(seq), version: Number(version) }
  return position.seq <= MAX_INTEGER && position.version <= MAX_INTEGER ? position : undefined
}

import { splitAtIds } from '../data/record-ids.ts'
import { RecordName } from './RecordName.tsx'

interface Props {
  /** Records are shown by their names instead of their IDs. */
  readonly text: string
}

/** What the API says about a change, which may name other records. */
export const MessageText = ({ text }: Props) =>
  splitAtIds(text).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity of their own
    index % 2 === 1 ? <RecordName key={index} id={part} /> : part,
  )

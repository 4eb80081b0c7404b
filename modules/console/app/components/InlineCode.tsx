interface Props {
  /** Parts in backticks are shown as code. */
  readonly text: string
}

export const InlineCode = ({ text }: Props) =>
  text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity of their own
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  )

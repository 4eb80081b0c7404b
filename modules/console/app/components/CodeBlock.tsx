interface Props {
  readonly text: string
  /** Without a limit of its height. */
  readonly isWhole?: boolean
}

export const CodeBlock = ({ text, isWhole = false }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus for the arrow keys
  <pre className={`code panel${isWhole ? ' whole' : ''}`} tabIndex={0}>
    {text}
  </pre>
)

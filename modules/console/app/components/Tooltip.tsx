import type { ReactNode } from 'react'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import styles from './Tooltip.module.css'

interface Props {
  readonly text: string
  /** Keys, as the keyboard names them. */
  readonly shortcut?: string | undefined
  /** The button that it explains. */
  readonly children: ReactNode
}

/** Milliseconds; the pointer often only passes. */
const DELAY_MS = 500

/** Names a button that shows an icon only, for people who see it: the button has the same label. */
export const Tooltip = ({ text, shortcut, children }: Props) => (
  <TooltipTrigger delay={DELAY_MS}>
    {children}
    <AriaTooltip className={styles.tooltip ?? ''} offset={6}>
      {text}
      {shortcut !== undefined && <kbd>{shortcut}</kbd>}
    </AriaTooltip>
  </TooltipTrigger>
)

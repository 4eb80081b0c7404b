import type { ReactNode } from 'react'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import styles from './Tooltip.module.css'

interface Props {
  /** Undefined if the button shows it. */
  readonly text?: string | undefined
  /** Keys that are pressed together, as the keyboard names them. */
  readonly shortcut?: readonly string[] | undefined
  /** The button that it explains. */
  readonly children: ReactNode
}

/** Milliseconds; the pointer often only passes. */
const DELAY_MS = 500

/** Names a button that shows an icon only, for people who see it: the button has the same label. Tells its keys, too. */
export const Tooltip = ({ text, shortcut = [], children }: Props) => (
  <TooltipTrigger delay={DELAY_MS}>
    {children}
    <AriaTooltip className={styles.tooltip ?? ''} offset={6}>
      {text}
      {shortcut.length > 0 && (
        <span className={styles.keys}>
          {shortcut.map(key => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      )}
    </AriaTooltip>
  </TooltipTrigger>
)

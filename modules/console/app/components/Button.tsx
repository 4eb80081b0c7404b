import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Icon } from './Icon.tsx'
import { Tooltip } from './Tooltip.tsx'

interface Props {
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger'
  readonly icon?: string | undefined
  readonly children?: ReactNode
  /** Shown as an icon only; the label is read aloud, and shown to who points at the button. */
  readonly label?: string
  /** Keys that do the same, shown to who points at the button. */
  readonly shortcut?: readonly string[]
  readonly type?: 'button' | 'submit' | 'reset'
  readonly isDisabled?: boolean
  readonly onPress?: (() => void) | undefined
  readonly id?: string
  readonly 'aria-label'?: string
  readonly 'aria-expanded'?: boolean
  readonly 'aria-pressed'?: boolean
  readonly 'aria-haspopup'?: 'true' | 'menu' | 'dialog'
  readonly onKeyDown?: (event: { readonly key: string }) => void
}

export function Button({ kind = 'secondary', icon, label, shortcut, children, ...props }: Props) {
  const button = (
    <AriaButton
      {...props}
      aria-label={label ?? props['aria-label']}
      className={`button ${kind}${children ? '' : ' square'}`}
    >
      {icon && <Icon name={icon} />}
      {children && <span>{children}</span>}
    </AriaButton>
  )
  if (label === undefined && shortcut === undefined) return button
  return (
    <Tooltip text={label} shortcut={shortcut}>
      {button}
    </Tooltip>
  )
}

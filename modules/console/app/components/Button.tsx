import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import { Icon } from './Icon.tsx'

interface Props extends Omit<ButtonProps, 'children' | 'className'> {
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger'
  readonly icon?: string | undefined
  readonly children?: ReactNode
  /** Shown as an icon only; the label is read aloud. */
  readonly label?: string
}

export function Button({ kind = 'secondary', icon, label, children, ...props }: Props) {
  return (
    <AriaButton
      {...props}
      aria-label={label ?? props['aria-label']}
      className={`button ${kind}${children ? '' : ' square'}`}
    >
      {icon && <Icon name={icon} />}
      {children && <span>{children}</span>}
    </AriaButton>
  )
}

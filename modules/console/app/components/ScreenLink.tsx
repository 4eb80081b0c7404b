import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface Props {
  /** Path of a screen in the workspace: `/collections/products`. */
  readonly to: string
  readonly className?: string
  readonly children: ReactNode
}

/** A link to another screen of the console. */
export const ScreenLink = ({ to, className = 'row-link', children }: Props) => (
  <Link to={to} className={className}>
    {children}
  </Link>
)

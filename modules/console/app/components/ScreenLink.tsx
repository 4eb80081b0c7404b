import { Link } from '@tanstack/react-router'
import type { AnchorHTMLAttributes } from 'react'
import type { Destination } from './navigation.ts'

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>, Pick<Destination, 'to' | 'search'> {}

/** A link to another screen of the console. */
export const ScreenLink = ({ to, search, className = 'row-link', ...props }: Props) => (
  <Link to={to} {...(search !== undefined && { search: search as never })} className={className} {...props} />
)

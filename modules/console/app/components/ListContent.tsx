import type { ReactNode } from 'react'
import { ErrorState, Loading } from './EmptyState.tsx'

interface Props {
  readonly list: { readonly isPending: boolean; readonly error: unknown; refetch(): unknown }
  readonly isEmpty: boolean
  readonly empty: ReactNode
  readonly children: ReactNode
}

/** The rows of a list, or what is shown instead: progress, an error with a retry, `empty`. */
export function ListContent({ list: { isPending, error, refetch }, isEmpty, empty, children }: Props) {
  if (isPending) return <Loading />
  if (error && isEmpty) return <ErrorState error={error} onRetry={() => refetch()} />
  return isEmpty ? empty : children
}

/** Moves between screens of the console. Paths are in the workspace: `/collections/products`. */
import { useNavigate as useRouterNavigate, useSearch as useRouterSearch } from '@tanstack/react-router'
import type { Search } from '../data/list.ts'

export interface Destination {
  /** Path of a screen in the workspace; `.` for the current one. */
  readonly to: string
  /** Search parameters of the address, or a function of the current ones. None by default. */
  readonly search?: object | ((before: Search) => object)
  /** Whether the browser's back button skips the current address. */
  readonly replace?: boolean
  /** Leaves a form with unsaved changes without a question. */
  readonly ignoreBlocker?: boolean
}

export function useNavigate(): (destination: Destination) => Promise<void> {
  const navigate = useRouterNavigate()
  return destination => navigate(destination as Parameters<typeof navigate>[0])
}

/** The search parameters of the address. */
export function useSearch<S extends object = Search>(): S {
  const search: object = useRouterSearch({ strict: false })
  return search as S
}

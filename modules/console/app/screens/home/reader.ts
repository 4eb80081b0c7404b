import type { Resource } from '../../public.ts'

/** Whose home screen it is. */
export interface Reader {
  readonly audience: 'teams' | 'people'
  /** Whether the console of the workspace has the module. */
  hasArea(module: string): boolean
  may(permission: string): boolean
  mayOnPlatform(permission: string): boolean
  readonly resources: readonly Resource[]
}

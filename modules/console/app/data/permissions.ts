/** What the signed-in person may do. */
import { isMember, workspace } from '../browser/document.ts'
import type { Me } from './api-types.ts'

/** Patterns of scope platform, such as `*`, grant nothing of scope tenant. */
export const inWorkspace = (me: Me): Me => (workspace && !isMember ? { ...me, permissions: [] } : me)

/** Whether one of the patterns covers the permission. */
const isHeld = (permission: string, patterns: readonly string[] = []): boolean =>
  patterns.some(
    pattern =>
      pattern === permission ||
      pattern === '*' ||
      (pattern.endsWith('.*') && permission.startsWith(pattern.slice(0, -1))),
  )

export interface Rights {
  may(permission: string): boolean
  mayOnPlatform(permission: string): boolean
}

/** The person's permissions: in the workspace, and for the whole installation. */
export const rightsOf = (me: Me | undefined): Rights => ({
  may: permission => isHeld(permission, me?.permissions),
  mayOnPlatform: permission => isHeld(permission, me?.platformPermissions),
})

/** The signed-in person and their workspaces. */
import { useQuery } from '@tanstack/react-query'
import { MINUTE } from '../../../../kernel/base/units.ts'
import { callApi, chooseTenant, tenantStore } from './api.ts'
import { isStatus } from './problem.ts'
import { readStored, useStore, writeStored } from './store.ts'

export interface Me {
  readonly user: { readonly id: string; readonly email: string; readonly name: string | null } | null
  readonly workspace: Workspace | null
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
  readonly platformPermissions: readonly string[]
  /** Set while an operator acts as the person. */
  readonly impersonation: Impersonation | null
}
export interface Impersonation {
  readonly by: { readonly id: string; readonly email: string; readonly name: string | null }
  readonly reason: string
  readonly expiresAt: string
}
export interface Workspace {
  readonly id: string
  readonly name: string
  readonly slug: string
}

export const useMe = () => {
  const tenantId = useStore(tenantStore)
  return useQuery({
    queryKey: ['me', tenantId],
    queryFn: async ({ signal, client }) => {
      const me = await loadMe(signal)
      if (tenantStore.get() === null && me.workspace) {
        // So that it isn't loaded again for the workspace.
        client.setQueryData(['me', me.workspace.id], me)
        chooseTenant(me.workspace.id)
      }
      return me
    },
    staleTime: MINUTE,
  })
}

/** False until the workspace is known: what is loaded before would be loaded again for it. */
export function useIsReady(): boolean {
  const { data } = useMe()
  return useStore(tenantStore) !== null || data !== undefined
}

/** The person's permissions: in the workspace, and for the whole installation. */
export function usePermissions() {
  const { data: me } = useMe()
  return {
    held: me?.permissions ?? [],
    may: (permission: string) => isHeld(permission, me?.permissions),
    mayOnPlatform: (permission: string) => isHeld(permission, me?.platformPermissions),
  }
}

/** Whether one of the patterns covers the permission. */
export const isHeld = (permission: string, patterns: readonly string[] = []): boolean =>
  patterns.some(
    pattern =>
      pattern === permission ||
      pattern === '*' ||
      (pattern.endsWith('.*') && permission.startsWith(pattern.slice(0, -1))),
  )

async function loadMe(signal?: AbortSignal): Promise<Me> {
  try {
    const { body } = await callApi<Me>({ path: '/v1/me', signal })
    if (!body.impersonation && restoreTenant()) return loadMe(signal)
    return body
  } catch (error) {
    // The stored workspace was deleted, or the person left it.
    if (tenantStore.get() === null || !(isStatus(error, 403) || isStatus(error, 404) || isStatus(error, 422)))
      throw error
    chooseTenant(null)
    return (await callApi<Me>({ path: '/v1/me', signal })).body
  }
}

/** The workspace that the operator had chosen before they acted as somebody else. */
const OPERATOR_TENANT = 'operatorTenant'

/** Acts as a user in their workspace, on the pages of the product. */
export async function startImpersonation(userId: string, tenantId: string, reason: string): Promise<void> {
  const path = `/v1/identity/admin/users/${userId}/impersonation`
  await callApi({ method: 'POST', path, body: { tenantId, reason } })
  writeStored(OPERATOR_TENANT, tenantStore.get())
  chooseTenant(tenantId)
  location.assign('/')
}

/** Returns false if nothing was stored. */
function restoreTenant(): boolean {
  const tenantId = readStored<string | null>(OPERATOR_TENANT, null)
  if (tenantId === null) return false
  writeStored(OPERATOR_TENANT, null)
  chooseTenant(tenantId)
  return true
}

export async function endImpersonation(userId: string): Promise<void> {
  await callApi({ method: 'POST', path: '/v1/auth/impersonation/end' })
  location.assign(`/console/identity/people/${userId}`)
}

export const useWorkspaces = () =>
  useQuery({
    queryKey: ['workspaces'],
    queryFn: async ({ signal }) => {
      const { body } = await callApi<{ readonly data: readonly Workspace[] }>({
        path: '/v1/identity/tenants',
        query: { limit: 200 },
        signal,
      })
      return body.data
    },
    staleTime: MINUTE,
  })

export const signOut = async (): Promise<void> => {
  await callApi({ method: 'POST', path: '/v1/auth/logout' })
  location.assign('/')
}

/** The signed-in person and their workspaces. */
import { useQuery } from '@tanstack/react-query'
import { callApi, chooseTenant, tenantStore } from './api.ts'
import { isStatus } from './problem.ts'
import { useStore } from './store.ts'

export interface Me {
  readonly user: { readonly id: string; readonly email: string; readonly name: string | null } | null
  readonly workspace: Workspace | null
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
}
export interface Workspace {
  readonly id: string
  readonly name: string
  readonly slug: string
}

export const useMe = () => {
  const tenantId = useStore(tenantStore)
  return useQuery({ queryKey: ['me', tenantId], queryFn: ({ signal }) => loadMe(signal), staleTime: 60_000 })
}

async function loadMe(signal?: AbortSignal): Promise<Me> {
  try {
    const { body } = await callApi<Me>({ path: '/v1/me', signal })
    if (tenantStore.get() === null && body.workspace) chooseTenant(body.workspace.id)
    return body
  } catch (error) {
    // The stored workspace was deleted, or the person left it.
    if (tenantStore.get() === null || !(isStatus(error, 403) || isStatus(error, 404) || isStatus(error, 422)))
      throw error
    chooseTenant(null)
    return (await callApi<Me>({ path: '/v1/me', signal })).body
  }
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
    staleTime: 60_000,
  })

export const signOut = async (): Promise<void> => {
  await callApi({ method: 'POST', path: '/v1/auth/logout' })
  location.assign('/')
}

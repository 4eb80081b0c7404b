/** The signed-in person and their workspaces. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MINUTE } from '../../../../kernel/base/units.ts'
import { CONSOLE } from '../browser/document.ts'
import { readStored, writeStored } from '../browser/stored.ts'
import { api } from './api.ts'
import type { Me, TenantList } from './api-types.ts'
import { earlyData } from './early.ts'
import type { Loaded } from './get.ts'
import { keys } from './keys.ts'
import { inWorkspace, rightsOf } from './permissions.ts'

export const useMe = (): Loaded<Me> =>
  useQuery<Me>({
    queryKey: keys.load('/v1/me'),
    queryFn: async ({ signal }) => inWorkspace((await api.get('/v1/me', { signal })).body),
    ...earlyData('/v1/me', {}, inWorkspace),
    staleTime: MINUTE,
  })

/** The person's permissions: in the workspace, and for the whole installation. */
export function usePermissions() {
  const { data: me } = useMe()
  return { held: me?.permissions ?? [], ...rightsOf(me) }
}

/** A choice that this browser keeps for this person; the first option until they choose. */
export function useKeptChoice<T extends string>(
  name: string,
  options: readonly [T, ...T[]],
): readonly [T, (choice: T) => void] {
  const { data: me } = useMe()
  const key = `${name}.${me?.user.id ?? ''}`
  const [chosen, setChosen] = useState<T>()
  const kept = readStored<unknown>(key, null)
  const choose = (choice: T) => {
    setChosen(choice)
    writeStored(key, choice)
  }
  return [chosen ?? options.find(option => option === kept) ?? options[0], choose]
}

/** Where the operator was before they acted as somebody else. */
const RETURN_PATH = 'returnPath'

/** Acts as a user in their workspace, on the pages of the product. */
export async function startImpersonation(userId: string, tenantId: string, reason: string): Promise<void> {
  await api.post('/v1/identity/admin/users/{id}/impersonation', { path: { id: userId }, body: { tenantId, reason } })
  writeStored(RETURN_PATH, location.pathname)
  location.assign('/')
}

export async function endImpersonation(userId: string): Promise<void> {
  await api.post('/v1/auth/impersonation/end')
  const path = readStored<string | null>(RETURN_PATH, null) ?? `${CONSOLE}/identity/people/${userId}`
  writeStored(RETURN_PATH, null)
  location.assign(path)
}

const WORKSPACES = { limit: 200 }
export const useWorkspaces = (): Loaded<TenantList['data']> =>
  useQuery<TenantList['data']>({
    queryKey: keys.load('/v1/identity/tenants'),
    queryFn: async ({ signal }) => (await api.get('/v1/identity/tenants', { query: WORKSPACES, signal })).body.data,
    ...earlyData('/v1/identity/tenants', WORKSPACES, ({ data }: TenantList) => data),
    staleTime: MINUTE,
  })

export const signOut = async (): Promise<void> => {
  await api.post('/v1/auth/logout')
  location.assign('/')
}

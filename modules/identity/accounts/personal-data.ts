/** The data that the other modules keep about a user, in each of their workspaces. */
import { type Caller, type Deps, MIB, once, type Unit } from '@larder-dev/larder/kernel'
import { anyCovers } from '@larder-dev/larder/kernel/internal'
import type { PersonalData, ReadPersonalData } from '../ports.ts'
import type { User } from '../users/records/account.ts'
import type { Rights, RightsService } from '../workspaces/roles/rights.ts'

/** Rows of one list. */
export const MAX_EXPORTED_ROWS = 10_000
/** Texts of one list. */
const MAX_EXPORTED_BYTES = 10 * MIB

export interface TenantData {
  readonly tenantId: string
  /** Lists by module, without empty ones. */
  readonly modules: Readonly<Record<string, PersonalData>>
}
export interface PersonalDataReader {
  /** Also reads the operator's tenant, which sends the emails about accounts. `unit` is across tenants. */
  read(unit: Unit, user: User, tenantIds: readonly string[]): Promise<TenantData[]>
}

type Needs = Deps<'registry' | 'operator'> & {
  readonly rights: RightsService
}

export function createPersonalDataReader({ registry, operator, rights }: Needs): PersonalDataReader {
  const readers = once(() => registry.collect<ReadPersonalData>('personalData'))

  async function readTenant(unit: Unit, user: User, tenantId: string): Promise<TenantData> {
    const { id: userId, email, emailVerified } = user
    const held = await rights.find(unit, userId, tenantId)
    const query = {
      tenantId,
      userId,
      limit: MAX_EXPORTED_ROWS,
      maxBytes: MAX_EXPORTED_BYTES,
      email: emailVerified ? email.toLowerCase() : null,
      caller: held ? callerOf(userId, held) : undefined,
    }
    const modules: Record<string, PersonalData> = {}
    // One after another: the lists can be long.
    for (const { key, value: read } of readers()) {
      const lists = Object.entries(await read(query)).filter(([, rows]) => rows.length > 0)
      if (lists.length > 0) modules[key] = Object.fromEntries(lists)
    }
    return { tenantId, modules }
  }

  return {
    async read(unit, user, tenantIds) {
      const found: TenantData[] = []
      for (const tenantId of new Set([...tenantIds, operator.tenantId]))
        found.push(await readTenant(unit, user, tenantId))
      return found.filter(({ modules }) => Object.keys(modules).length > 0)
    },
  }
}

const callerOf = (userId: string, { tenantId, memberId, roles, isCustomer, tenant }: Rights): Caller => ({
  kind: 'login',
  credential: 'cookie',
  principalId: '',
  userId,
  tenantId,
  memberId,
  roles,
  isCustomer,
  permissions: tenant,
  can: permission => anyCovers(tenant, permission),
})

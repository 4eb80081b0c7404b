import type { Caller, Ports } from '@larder-dev/larder/kernel'
import type { TenantPerson } from '../../../ports.ts'

const READ = 'identity.member.read'

export const mayReadMembers = (caller: Caller): boolean => caller.can(READ)

/**
 * User ID → name, or address without a name. Contains current members only; without `identity.member.read`, only the
 * caller.
 */
export async function memberNames(
  people: Ports['people'],
  caller: Caller,
  tenantId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const readable = mayReadMembers(caller) ? userIds : userIds.filter(id => id === caller.userId)
  return namesOf(await people.members(tenantId, [...new Set(readable)]))
}

export const namesOf = (people: readonly TenantPerson[]): ReadonlyMap<string, string> =>
  new Map(people.map(({ userId, name, email }) => [userId, name ?? email]))

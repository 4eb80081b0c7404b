/** Roles by name, as the workspace pages show them. */
import type { Caller } from '@larder-dev/larder/kernel'
import { initialsOf } from '../../../domain/initials.ts'
import type { IdentitySettings } from '../../../options.ts'
import type { Member } from '../../../users/records/member.ts'
import { firstMissing } from '../domain/permission-patterns.ts'
import type { Role } from '../records.ts'
import type { Roles } from '../roles.ts'

export interface RoleChoice {
  readonly key: string
  readonly name: string
  readonly description: string | null
  readonly chosen: boolean
  /** False if the caller lacks one of its permissions. */
  readonly grantable: boolean
}
export interface RoleNames {
  readonly all: readonly Role[]
  /** Those that have an effect in the workspace. */
  readonly offered: readonly Role[]
  nameOf(key: string): string
  /** Offered roles that the caller can assign, and those that are chosen. */
  choices(caller: Caller, chosen: readonly string[]): readonly RoleChoice[]
}

/** @param settings where the role of customers isn't offered */
export async function readRoles(
  roles: Roles,
  tenantId: string,
  { customerRole }: Partial<Pick<IdentitySettings, 'customerRole'>> = {},
): Promise<RoleNames> {
  const all = await roles.all(tenantId)
  // People become customers by the registration, and the lists of the pages are those of the staff.
  const offered = all.filter(({ key }) => key !== customerRole && roles.isEffective(tenantId, key))
  const names = new Map(all.map(({ key, name }) => [key, name]))
  return {
    all,
    offered,
    nameOf: key => names.get(key) ?? key,
    choices: (caller, chosen) =>
      all
        .map(({ key, name, description, permissions }) => ({
          key,
          name,
          description,
          chosen: chosen.includes(key),
          grantable: firstMissing(caller.permissions, permissions) === undefined,
        }))
        .filter(({ key, chosen, grantable }) => chosen || (grantable && offered.some(role => role.key === key))),
  }
}

export const memberRow = ({ id, name, email, roles }: Member, { nameOf }: RoleNames, caller: Caller) => ({
  id,
  name: name ?? email,
  email: name === null ? '' : email,
  initials: initialsOf(name ?? email),
  roles: roles.map(nameOf),
  self: id === caller.memberId,
})

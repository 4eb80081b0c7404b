/** Roles by name, as the workspace pages show them. */
import {
  byCodeUnits,
  type Caller,
  defineTexts,
  type LocalText,
  unworded,
  type Wording,
  wording,
} from '@larder-dev/larder/kernel'
import { MEMBER, OWNER } from '../../../domain/fixed-roles.ts'
import { initialsOf } from '../../../domain/initials.ts'
import type { IdentitySettings } from '../../../options.ts'
import type { Member } from '../../../users/records/member.ts'
import { firstMissing } from '../domain/permission-patterns.ts'
import type { Role } from '../records.ts'
import type { Roles } from '../roles.ts'

/** How many permissions of a role without a description are named. */
const MAX_NAMED = 3
const WORDS = defineTexts({ everything: 'All permissions', nothing: 'No permissions' })
const worded = (text: LocalText): Wording =>
  typeof text === 'string' ? unworded(text) : wording('{abilities}', { abilities: text })

export interface RoleChoice {
  readonly key: string
  readonly name: string
  /** What it may do: its description, or else the first of its permissions. */
  readonly words: Wording
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

/**
 * Roles in the order in which people need them: the one of invitations, those of most members, owners at the end.
 * @param settings where the role of customers isn't offered
 */
export async function readRoles(
  roles: Roles,
  tenantId: string,
  { customerRole, defaultRole = MEMBER }: Partial<Pick<IdentitySettings, 'customerRole' | 'defaultRole'>> = {},
): Promise<RoleNames> {
  const [stored, uses] = await Promise.all([roles.all(tenantId), roles.uses(tenantId)])
  const rank = ({ key, scope }: Role): number => {
    if (key === defaultRole) return 0
    if (scope === 'platform') return 3
    return key === OWNER ? 2 : 1
  }
  const usesOf = ({ key }: Role): number => uses.get(key) ?? 0
  const all = stored.toSorted(
    (a, b) => rank(a) - rank(b) || usesOf(b) - usesOf(a) || byCodeUnits(a.name, b.name) || byCodeUnits(a.key, b.key),
  )
  // People become customers by the registration, and the lists of the pages are those of the staff.
  const offered = all.filter(({ key }) => key !== customerRole && roles.isEffective(tenantId, key))
  const names = new Map(all.map(({ key, name }) => [key, name]))
  function wordsOf(role: Role): Wording {
    if (role.description !== null) return unworded(role.description)
    if (role.permissions.includes('*')) return unworded(WORDS.everything)
    const titles = roles.granted(tenantId, role).map(({ title }) => worded(title))
    if (titles.length === 0) return unworded(WORDS.nothing)
    const [abilities, count] = [titles.slice(0, MAX_NAMED), titles.length - MAX_NAMED]
    return count > 0
      ? wording('{abilities} and {count} more', { abilities, count })
      : wording('{abilities}', { abilities })
  }
  return {
    all,
    offered,
    nameOf: key => names.get(key) ?? key,
    choices: (caller, chosen) =>
      all
        .map(role => ({
          key: role.key,
          name: role.name,
          words: wordsOf(role),
          chosen: chosen.includes(role.key),
          grantable: firstMissing(caller.permissions, role.permissions) === undefined,
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

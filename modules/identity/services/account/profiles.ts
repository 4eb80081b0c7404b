/** The fields that the recipe adds to people and to members, with the types of collections. */
import { common, type Deps, invalidField, once, type Unit } from '@larder-dev/larder/kernel'
import { timeAt } from '../../domain/time.ts'
import type { ProfileFields, ProfileValues } from '../../ports.ts'

export interface Profiles {
  /** Undefined without such fields in the recipe. */
  userFields(): ProfileFields | undefined
  memberFields(): ProfileFields | undefined
  ofUser(userId: string): Promise<ProfileValues>
  ofMember(tenantId: string, memberId: string): Promise<ProfileValues>
  /** Throws 422. @param pointer of the values in the body */
  updateUser(userId: string, changes: ProfileValues, pointer: string): Promise<ProfileValues>
  /** Throws 422, and `not_found`. */
  updateMember(tenantId: string, memberId: string, changes: ProfileValues, pointer: string): Promise<ProfileValues>
}

interface Place {
  readonly table: 'identity_users' | 'identity_members'
  readonly condition: string
  readonly values: readonly string[]
}
const ofUser = (userId: string): Place => ({ table: 'identity_users', condition: 'id = $1', values: [userId] })
const ofMember = (tenantId: string, memberId: string): Place => ({
  table: 'identity_members',
  condition: 'id = $1 and tenant_id = $2',
  values: [memberId, tenantId],
})
const NONE: ProfileFields = {
  read: () => ({}),
  merge(_stored, changes, pointer) {
    const [name] = Object.keys(changes)
    if (name === undefined) return {}
    throw invalidField(`${pointer}/${name}`, 'unknown_field', 'is not a field of the profile')
  },
  form: () => ({ items: [] }),
  valuesOf: () => ({}),
}

export function createProfiles({
  systemDatabase,
  database,
  registry,
  clock,
}: Deps<'systemDatabase' | 'database' | 'registry' | 'clock'>): Profiles {
  const declared = once(() => {
    const all = registry.collect<{ user?: ProfileFields; member?: ProfileFields }>('profileFields')
    return Object.assign({}, ...all.map(({ value }) => value)) as { user?: ProfileFields; member?: ProfileFields }
  })
  const users = () => systemDatabase.acrossTenants('a profile belongs to a user, not to a tenant')

  async function stored(unit: Unit, { table, condition, values }: Place, lock = ''): Promise<ProfileValues> {
    const sql = `select profile from ${table} where ${condition} ${lock}`
    const { rows } = await unit.query<{ profile: ProfileValues }>(sql, [...values])
    if (!rows[0]) throw common.not_found({ what: table === 'identity_users' ? 'user' : 'member' })
    return rows[0].profile
  }
  const read = async (fields: ProfileFields | undefined, unit: () => Unit, place: Place) =>
    fields ? fields.read(await stored(unit(), place)) : {}

  async function update(fields: ProfileFields, unit: Unit, place: Place, changes: ProfileValues, pointer: string) {
    const { table, condition, values } = place
    return unit.transaction(async inner => {
      const merged = fields.merge(await stored(inner, place, 'for no key update'), changes, pointer)
      const [json, now] = [values.length + 1, values.length + 2]
      await inner.defer([
        [
          `update ${table} set profile = $${json}, updated_at = $${now} where ${condition}`,
          [...values, JSON.stringify(merged), timeAt(clock)],
        ],
      ])
      return fields.read(merged)
    })
  }

  return {
    userFields: () => declared().user,
    memberFields: () => declared().member,
    ofUser: userId => read(declared().user, users, ofUser(userId)),
    ofMember: (tenantId, memberId) =>
      read(declared().member, () => database.tenant(tenantId), ofMember(tenantId, memberId)),
    updateUser: (userId, changes, pointer) =>
      update(declared().user ?? NONE, users(), ofUser(userId), changes, pointer),
    updateMember: (tenantId, memberId, changes, pointer) =>
      update(declared().member ?? NONE, database.tenant(tenantId), ofMember(tenantId, memberId), changes, pointer),
  }
}

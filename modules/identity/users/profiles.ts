/** The fields that the recipe adds to people and to members, with the types of collections. */
import { common, type Deps, invalidField, once, type Unit, wording } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { type AuditRecorder, actorOf } from '../audit/audit-log.ts'
import { timeAt } from '../domain/time.ts'
import type { ProfileEditor, ProfileFields, ProfileValues } from '../ports.ts'
import { type DeclaredFields, type RecipeSchemas, recipeSchemas } from './records/recipe-schemas.ts'

type Changer = Parameters<typeof actorOf>[0]

export interface Profiles {
  /** Undefined without such fields in the recipe. */
  userFields(): ProfileFields | undefined
  memberFields(): ProfileFields | undefined
  schemas(): RecipeSchemas
  /** The values of a new person. Throws 422. */
  create(values: ProfileValues): ProfileValues
  ofUser(userId: string): Promise<ProfileValues>
  ofMember(tenantId: string, memberId: string): Promise<ProfileValues>
  /** Throws 422 with pointers below `/profile`, and `not_found`. */
  updateUser(userId: string, changes: ProfileValues, changer: Changer, by: ProfileEditor): Promise<ProfileValues>
  updateMember(tenantId: string, memberId: string, changes: ProfileValues, changer: Changer): Promise<ProfileValues>
  /** Whether the person with this address has not given all values that they must give. */
  isIncomplete(email: string): Promise<boolean>
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

/** Without fields in the recipe. */
function refuseAll(changes: ProfileValues): ProfileValues {
  const [name] = Object.keys(changes)
  if (name === undefined) return {}
  throw invalidField(`/profile/${name}`, 'unknown_field', wording('is not a field of the profile'))
}

type Needs = Deps<'systemDatabase' | 'database' | 'registry' | 'clock' | 'operator'> & { readonly audit: AuditRecorder }

export function createProfiles({ systemDatabase, database, registry, clock, operator, audit }: Needs): Profiles {
  const declared = once(() => {
    const all = registry.collect<DeclaredFields>('profileFields')
    return Object.assign({}, ...all.map(({ value }) => value)) as DeclaredFields
  })
  const users = () => systemDatabase.acrossTenants('a profile belongs to a user, not to a tenant')

  async function stored(unit: Unit, { table, condition, values }: Place, lock = ''): Promise<Stored> {
    const owner = table === 'identity_users' ? 'id' : 'user_id'
    const sql = `select profile, ${owner} as "userId" from ${table} where ${condition} ${lock}`
    const { rows } = await unit.query<Stored>(sql, [...values])
    if (!rows[0]) throw common.not_found({ what: table === 'identity_users' ? 'user' : 'member' })
    return rows[0]
  }
  const read = async (fields: ProfileFields | undefined, unit: () => Unit, place: Place) =>
    fields ? fields.read((await stored(unit(), place)).profile) : {}

  async function update({ fields, unit, place, changes, changer, by, entry }: Update): Promise<ProfileValues> {
    if (!fields) return refuseAll(changes)
    const { table, condition, values } = place
    return unit.transaction(async inner => {
      const { profile, userId } = await stored(inner, place, 'for no key update')
      const merged = fields.merge(profile, changes, by)
      const changed = Object.keys(changes).filter(
        name => JSON.stringify(merged[name]) !== JSON.stringify(profile[name]),
      )
      if (changed.length === 0) return fields.read(merged)
      const [json, now] = [values.length + 1, values.length + 2]
      await inner.defer([
        [
          `update ${table} set profile = $${json}, updated_at = $${now} where ${condition}`,
          [...values, JSON.stringify(merged), timeAt(clock)],
        ],
      ])
      // Without the values, which an erasure of the person would have to find.
      await audit.record(inner, { ...entry, actor: actorOf(changer), details: { userId, fields: changed } })
      return fields.read(merged)
    })
  }

  return {
    userFields: () => declared().user,
    memberFields: () => declared().member,
    schemas: once(() => recipeSchemas(declared())),
    create: values => declared().user?.create(values) ?? refuseAll(values),
    ofUser: userId => read(declared().user, users, ofUser(userId)),
    ofMember: (tenantId, memberId) =>
      read(declared().member, () => database.tenant(tenantId), ofMember(tenantId, memberId)),
    updateUser: (userId, changes, changer, by) =>
      update({
        fields: declared().user,
        unit: users(),
        place: ofUser(userId),
        changes,
        changer,
        by,
        entry: { tenantId: operator.tenantId, action: 'user.profile_changed', subject: userId },
      }),
    updateMember: (tenantId, memberId, changes, changer) =>
      update({
        fields: declared().member,
        unit: database.tenant(tenantId),
        place: ofMember(tenantId, memberId),
        changes,
        changer,
        by: 'operator',
        entry: { tenantId, action: 'member.profile_changed', subject: memberId },
      }),
    async isIncomplete(email) {
      const fields = declared().user
      if (!fields?.hasNeeded) return false
      const place: Place = { table: 'identity_users', condition: 'email_key = $1', values: [emailKey(email)] }
      return !fields.isComplete((await stored(users(), place)).profile)
    },
  }
}

interface Stored {
  readonly profile: ProfileValues
  readonly userId: string
}
interface Update {
  readonly fields: ProfileFields | undefined
  readonly unit: Unit
  readonly place: Place
  readonly changes: ProfileValues
  readonly changer: Changer
  readonly by: ProfileEditor
  readonly entry: { readonly tenantId: string; readonly action: string; readonly subject: string }
}

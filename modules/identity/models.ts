/** Models of the tables that people read in lists with filters. All other statements are SQL. */
import type { Models } from 'larder/kernel'

export interface MemberRow {
  readonly id: string
  readonly tenantId: string
  readonly userId: string
  readonly roles: string[]
  readonly createdAt: Date
  readonly updatedAt: Date
}
/** The columns of a user that members of the same tenant can read. */
export interface FellowRow {
  readonly id: string
  readonly email: string
  readonly emailKey: string
  readonly name: string | null
}
export interface AuditRow {
  readonly id: string
  readonly tenantId: string
  readonly action: string
  readonly actor: { readonly kind: 'login' | 'apiKey' | 'system'; readonly id: string; readonly userId: string | null }
  readonly subject: string | null
  readonly details: Record<string, unknown>
  readonly createdAt: Date
}

/** Members with the association `user`. */
export function memberModel(models: Models) {
  const members = models.define<MemberRow>(
    'IdentityMember',
    types => ({
      id: { type: types.TEXT, primaryKey: true },
      tenantId: { type: types.TEXT, allowNull: false, field: 'tenant_id' },
      userId: { type: types.TEXT, allowNull: false, field: 'user_id' },
      roles: { type: types.ARRAY(types.TEXT), allowNull: false },
      createdAt: { type: types.DATE, allowNull: false, field: 'created_at' },
      updatedAt: { type: types.DATE, allowNull: false, field: 'updated_at' },
    }),
    { tableName: 'identity_members' },
  )
  const users = models.define<FellowRow>(
    'IdentityUser',
    types => ({
      id: { type: types.TEXT, primaryKey: true },
      email: { type: types.TEXT, allowNull: false },
      emailKey: { type: types.TEXT, allowNull: false, field: 'email_key' },
      name: types.TEXT,
    }),
    { tableName: 'identity_users' },
  )
  const associate = async () => {
    const [Members, Users] = await Promise.all([members(), users()])
    Members.belongsTo(Users, { as: 'user', foreignKey: 'userId' })
    return Members
  }
  let associated: ReturnType<typeof associate> | undefined
  return () => {
    associated ??= associate()
    return associated
  }
}

export const auditModel = (models: Models) =>
  models.define<AuditRow>(
    'IdentityAudit',
    types => ({
      id: { type: types.TEXT, primaryKey: true },
      tenantId: { type: types.TEXT, allowNull: false, field: 'tenant_id' },
      action: { type: types.TEXT, allowNull: false },
      actor: { type: types.JSONB, allowNull: false },
      subject: types.TEXT,
      details: { type: types.JSONB, allowNull: false },
      createdAt: { type: types.DATE, allowNull: false, field: 'created_at' },
    }),
    { tableName: 'identity_audit' },
  )

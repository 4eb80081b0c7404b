/** Whom a plan, its usage and its credits belong to. */

/** A workspace; in a product of people, also a customer: a member of the operator's workspace. */
export interface Subject {
  readonly tenantId: string
  /** `mem_…`. Empty for the workspace itself, as in the database, where it is part of keys. */
  readonly memberId: string
  /** Known where the usage of a member is counted. */
  readonly userId?: string
}

export const workspaceOf = (tenantId: string): Subject => ({ tenantId, memberId: '' })

/** The ID by which caches and locks know the subject. IDs of workspaces and members never coincide. */
export const subjectId = ({ tenantId, memberId }: Subject): string => memberId || tenantId

/** Who may submit a form: members with the permission, or everyone. */
export const ACCESS = ['tenant', 'public'] as const
export type Access = (typeof ACCESS)[number]

/** Customers of a product of people: the members who have no other role than that of the registration. */

interface Settings {
  readonly customerRole: string | undefined
}

export const isCustomer = ({ customerRole }: Settings, roles: readonly string[]): boolean =>
  customerRole !== undefined && roles.every(role => role === customerRole)

/** The same as a condition of SQL. @param roles the column @param role the parameter, which is null in a product of teams */
export const isCustomerSql = (roles: string, role: string): string =>
  `coalesce(${roles} <@ array[${role}::text], false)`

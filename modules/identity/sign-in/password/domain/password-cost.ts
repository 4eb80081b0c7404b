/** Cost of argon2id (RFC 9106): memory in KiB, passes and lanes. OWASP's minimum memory. */
export const PASSWORD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export type PasswordCost = Readonly<Record<keyof typeof PASSWORD_COST, number>>

let cost: PasswordCost = PASSWORD_COST

export const passwordCost = (): PasswordCost => cost

/** Tests lower the cost. No recipe and no environment variable can lower the cost. */
export function setPasswordCost(lower: PasswordCost): void {
  cost = lower
}

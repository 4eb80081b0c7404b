/** argon2id (RFC 9106): KiB of memory, passes and lanes. OWASP's smallest memory. */
export const PASSWORD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export type PasswordCost = Readonly<Record<keyof typeof PASSWORD_COST, number>>

let cost: PasswordCost = PASSWORD_COST

export const passwordCost = (): PasswordCost => cost

/** For tests: only code can call this, so that no recipe and no environment weakens a password. */
export function setPasswordCost(lower: PasswordCost): void {
  cost = lower
}

/** Runs in every test process before its test files: `require` of AVA's configurations. */
import { setPasswordCost } from '../modules/identity/core/password-cost.ts'

/** The smallest that argon2 computes. Tests of hashing set the real cost. */
export const TEST_PASSWORD_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const

setPasswordCost(TEST_PASSWORD_COST)

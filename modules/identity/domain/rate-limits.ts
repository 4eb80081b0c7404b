/** What guards passwords and mailboxes from being tried or flooded; routes and pages share the counts. */

import { HOUR, MINUTE, type RateLimit } from 'larder/kernel'
import { emailKey } from './email.ts'

/** The body is unchecked still when it is counted. */
function address(body: unknown): string {
  const email = typeof body === 'object' && body !== null ? Reflect.get(body, 'email') : undefined
  return typeof email === 'string' ? emailKey(email).slice(0, 254) : ''
}

const login = { window: 15 * MINUTE, shared: true } as const
export const loginLimits: readonly RateLimit[] = [
  { ...login, name: 'auth.login', points: 10, by: (body, ip) => `${ip} ${address(body)}` },
  // From however many addresses somebody tries one account, and however many accounts from one address.
  { ...login, name: 'auth.login.account', points: 20, by: address },
  { ...login, name: 'auth.login.address', points: 100, by: 'ip' },
]
export const registerLimits: readonly RateLimit[] = [{ name: 'auth.register', points: 30, window: 1 * HOUR }]
export const forgotLimits: readonly RateLimit[] = [
  { ...login, name: 'auth.forgot', points: 10, by: (body, ip) => `${ip} ${address(body)}` },
  { name: 'auth.forgot.account', points: 10, window: 1 * HOUR, by: address, shared: true },
]
export const linkLimits: readonly RateLimit[] = [{ name: 'auth.link', points: 60, window: 1 * HOUR }]
export const changeLimits: readonly RateLimit[] = [
  { ...login, name: 'auth.password.change', points: 10, by: 'principal' },
]
export const verifyLimits: readonly RateLimit[] = [
  { name: 'auth.verify.send', points: 5, window: 1 * HOUR, by: 'principal' },
]
export const claimLimits: readonly RateLimit[] = [{ name: 'auth.claim', points: 10, window: 1 * HOUR, shared: true }]
export const tenantLimits: readonly RateLimit[] = [
  { name: 'identity.tenants', points: 30, window: 1 * HOUR, by: 'principal' },
]

export const LIMIT_NAMES = [
  loginLimits,
  registerLimits,
  forgotLimits,
  linkLimits,
  changeLimits,
  verifyLimits,
  claimLimits,
  tenantLimits,
].flatMap(limits => limits.map(({ name }) => name))

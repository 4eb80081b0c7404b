/** Rate limits on sign-in and email sending. Routes and pages share the counters. */
import { HOUR, MINUTE, type RateLimit } from 'larder/kernel'
import { emailKey } from './email.ts'

const MAX_EMAIL_LENGTH = 254

/** Counted before validation, so the body can have any shape. */
function emailInBody(body: unknown): string {
  const email = typeof body === 'object' && body !== null ? Reflect.get(body, 'email') : undefined
  return typeof email === 'string' ? emailKey(email).slice(0, MAX_EMAIL_LENGTH) : ''
}

const login = { window: 15 * MINUTE, shared: true } as const
export const loginLimits: readonly RateLimit[] = [
  { ...login, name: 'auth.login', points: 10, by: (body, ip) => `${ip} ${emailInBody(body)}` },
  // Attempts on one account from many addresses, and on many accounts from one address.
  { ...login, name: 'auth.login.account', points: 20, by: emailInBody },
  { ...login, name: 'auth.login.address', points: 100, by: 'ip' },
]
export const registerLimits: readonly RateLimit[] = [{ name: 'auth.register', points: 30, window: 1 * HOUR }]
export const forgotPasswordLimits: readonly RateLimit[] = [
  { ...login, name: 'auth.forgot', points: 10, by: (body, ip) => `${ip} ${emailInBody(body)}` },
  { name: 'auth.forgot.account', points: 10, window: 1 * HOUR, by: emailInBody, shared: true },
]
export const mailLinkLimits: readonly RateLimit[] = [{ name: 'auth.link', points: 60, window: 1 * HOUR }]
export const changePasswordLimits: readonly RateLimit[] = [
  { ...login, name: 'auth.password.change', points: 10, by: 'principal' },
]
export const sendVerificationLimits: readonly RateLimit[] = [
  { name: 'auth.verify.send', points: 5, window: 1 * HOUR, by: 'principal' },
]
export const claimLimits: readonly RateLimit[] = [{ name: 'auth.claim', points: 10, window: 1 * HOUR, shared: true }]
export const createTenantLimits: readonly RateLimit[] = [
  { name: 'identity.tenants', points: 30, window: 1 * HOUR, by: 'principal' },
]

export const RATE_LIMIT_NAMES = [
  loginLimits,
  registerLimits,
  forgotPasswordLimits,
  mailLinkLimits,
  changePasswordLimits,
  sendVerificationLimits,
  claimLimits,
  createTenantLimits,
].flatMap(limits => limits.map(({ name }) => name))

/** Rate limits on sign-in and email sending. Routes and pages share the counters. */
import { HOUR, MINUTE, type RateLimit, type RequestFacts } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'

const MAX_EMAIL_LENGTH = 254
/** ID, version and signature: the same for each request of a link, and nobody else can send it. */
const MAX_LINK_LENGTH = 128

/** Counted before validation, so the body can have any shape. */
function emailInBody(body: unknown): string {
  const email = typeof body === 'object' && body !== null ? Reflect.get(body, 'email') : undefined
  return typeof email === 'string' ? emailKey(email).slice(0, MAX_EMAIL_LENGTH) : ''
}

const login = { window: 15 * MINUTE, shared: true } as const
/** Attempts from one address, at any account. */
export const signInAddressLimit: RateLimit = { ...login, name: 'auth.login.address', points: 100, by: 'ip' }

/** A known device has a separate limit, so that others can't use up its attempts. */
export function loginLimits(findDevice: (request: RequestFacts, email: string) => string | undefined): RateLimit[] {
  type Key = (email: string, ip: string, device: string | undefined) => string | undefined
  const by =
    (key: Key): RateLimit['by'] =>
    (body, ip, _params, _caller, request) => {
      const email = emailInBody(body)
      return email === '' ? undefined : key(email, ip, findDevice(request, email))
    }
  const unlessKnown = (key: string, device: string | undefined) => (device === undefined ? key : undefined)
  return [
    { ...login, name: 'auth.login', points: 10, by: by((email, ip, device) => unlessKnown(`${ip} ${email}`, device)) },
    // Attempts at one account from many addresses: delayed, because anyone can use them up.
    {
      ...login,
      name: 'auth.login.account',
      points: 20,
      by: by((email, _ip, device) => unlessKnown(email, device)),
      delays: true,
    },
    { ...login, name: 'auth.login.device', points: 10, by: by((_email, _ip, device) => device) },
    signInAddressLimit,
  ]
}
export const registerLimits: readonly RateLimit[] = [{ name: 'auth.register', points: 30, window: 1 * HOUR }]
export const forgotPasswordLimits: readonly RateLimit[] = [
  { ...login, name: 'auth.forgot', points: 10, by: (body, ip) => `${ip} ${emailInBody(body)}` },
  { name: 'auth.forgot.account', points: 10, window: 1 * HOUR, by: emailInBody, shared: true },
]
export const emailCodeLimits: readonly RateLimit[] = [
  { ...login, name: 'auth.email_code', points: 10, by: (body, ip) => `${ip} ${emailInBody(body)}` },
  { name: 'auth.email_code.account', points: 10, window: 1 * HOUR, by: emailInBody, shared: true },
  { ...login, name: 'auth.email_code.address', points: 50, by: 'ip' },
]
/** Each sign-in page of a browser that suggests passkeys counts. */
export const passkeyOptionsLimits: readonly RateLimit[] = [{ ...login, name: 'auth.passkey', points: 300, by: 'ip' }]
/** Wrong codes also delay the next try at the account. */
export const secondFactorLimits: readonly RateLimit[] = [
  { ...login, name: 'auth.second_factor', points: 100, by: 'ip' },
]
export const reauthenticateLimits: readonly RateLimit[] = [
  { ...login, name: 'auth.reauthenticate', points: 20, by: (_body, _ip, _params, caller) => caller?.userId },
]
export const proofCodeLimits: readonly RateLimit[] = [
  {
    name: 'auth.reauthenticate.email',
    points: 10,
    window: 1 * HOUR,
    by: (_body, _ip, _params, caller) => caller?.userId,
  },
]
/** The page also sends the code. */
export const reauthenticatePageLimits: readonly RateLimit[] = [
  ...reauthenticateLimits,
  ...proofCodeLimits.map(
    (limit): RateLimit => ({
      ...limit,
      by: (body, _ip, _params, caller) =>
        typeof body === 'object' && body !== null && Reflect.get(body, 'intent') === 'send-code'
          ? caller?.userId
          : undefined,
    }),
  ),
]
export const ownSecondFactorLimits: readonly RateLimit[] = [
  { name: 'auth.second_factor.own', points: 30, window: 1 * HOUR, by: 'principal' },
]
export const mailLinkLimits: readonly RateLimit[] = [{ name: 'auth.link', points: 60, window: 1 * HOUR }]
/** The link. Counted before validation, and only with a password. */
function linkOfPassword(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !Reflect.get(body, 'password')) return undefined
  const token = Reflect.get(body, 'token')
  return typeof token === 'string' ? token.slice(0, MAX_LINK_LENGTH) : ''
}
/** Tries of the password are counted for each link, from whichever address. */
export const verifyEmailLimits: readonly RateLimit[] = [
  ...mailLinkLimits,
  { ...login, name: 'auth.link.password', points: 10, by: linkOfPassword },
]
export const changePasswordLimits: readonly RateLimit[] = [
  { ...login, name: 'auth.password.change', points: 10, by: 'principal' },
]
export const sendVerificationLimits: readonly RateLimit[] = [
  { name: 'auth.verify.send', points: 5, window: 1 * HOUR, by: 'principal' },
]
/** Each change sends email to an address that the user chooses. Counted by user, because each login is a new principal. */
export const changeEmailLimits: readonly RateLimit[] = [
  { name: 'auth.email.change', points: 5, window: 1 * HOUR, by: (_body, _ip, _params, caller) => caller?.userId },
]
export const signInMethodLimits: readonly RateLimit[] = [
  { name: 'auth.sign_in_methods', points: 30, window: 1 * HOUR, by: 'principal' },
]
export const exportLimits: readonly RateLimit[] = [
  { name: 'auth.export', points: 10, window: 1 * HOUR, by: 'principal' },
]
export const claimLimits: readonly RateLimit[] = [{ name: 'auth.claim', points: 10, window: 1 * HOUR, shared: true }]
export const impersonationLimits: readonly RateLimit[] = [
  { name: 'identity.impersonation', points: 30, window: 1 * HOUR, by: 'principal' },
]
export const ssoLimits: readonly RateLimit[] = [{ name: 'identity.sso', points: 60, window: 1 * HOUR, by: 'principal' }]
export const createTenantLimits: readonly RateLimit[] = [
  { name: 'identity.tenants', points: 30, window: 1 * HOUR, by: 'principal' },
]

export const RATE_LIMIT_NAMES = [
  loginLimits(() => undefined),
  registerLimits,
  forgotPasswordLimits,
  emailCodeLimits,
  passkeyOptionsLimits,
  secondFactorLimits,
  reauthenticateLimits,
  proofCodeLimits,
  ownSecondFactorLimits,
  verifyEmailLimits,
  changePasswordLimits,
  sendVerificationLimits,
  changeEmailLimits,
  signInMethodLimits,
  exportLimits,
  claimLimits,
  createTenantLimits,
  ssoLimits,
  impersonationLimits,
].flatMap(limits => limits.map(({ name }) => name))

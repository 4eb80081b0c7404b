import { Bytes, CodeOf, Nullable, named, OneOf, type Static, Timestamp, Type, table } from '@larder-dev/larder/kernel'
import { signedInFields } from '../records/sign-in.ts'

export const TrustedDevice = named(
  'TrustedDevice',
  Type.Object({
    id: Type.String(),
    device: Type.String({ description: 'Browser and operating system' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  }),
)
export type TrustedDevice = Static<typeof TrustedDevice>

const SECOND_FACTORS = ['totp', 'recovery_code', 'passkey'] as const
export type SecondFactorKind = (typeof SECOND_FACTORS)[number]

/** A code of an authenticator app, or a recovery code in any notation. */
export const FactorCode = CodeOf({
  minLength: 6,
  maxLength: 40,
  description: 'Six digits from the authenticator app, or a recovery code',
})
export const TrustDevice = Type.Optional(
  Type.Boolean({
    description:
      'Whether this browser signs in without the second factor for the time of `signIn.trustedDevices`, if set',
  }),
)
export const PendingSecret = Type.String({
  pattern: '^slp_[\\w-]{43}$',
  description: '`pending` of the problem `second_factor_required`',
})
export const EnrollmentProof = {
  enrollment: Type.String({ minLength: 1, maxLength: 1000, description: '`enrollment` of the started setup' }),
  code: CodeOf({ pattern: '^[0-9]{6}$', description: 'Six digits from the authenticator app' }),
}

export const PendingFields = {
  pending: Type.String({ description: 'Secret of the unfinished sign-in, which has no rights of its own' }),
  methods: Type.Array(OneOf(SECOND_FACTORS), { description: 'What finishes the sign-in. Empty if `enroll`' }),
  enroll: Type.Boolean({ description: 'Whether the person must set up an authenticator app first' }),
  expiresIn: Type.Integer({ description: 'Seconds' }),
}

export const TotpEnrollment = named(
  'TotpEnrollment',
  Type.Object({
    enrollment: Type.String({ description: 'Send it with the first code of the app. It works for 15 minutes' }),
    secret: Type.String({ description: 'For people who cannot scan the QR code' }),
    uri: Type.String({ description: '`otpauth:` URI of the secret' }),
    qrCode: Type.String({ description: 'The URI as a QR code: an `<svg>` element' }),
  }),
)
export type TotpEnrollment = Static<typeof TotpEnrollment>

const recoveryCodes = Type.Array(Type.String(), { description: 'Each works once. They are shown only now' })
export const RecoveryCodes = named('RecoveryCodes', Type.Object({ recoveryCodes }))
export const EnrolledSignIn = named('EnrolledSignIn', Type.Object({ ...signedInFields, recoveryCodes }))

export const SecondFactor = named(
  'SecondFactor',
  Type.Object({
    totp: Nullable(named('AuthenticatorApp', Type.Object({ createdAt: Timestamp }))),
    recoveryCodes: Type.Integer({ description: 'Number of unused recovery codes' }),
    passkeys: Type.Integer({ description: 'Number of passkeys, which work as a second factor, too' }),
    required: Type.Boolean({ description: "Whether one of the user's roles requires a second factor" }),
    trustedDevices: Type.Array(TrustedDevice, {
      description: 'Browsers in which the user signs in without the second factor for a time',
    }),
  }),
)
export type SecondFactor = Static<typeof SecondFactor>

export const pendingLoginTable = table(
  'identity_pending_logins',
  Type.Object({
    id: Type.String(),
    userId: Type.String(),
    passwordVersion: Type.Integer(),
    token: Type.Boolean(),
    authenticatedAt: Nullable(Timestamp),
    expiresAt: Timestamp,
  }),
  { what: 'sign-in', hidden: { secretHash: Bytes } },
)

export const trustedDeviceTable = table(
  'identity_trusted_devices',
  Type.Object({
    id: Type.String(),
    userId: Type.String(),
    userAgent: Nullable(Type.String()),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  }),
  { what: 'device', hidden: { secretHash: Bytes } },
)

/** Columns of a query in which `u` is the user. */
export const STATE_COLUMNS = `(select created_at from identity_totp where user_id = u.id) as "totpCreatedAt",
  (select count(*)::int from identity_recovery_codes where user_id = u.id) as "recoveryCodes",
  (select count(*)::int from identity_sign_in_identities where user_id = u.id and method = $1) as passkeys,
  exists (select from identity_members where user_id = u.id and roles && $2::text[]) as required`
export interface StateRow {
  readonly totpCreatedAt: Date | null
  readonly recoveryCodes: number
  readonly passkeys: number
  readonly required: boolean
}

/** Authenticator apps. */
export const totpTable = table(
  'identity_totp',
  Type.Object({
    userId: Type.String(),
    /** The number of the period of 30 seconds whose code was used last: a code works once. */
    lastStep: Type.Integer(),
    /** Wrong codes since the last right one. */
    failures: Type.Integer(),
    blockedUntil: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
  { what: 'authenticator app', key: 'userId', defaults: { failures: 0 }, hidden: { secret: Bytes } },
)

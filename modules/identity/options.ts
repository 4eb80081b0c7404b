/** Options under `modules.identity` in the recipe. */
import { type Deps, milliseconds, OneOf, POSITIVE_DURATION_PATTERN, type Static, Type } from '@larder-dev/larder/kernel'
import type { OptionalPackage } from '@larder-dev/larder/kernel/internal'
import { normalDomain } from './domain/email-domains.ts'
import { CUSTOMER, MEMBER } from './domain/fixed-roles.ts'
import { pastedIssuer } from './domain/pasted.ts'

const Duration = (standard: string, description: string) =>
  Type.Optional(Type.String({ pattern: POSITIVE_DURATION_PATTERN, default: standard, description }))

const PasswordOptions = Type.Object({
  minLength: Type.Optional(Type.Integer({ minimum: 8, maximum: 128, default: 8 })),
  blocklist: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      description: 'Passwords to reject in addition to the most common ones',
    }),
  ),
  breachUrl: Type.Optional(
    Type.String({
      format: 'uri',
      pattern: '^https?://',
      description: 'A service that knows leaked passwords, with the range protocol of Have I Been Pwned',
      examples: ['https://api.pwnedpasswords.com/range/'],
    }),
  ),
})

const RequiredText = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

const LegalPage = (description: string) =>
  Type.String({
    maxLength: 2000,
    pattern: '^(/(?![/\\\\])|https?://)\\S*$',
    description: `${description}: a path of this site, or a URL`,
    examples: ['/terms'],
  })

const ProviderOptions = Type.Object({
  clientId: Type.String({ minLength: 1, description: 'ID of this product at the provider' }),
  clientSecret: RequiredText('Secret of this product at the provider; Apple has a key instead'),
  label: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'Name of the provider for people' })),
  issuer: RequiredText('URL of any other provider with OpenID Connect, as in its discovery document'),
  tenant: RequiredText('microsoft: a directory that people must belong to. By default all, and personal accounts'),
  url: RequiredText('github: URL of a GitHub Enterprise Server'),
  teamId: RequiredText('apple: ID of the team'),
  keyId: RequiredText('apple: ID of the private key'),
  privateKey: RequiredText('apple: the private key, as in its .p8 file'),
})
export type ProviderOptions = Static<typeof ProviderOptions>

export const IdentityOptions = Type.Object({
  registration: Type.Optional(
    Type.Object({
      open: Type.Optional(
        Type.Boolean({ default: true, description: 'Whether anyone can register. Invited people always can.' }),
      ),
      workspace: Type.Optional(
        OneOf(['auto', 'none'], { description: 'auto: registration creates a workspace for each new user' }),
      ),
      role: Type.Optional(
        Type.String({
          minLength: 1,
          default: CUSTOMER,
          description: 'Role of everybody who registers, in a product of people',
        }),
      ),
      disposableDomains: Type.Optional(
        Type.Array(Type.String({ minLength: 4, maxLength: 253 }), {
          maxItems: 500_000,
          description:
            'Domains of disposable email addresses, including their subdomains: [mailinator.com]. Only invited people can register with one',
        }),
      ),
    }),
  ),
  terms: Type.Optional(LegalPage('Terms of service, which the pages for signing in and up link to')),
  privacy: Type.Optional(LegalPage('Privacy policy, which the pages for signing in and up link to')),
  contact: Type.Optional(
    Type.String({
      format: 'email',
      maxLength: 254,
      description: 'Address that people who are suspended are told to write to',
      examples: ['help@example.com'],
    }),
  ),
  requireVerifiedEmail: Type.Optional(
    Type.Boolean({
      description:
        'Whether inviting, creating API keys, sending email and webhook endpoints need a verified address. By default only in production, and only if the recipe can send email.',
    }),
  ),
  impersonation: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether operators can act as a user, for support' }),
  ),
  invitations: Type.Optional(
    Type.Object({
      ttl: Duration('7d', 'Lifetime of an invitation'),
      defaultRole: Type.Optional(
        Type.String({ minLength: 1, default: MEMBER, description: 'Role of people who are invited without roles' }),
      ),
    }),
  ),
  signIn: Type.Optional(
    Type.Object(
      {
        password: Type.Optional(
          Type.Union([Type.Literal(false), PasswordOptions], { description: 'Email and password; false turns it off' }),
        ),
        emailLink: Type.Optional(
          Type.Object(
            { ttl: Duration('10m', 'How long a code and its link work, from a minute to an hour') },
            { description: 'A link and a six-digit code in one mail. A new address gets an account' },
          ),
        ),
        challenge: Type.Optional(
          Type.Object(
            {
              after: Type.Optional(
                Type.Integer({ minimum: 1, maximum: 100, default: 5, description: 'Failed sign-ins within an hour' }),
              ),
            },
            { description: 'A task for the browser after failed sign-ins with a password' },
          ),
        ),
        passkeys: Type.Optional(Type.Object({}, { description: 'Passkeys, for the domain of product.publicUrl' })),
        providers: Type.Optional(
          Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }), ProviderOptions, {
            additionalProperties: false,
            description: 'Accounts at google, github, microsoft, apple, and under any other name at an issuer',
          }),
        ),
        enterprise: Type.Optional(
          Type.Object(
            {
              allowHosts: Type.Optional(
                Type.Array(Type.String({ pattern: '^[^\\s,/*@]+$' }), {
                  description:
                    'Hosts of providers that may have a private address: login.internal, login.internal:8443',
                }),
              ),
              dnsServers: Type.Optional(
                Type.Array(Type.String({ pattern: '^\\[?[0-9a-fA-F.:]+\\]?(:[0-9]+)?$' }), {
                  minItems: 1,
                  description:
                    'Addresses of DNS servers that domains are verified with: 9.9.9.9. By default those of the machine',
                }),
              ),
            },
            { description: 'Single sign-on that workspaces set up themselves' },
          ),
        ),
        apps: Type.Optional(
          Type.Array(Type.String({ minLength: 1 }), {
            uniqueItems: true,
            description:
              'URLs at which native apps receive the end of a sign-in in the browser, such as com.acme.app:/signed-in',
          }),
        ),
        secondFactor: Type.Optional(
          Type.Object(
            {
              totp: Type.Literal(true, { description: 'Codes of an authenticator app, with recovery codes' }),
              requiredFor: Type.Optional(
                Type.Array(Type.String({ minLength: 1 }), {
                  uniqueItems: true,
                  description: 'Roles whose members set up a second factor at their next sign-in',
                  examples: [['tenant.owner', 'platform.admin']],
                }),
              ),
            },
            { description: 'A second step after the password or the email code' },
          ),
        ),
        trustedDevices: Type.Optional(
          Type.String({
            pattern: POSITIVE_DURATION_PATTERN,
            description:
              'For how long people can leave out the second factor in a browser that they trust, from 1h to 90d',
            examples: ['30d'],
          }),
        ),
      },
      { description: 'Ways to sign in. Without this key, email and password' },
    ),
  ),
  sessions: Type.Optional(
    Type.Object({
      ttl: Duration('7d', 'Idle lifetime of a login'),
      max: Duration('30d', 'Maximum lifetime of a login, however often it is used'),
      perUser: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1000,
          description: 'Logins of a user at a time. One more ends the login that was not used for the longest time',
        }),
      ),
    }),
  ),
})
export type IdentityOptions = Static<typeof IdentityOptions>

/** A provider of accounts. `issuer`: any with OpenID Connect. */
export interface Provider extends Omit<ProviderOptions, 'label'> {
  readonly name: string
  readonly label: string
  readonly kind: 'google' | 'github' | 'microsoft' | 'apple' | 'issuer'
}
const KNOWN_PROVIDERS = { google: 'Google', github: 'GitHub', microsoft: 'Microsoft', apple: 'Apple' } as const

export const isKnownProvider = (name: string): name is keyof typeof KNOWN_PROVIDERS =>
  Object.hasOwn(KNOWN_PROVIDERS, name)

export const providersOf = ({ signIn }: IdentityOptions): readonly Provider[] =>
  Object.entries(signIn?.providers ?? {}).map(([name, { label, issuer, ...given }]) => {
    const options = { ...given, ...(issuer !== undefined && { issuer: pastedIssuer(issuer) }) }
    return isKnownProvider(name)
      ? { ...options, name, kind: name, label: label ?? KNOWN_PROVIDERS[name] }
      : { ...options, name, kind: 'issuer', label: label ?? name }
  })

/** The optional packages of the ways to sign in. */
export function packagesFor(options: IdentityOptions): OptionalPackage[] {
  const providers = providersOf(options)
  const packages: OptionalPackage[] = []
  if (options.signIn?.passkeys) packages.push('@simplewebauthn/server')
  if (providers.some(({ kind }) => kind === 'apple')) packages.push('jose')
  if (options.signIn?.enterprise) packages.push('@node-saml/node-saml')
  if (providers.length > 0 || options.signIn?.enterprise) packages.push('openid-client')
  if (options.signIn?.challenge) packages.push('altcha-lib')
  if (options.signIn?.secondFactor) packages.push('otpauth', 'qrcode')
  return packages
}

/** Options with defaults applied. Durations are in milliseconds. */
export interface IdentitySettings {
  /** Addresses of the legal texts. */
  readonly terms: string | undefined
  readonly privacy: string | undefined
  /** Whom people who are suspended write to. */
  readonly contact: string | undefined
  readonly openRegistration: boolean
  readonly disposableDomains: ReadonlySet<string>
  readonly workspace: 'auto' | 'none'
  /** In a product of people, the role of everybody who registers. */
  readonly customerRole: string | undefined
  /** undefined: only in production, if a module provides a mailer. */
  readonly requireVerifiedEmail: boolean | undefined
  readonly impersonation: boolean
  readonly invitationTtl: number
  readonly defaultRole: string
  /** Whether email and password is a way to sign in. */
  readonly passwords: boolean
  readonly passkeys: boolean
  readonly providers: readonly Provider[]
  /** Single sign-on of workspaces, if it is on. */
  readonly enterprise: { readonly allowHosts?: readonly string[]; readonly dnsServers?: readonly string[] } | undefined
  /** URLs of native apps. */
  readonly apps: readonly string[]
  /** Whether people can use an authenticator app as a second factor. */
  readonly totp: boolean
  /** undefined: every sign-in needs the second factor. */
  readonly trustedDeviceTtl: number | undefined
  /** Roles that require a second factor. */
  readonly secondFactorRoles: readonly string[]
  /** Whether a code or a link from a mail is a way to sign in. */
  readonly emailLink: boolean
  readonly emailLinkTtl: number
  readonly minLength: number
  readonly blocklist: readonly string[]
  /** A service that knows leaked passwords. */
  readonly breachUrl: string | undefined
  /** Failed sign-ins after which a challenge has to be solved; undefined: never. */
  readonly challengeAfter: number | undefined
  readonly loginTtl: number
  readonly loginMaxAge: number
  /** Logins of a user at a time; undefined: no limit. */
  readonly maxLogins: number | undefined
}

export function createSettings({ product }: Deps<'product'>, options: IdentityOptions): IdentitySettings {
  const { trustedDevices } = options.signIn ?? {}
  const password = options.signIn?.password ?? {}
  const rules = password === false ? {} : password
  const loginMaxAge = milliseconds(options.sessions?.max ?? '30d')
  return {
    terms: options.terms,
    privacy: options.privacy,
    contact: options.contact,
    openRegistration: options.registration?.open ?? true,
    workspace: options.registration?.workspace ?? 'auto',
    customerRole: product.audience === 'people' ? (options.registration?.role ?? CUSTOMER) : undefined,
    disposableDomains: new Set(options.registration?.disposableDomains?.map(domain => normalDomain(domain) ?? domain)),
    requireVerifiedEmail: options.requireVerifiedEmail,
    impersonation: options.impersonation ?? false,
    invitationTtl: milliseconds(options.invitations?.ttl ?? '7d'),
    defaultRole: options.invitations?.defaultRole ?? MEMBER,
    passwords: password !== false,
    passkeys: options.signIn?.passkeys !== undefined,
    providers: providersOf(options),
    enterprise: options.signIn?.enterprise,
    apps: options.signIn?.apps ?? [],
    totp: options.signIn?.secondFactor !== undefined,
    trustedDeviceTtl: trustedDevices === undefined ? undefined : milliseconds(trustedDevices),
    secondFactorRoles: options.signIn?.secondFactor?.requiredFor ?? [],
    emailLink: options.signIn?.emailLink !== undefined,
    emailLinkTtl: milliseconds(options.signIn?.emailLink?.ttl ?? '10m'),
    minLength: rules.minLength ?? 8,
    blocklist: rules.blocklist ?? [],
    breachUrl: rules.breachUrl,
    challengeAfter: options.signIn?.challenge && (options.signIn.challenge.after ?? 5),
    loginTtl: Math.min(milliseconds(options.sessions?.ttl ?? '7d'), loginMaxAge),
    loginMaxAge,
    maxLogins: options.sessions?.perUser,
  }
}

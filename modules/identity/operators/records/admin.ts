/** Replies of the operator's routes. */
import { Nullable, named, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'
import { SsoConnection, SsoDomain } from '../../sign-in/sso/records.ts'
import { User } from '../../users/records/account.ts'
import type { ProfileValues } from '../../users/records/profile.ts'
import { ApiKey } from '../../workspaces/keys/records.ts'
import { MembershipWithTenant, Tenant } from '../../workspaces/records.ts'

const summary = {
  ...User.properties,
  tenants: Type.Integer({ description: 'Number of workspaces' }),
  lastSignInAt: Nullable(Timestamp),
}
export const UserSummary = named('UserSummary', Type.Object(summary))
export type UserSummary = Static<typeof UserSummary>

/** @param profile documented with the fields of the recipe: see `recipeSchemas` */
export const userDetails = (profile: typeof ProfileValues) =>
  named(
    'UserDetails',
    Type.Object({
      ...summary,
      profile,
      memberships: Type.Array(MembershipWithTenant),
      isCustomer: Type.Boolean({ description: 'Whether the user has the role of customers in a product of people' }),
      suspendedAt: Nullable(
        Type.Unsafe<string>({ ...Timestamp, description: 'When an operator suspended the user as a customer' }),
      ),
      suspensionReason: Nullable(Type.String()),
      isStaff: Type.Boolean({ description: 'Whether the user has another role in a product of people' }),
      secondFactor: Type.Boolean({ description: 'Whether the user has an authenticator app' }),
      impersonable: Type.Boolean({ description: 'Whether the caller can act as this user' }),
      impersonationEnabled: Type.Boolean({ description: 'Whether the recipe lets operators act as users' }),
    }),
  )
export type UserDetails = Static<ReturnType<typeof userDetails>>

export const TenantSummary = named(
  'TenantSummary',
  Type.Object({
    ...Tenant.properties,
    members: Type.Integer({ description: 'Number of members' }),
    suspendedAt: Nullable(Timestamp),
    suspensionReason: Nullable(Type.String()),
  }),
)
export type TenantSummary = Static<typeof TenantSummary>

const { domain, verifiedAt, missingSince } = SsoDomain.properties
const { protocol, issuer, enabled, required } = SsoConnection.properties
const SingleSignOn = named(
  'TenantSingleSignOn',
  Type.Object({
    domains: Type.Array(named('TenantSsoDomain', Type.Object({ domain, verifiedAt, missingSince }))),
    provider: Nullable(
      named(
        'TenantSsoProvider',
        Type.Object({
          protocol,
          issuer,
          enabled,
          required,
          testedAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'When a test last succeeded' })),
          expiresAt: Nullable(
            Type.Unsafe<string>({ ...Timestamp, description: 'When the last certificate of a SAML provider expires' }),
          ),
        }),
      ),
    ),
  }),
)
export const TenantDetails = named(
  'TenantDetails',
  Type.Object({ ...TenantSummary.properties, singleSignOn: Nullable(SingleSignOn) }),
)
export type TenantDetails = Static<typeof TenantDetails>

const { key: _secret, ...apiKey } = ApiKey.properties
export const UserApiKey = named(
  'UserApiKey',
  Type.Object({
    ...apiKey,
    tenant: named('ApiKeyTenant', Type.Object({ id: Type.String(), name: Type.String() })),
  }),
)
export type UserApiKey = Static<typeof UserApiKey>

/** Single sign-on of a workspace: its email domains and its provider. */
import {
  Bytes,
  idPattern,
  Nullable,
  named,
  type RecordOf,
  type Static,
  Timestamp,
  Type,
  table,
} from '@larder-dev/larder/kernel'

const Text = Type.String()

export const SsoDomain = named(
  'SsoDomain',
  Type.Object({
    id: Type.String({ pattern: idPattern('ssd') }),
    domain: Type.String({ description: 'In lower case and ASCII' }),
    record: Type.String({ description: 'Value of the TXT record of the domain that proves that it is yours' }),
    verifiedAt: Nullable(Timestamp),
    checkedAt: Nullable(Timestamp),
    missingSince: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
)
export type SsoDomain = Static<typeof SsoDomain>

const { record: _record, ...storedDomain } = SsoDomain.properties
export const ssoDomainTable = table('identity_sso_domains', Type.Object({ ...storedDomain, token: Text }), {
  what: 'domain',
  hidden: { tenantId: Text },
})
export type StoredSsoDomain = RecordOf<typeof ssoDomainTable>

export const RoleMapping = named(
  'SsoRoleMapping',
  Type.Object({
    group: Type.String({ minLength: 1, maxLength: 256, description: 'Name or ID of a group, as in the groups claim' }),
    role: Type.String({ minLength: 1, maxLength: 64, description: 'Key of the role that its members get' }),
  }),
)
export type RoleMapping = Static<typeof RoleMapping>

export const SsoTest = named(
  'SsoTest',
  Type.Object({
    at: Timestamp,
    problem: Nullable(Type.String({ description: 'Why the test failed' })),
    email: Nullable(Text),
    groups: Type.Array(Text),
    claims: Type.Record(Type.String(), Type.Unknown(), { description: 'Claims of the person who signed in' }),
  }),
)
export type SsoTest = Static<typeof SsoTest>

/** What a workspace enters, with the defaults of the standard. */
export const SsoConfiguration = Type.Object({
  issuer: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'URL of the provider, as in its OpenID Connect discovery document',
  }),
  clientId: Type.String({ minLength: 1, maxLength: 512 }),
  clientSecret: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Is never returned. Leave it out to keep the stored one',
    }),
  ),
  scope: Type.Optional(
    Type.String({
      pattern: '^openid( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$',
      maxLength: 512,
      default: 'openid email profile',
    }),
  ),
  groupsClaim: Type.Optional(Type.String({ minLength: 1, maxLength: 256, default: 'groups' })),
  roleMappings: Type.Optional(Type.Array(RoleMapping, { maxItems: 100, default: [] })),
  defaultRole: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Role of people without a mapped group. By default the role of invitations',
      }),
    ),
  ),
  syncRoles: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether each sign-in updates mapped roles, or only the first one sets them',
    }),
  ),
})
export type SsoConfiguration = Static<typeof SsoConfiguration>

const settings = {
  id: Type.String({ pattern: idPattern('sso') }),
  ...{ issuer: Text, clientId: Text, scope: Text, groupsClaim: Text },
  roleMappings: Type.Array(RoleMapping),
  defaultRole: Nullable(Text),
  syncRoles: Type.Boolean(),
  enabled: Type.Boolean({ description: 'Whether people with an address of a verified domain can sign in' }),
  required: Type.Boolean({ description: 'Whether members with such an address must. Owners never have to' }),
  testedAt: Nullable(Timestamp),
  lastTest: Nullable(SsoTest),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
export const SsoConnection = named(
  'SsoConnection',
  Type.Object({
    ...settings,
    callbackUrl: Type.String({ description: 'Register it at the provider as redirect URI' }),
  }),
)
export type SsoConnection = Static<typeof SsoConnection>

export const ssoConnectionTable = table('identity_sso_connections', Type.Object(settings), {
  what: 'single sign-on',
  hidden: { tenantId: Text, clientSecret: Bytes },
})
export type StoredSsoConnection = RecordOf<typeof ssoConnectionTable>

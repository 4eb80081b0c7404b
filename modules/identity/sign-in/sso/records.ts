/** Single sign-on of a workspace: its email domains and its provider. */
import {
  Bytes,
  idPattern,
  Nullable,
  named,
  OneOf,
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
    group: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Name or ID of a group, as the provider sends it',
    }),
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

/** Which of a provider's people get which roles. */
const people = {
  groupsClaim: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, default: 'groups', description: 'Claim or attribute with the groups' }),
  ),
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
}

/** A provider of OpenID Connect, with the defaults of the standard. */
export const SsoConfiguration = Type.Object({
  issuer: Type.String({
    minLength: 1,
    maxLength: 1024,
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
  ...people,
})
export type SsoConfiguration = Static<typeof SsoConfiguration>

export const MAX_CERTIFICATES = 10
const MAX_METADATA_LENGTH = 500_000
const Url = Type.String({ minLength: 1, maxLength: 2048 })

/** A provider of SAML, by its metadata or by its parts. */
export const SamlConfiguration = Type.Object({
  metadata: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_METADATA_LENGTH, description: 'XML of the metadata of the provider' }),
  ),
  metadataUrl: Type.Optional(
    Type.String({ ...Url, description: 'Where the provider publishes its metadata. It is read again every day' }),
  ),
  issuer: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Entity ID of the provider, with `signInUrl` and `certificates`, instead of its metadata',
    }),
  ),
  signInUrl: Type.Optional(
    Type.String({ ...Url, description: 'Address of the sign-in with the binding HTTP-Redirect' }),
  ),
  certificates: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 16_384 }), {
      minItems: 1,
      maxItems: MAX_CERTIFICATES,
      description: 'Certificates with which the provider signs, in PEM format. While it changes its certificate: both',
    }),
  ),
  emailAttribute: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Attribute with the address. By default one of the usual names, or else the NameID',
      }),
    ),
  ),
  ...people,
})
export type SamlConfiguration = Static<typeof SamlConfiguration>

export const SamlCertificate = named(
  'SamlCertificate',
  Type.Object({
    pem: Text,
    subject: Text,
    fingerprint: Type.String({ description: 'SHA-256' }),
    validFrom: Timestamp,
    expiresAt: Timestamp,
  }),
)
export type SamlCertificate = Static<typeof SamlCertificate>

export const SamlProvider = named(
  'SamlProvider',
  Type.Object({
    signInUrl: Text,
    certificates: Type.Array(SamlCertificate),
    metadataUrl: Nullable(Text),
    readAt: Timestamp,
    emailAttribute: Nullable(Text),
  }),
)
export type SamlProvider = Static<typeof SamlProvider>

const settings = {
  id: Type.String({ pattern: idPattern('sso') }),
  protocol: OneOf(['oidc', 'saml'], { description: 'OpenID Connect or SAML' }),
  issuer: Type.String({ description: 'Of SAML: the entity ID of the provider' }),
  clientId: Nullable(Type.String({ description: 'Of OpenID Connect, like `scope`' })),
  scope: Nullable(Text),
  saml: Nullable(SamlProvider),
  groupsClaim: Text,
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
    callbackUrl: Type.String({
      description: 'Of this workspace only. Register it at a provider of OpenID Connect as redirect URI',
    }),
  }),
)
export type SsoConnection = Static<typeof SsoConnection>

export const ssoConnectionTable = table('identity_sso_connections', Type.Object(settings), {
  what: 'single sign-on',
  hidden: { tenantId: Text, clientSecret: Nullable(Bytes) },
})
export type StoredSsoConnection = RecordOf<typeof ssoConnectionTable>

const SamlPerson = Type.Object({
  subject: Text,
  email: Nullable(Text),
  name: Nullable(Text),
  groups: Nullable(Type.Array(Text)),
  claims: Type.Record(Type.String(), Type.Unknown()),
  authnInstant: Type.Optional(Nullable(Text)),
})
export type SamlPerson = Static<typeof SamlPerson>

/** Whom a response of SAML identified, or why it was refused. */
export const SamlOutcome = Type.Object({
  person: Nullable(SamlPerson),
  problem: Nullable(Text),
  isExpired: Type.Boolean({ description: 'Whether no certificate of the provider is valid' }),
})
export type SamlOutcome = Static<typeof SamlOutcome>

export const samlRequestTable = table(
  'identity_saml_requests',
  Type.Object({ id: Text, connectionId: Text, outcome: Nullable(SamlOutcome), expiresAt: Timestamp }),
  { what: 'sign-in', hidden: { tenantId: Text, codeHash: Nullable(Bytes) } },
)

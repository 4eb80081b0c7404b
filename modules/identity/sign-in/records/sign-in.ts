/** Ways to sign in: those of the product, and those of a user. */
import {
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
import { User } from '../../users/records/account.ts'
import { Tenant } from '../../workspaces/records.ts'

const Text = Type.String()

export const signedInFields = {
  user: User,
  token: Type.String({ description: 'Dashboard token for `Authorization: Bearer dt_…`' }),
  expiresIn: Type.Integer({ description: 'Seconds until an unused login expires' }),
  workspace: Nullable(Tenant),
}

export const SignInMethodInfo = named(
  'SignInMethod',
  Type.Object({
    name: Type.String({ description: '`password`, `email-code`, or the name that a module gave it' }),
    label: Text,
    flow: OneOf(['credentials', 'redirect'], {
      description: '`credentials`: a client posts JSON. `redirect`: a browser opens `/sign-in/<name>`',
    }),
  }),
)
export type SignInMethodInfo = Static<typeof SignInMethodInfo>
export const SignedInReply = named('SignedIn', Type.Object(signedInFields))

export const SignInMethodList = named(
  'SignInMethods',
  Type.Object({
    data: Type.Array(SignInMethodInfo),
    registration: Type.Boolean({ description: 'Whether anyone can create an account' }),
  }),
)

/** A way in which a user can sign in. */
export const SignInWay = named(
  'SignInWay',
  Type.Object({
    id: Type.String({ description: '`password`, or the ID of an identity (`sid_…`)' }),
    method: Type.String({ description: 'Name of the sign-in method' }),
    label: Text,
    email: Nullable(Type.String({ description: 'The verified address of the account at the provider' })),
    removable: Type.Boolean({ description: 'false for the only way that is left' }),
    createdAt: Nullable(Timestamp),
    lastUsedAt: Nullable(Timestamp),
  }),
)
export type SignInWay = Static<typeof SignInWay>

export const identityFields = {
  id: Type.String({ pattern: idPattern('sid') }),
  userId: Text,
  method: Text,
  provider: Text,
  subject: Text,
  label: Nullable(Text),
  email: Nullable(Text),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
}
export const identityTable = table('identity_sign_in_identities', Type.Object(identityFields), {
  what: 'sign-in method',
})
export type StoredIdentity = RecordOf<typeof identityTable>

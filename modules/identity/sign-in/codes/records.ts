import { CodeOf, idPattern, Nullable, named, type RecordOf, Timestamp, Type, table } from '@larder-dev/larder/kernel'

const Text = Type.String()

export const EmailCode = Type.Object({
  request: Type.String({ pattern: idPattern('scr') }),
  code: CodeOf({ pattern: '^[0-9]{6}$' }),
})
export const EmailCodeRequest = named(
  'EmailCodeRequest',
  Type.Object({
    request: Type.String({ pattern: idPattern('scr'), description: 'Send it with the code. Keep it to yourself' }),
    expiresIn: Type.Integer({ description: 'Seconds until the code expires' }),
  }),
)
/** A code from a mail that proves who a signed-in person is. */
export const ProofCode = named(
  'ProofCode',
  Type.Object({
    request: Type.String({ pattern: idPattern('rpc') }),
    code: EmailCode.properties.code,
  }),
)
export const ProofCodeRequest = named(
  'ProofCodeRequest',
  Type.Object({
    request: Type.String({ pattern: idPattern('rpc'), description: 'Send it with the code' }),
    expiresIn: Type.Integer({ description: 'Seconds until the code expires' }),
  }),
)

export const emailCodeTable = table(
  'identity_email_codes',
  Type.Object({
    id: Type.String({ pattern: idPattern('scr') }),
    email: Text,
    locale: Nullable(Text),
    next: Text,
    expiresAt: Timestamp,
    usedAt: Nullable(Timestamp),
  }),
  { what: 'code', hidden: { emailKey: Text, attempts: Type.Integer() } },
)
export type StoredEmailCode = RecordOf<typeof emailCodeTable>

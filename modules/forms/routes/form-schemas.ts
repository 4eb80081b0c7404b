/** Forms and submissions as they stand in bodies and answers. */
import { idPattern, Nullable, OneOf, type Static, Timestamp, Type } from 'larder/kernel'
import type { Json } from '../domain/schema-traversal.ts'

export const ACCESS = ['tenant', 'public'] as const

/** The database gives a Date; it goes over the wire as RFC 3339. */
const Time = Type.Unsafe<Date>(Timestamp)
/** What it may hold is looked at by hand: no schema can say it. */
const AnyObject = (description: string) =>
  Type.Unsafe<Json>({ type: 'object', additionalProperties: true, description })
/** Goes out as it is. */
const AsItIs = <T>(description: string) => Type.Unsafe<T>({ description })

export const Key = Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$' })
export const Name = Type.String({
  minLength: 1,
  maxLength: 120,
  pattern: '^[^\\x00-\\x1f\\x7f]*[^\\s\\x00-\\x1f\\x7f][^\\x00-\\x1f\\x7f]*$',
  examples: ['Newsletter'],
})
export const Access = OneOf(ACCESS, { description: 'Who may send it: members with the permission, or anybody' })
export const FormSchema = AnyObject('JSON Schema 2020-12 or draft-07 of an object; 64 KiB, 20 levels, no remote $ref')
export const UiSchema = AnyObject(
  'How it is shown, in the words of react-jsonschema-form: ui:widget, ui:order, ui:help',
)
export const Notify = Type.Array(Type.String({ format: 'email', maxLength: 254 }), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Who gets a mail about each submission that is no spam',
})
export const AllowedOrigins = Type.Array(
  Type.String({ pattern: '^https?://[a-z0-9.-]+(:[0-9]{1,5})?$', maxLength: 255, examples: ['https://shop.example'] }),
  { maxItems: 20, uniqueItems: true, description: 'Sites that may show the page of this form inside theirs' },
)

const fields = {
  name: Name,
  access: Type.Optional(Access),
  schema: FormSchema,
  uiSchema: Type.Optional(Nullable(UiSchema)),
  notify: Type.Optional(Notify),
  allowedOrigins: Type.Optional(AllowedOrigins),
}
const example = {
  name: 'Newsletter',
  access: 'public',
  schema: {
    type: 'object',
    required: ['email'],
    properties: { email: { type: 'string', format: 'email', title: 'E-mail' }, news: { type: 'boolean' } },
  },
  uiSchema: { 'ui:submitButtonOptions': { submitText: 'Subscribe' } },
}
export const NewForm = Type.Object(fields, { examples: [example] })
export type NewForm = Static<typeof NewForm>
export const FormPatch = Type.Partial(Type.Object(fields), { examples: [{ name: 'News of ours' }] })
export type FormPatch = Static<typeof FormPatch>

const listed = {
  id: Type.String({ pattern: idPattern('frm') }),
  key: Nullable(Type.String({ description: 'Its name in the recipe' })),
  name: Type.String(),
  access: Access,
  notify: Type.Array(Type.String()),
  allowedOrigins: Type.Array(Type.String()),
  version: Type.Integer({ description: 'Goes up with every change' }),
  url: Type.String({ description: 'The page that shows it' }),
  managedBy: Nullable(Type.String({ description: 'recipe, or null where the tenant made it' })),
  createdAt: Time,
  updatedAt: Time,
}
/** Lists leave the schemas out. */
export const FormSummary = Type.Object(listed)
export type FormSummary = Static<typeof FormSummary>
export const Form = Type.Object({
  ...listed,
  schema: AsItIs<Json>('As written'),
  uiSchema: AsItIs<Json | null>('Or null'),
})
export type Form = Static<typeof Form>

/** What somebody needs who is about to fill it in. */
export const Blank = Type.Object({
  id: Type.String(),
  name: Type.String(),
  version: Type.Integer(),
  schema: AsItIs<Json>('As written'),
  uiSchema: AsItIs<Json | null>('Or null'),
  token: Type.String({ description: 'For meta.token: says which version was shown, and when; good for a day' }),
})
export type Blank = Static<typeof Blank>

const MetaValue = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean(), Type.Null()])
/** A map of plain values; two names mean something, the rest is kept beside the entry. */
export const Meta = Type.Unsafe<Readonly<Record<string, string | number | boolean | null>>>({
  type: 'object',
  properties: {
    token: { type: 'string', maxLength: 200, description: 'Of the form as it was shown' },
    website: {
      type: 'string',
      maxLength: 1000,
      description: 'A field that people do not see: whoever fills it is a machine',
    },
  },
  additionalProperties: MetaValue,
  propertyNames: { maxLength: 100 },
  maxProperties: 20,
})
export type Meta = Static<typeof Meta>
export const NewSubmission = Type.Object(
  { data: AnyObject('The entry, as the form’s schema wants it'), meta: Type.Optional(Meta) },
  { examples: [{ data: { email: 'ada@example.com', message: 'Hello' } }] },
)
export type NewSubmission = Static<typeof NewSubmission>

const received = {
  id: Type.String({ pattern: idPattern('sub') }),
  formId: Type.String(),
  formVersion: Type.Integer(),
  data: AsItIs<Json>('The entry'),
  createdAt: Time,
}
/** For whoever sent it: whether it was taken for spam is not theirs to know. */
export const Receipt = Type.Object(received)
export type Receipt = Static<typeof Receipt>
export const Submission = Type.Object({
  ...received,
  meta: AsItIs<Meta>('What was sent beside the entry'),
  spam: Type.Boolean(),
  spamReason: Nullable(Type.String({ description: 'honeypot, too_fast, forged_token, no_token or duplicate' })),
  createdBy: Nullable(Type.String({ description: 'User id; null where the public sent it' })),
})
export type Submission = Static<typeof Submission>

/** Forms in request bodies and replies. */
import {
  bodyOf,
  idPattern,
  NameOf,
  Nullable,
  named,
  OneOf,
  type RecordOf,
  type Static,
  Time,
  Type,
  table,
  Writable,
} from '@larder-dev/larder/kernel'
import { ACCESS } from '../domain/access.ts'
import { RecipientStateSchema } from '../domain/recipients.ts'
import type { Json } from '../domain/schema-traversal.ts'

/** An object that a schema can't describe. Handlers validate it. */
export const AnyObject = (description: string) =>
  Type.Unsafe<Json>({ type: 'object', additionalProperties: true, description })
/** A value that is sent unchanged. */
export const AnyValue = <T>(description: string) => Type.Unsafe<T>({ description })

export const FormKey = Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$' })
export const MAX_NAME_LENGTH = 120
const Name = { ...NameOf(MAX_NAME_LENGTH), examples: ['Newsletter'] }
export const Access = OneOf(ACCESS, { description: 'Who may submit it: members with the permission, or everyone' })
const FormSchema = AnyObject(
  'JSON Schema 2020-12 or draft-07 of an object; 64 KiB, 20 levels, no remote $ref; titles and descriptions in one or several languages',
)
const UiSchema = AnyObject('How the form is displayed, as in react-jsonschema-form: ui:widget, ui:order, ui:help')
const Notify = Type.Array(Type.String({ format: 'email', maxLength: 254 }), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Addresses that get an email about each submission that is not spam. Non-members must confirm',
})
const AllowedOrigins = Type.Array(
  Type.String({
    pattern: '^https?://[^\\x00-\\x2c/\\x3a-\\x60\\x7b-\\x7f]+(:[0-9]{1,5})?$',
    maxLength: 255,
    examples: ['https://shop.example'],
  }),
  { maxItems: 20, uniqueItems: true, description: 'Sites that may embed the page of this form' },
)

const listed = {
  id: Type.String({ pattern: idPattern('frm') }),
  key: Nullable(Type.String({ description: 'Key in the recipe' })),
  name: Writable(Type.String(), Name),
  access: Writable(Access, Type.Optional(Access)),
  notify: Writable(Type.Array(Type.String()), Type.Optional(Notify)),
  recipients: Type.Array(named('FormRecipient', Type.Object({ address: Type.String(), state: RecipientStateSchema })), {
    description: 'The state of each address in `notify`',
  }),
  allowedOrigins: Writable(Type.Array(Type.String()), Type.Optional(AllowedOrigins)),
  version: Type.Integer({ description: 'Incremented by every change' }),
  url: Type.String({ description: 'URL of the form page' }),
  managedBy: Nullable(Type.String({ description: 'recipe, or null for a form of the tenant' })),
  createdAt: Time,
  updatedAt: Time,
}
/** A form without its schemas. */
export const FormSummary = named('FormSummary', Type.Object(listed))
export type FormSummary = Static<typeof FormSummary>
const schemas = {
  schema: Writable(AnyValue<Json>('The schema as written'), FormSchema),
  uiSchema: Writable(AnyValue<Json | null>('Or null'), Type.Optional(Nullable(UiSchema))),
}
export const Form = named('Form', Type.Object({ ...listed, ...schemas }))
export type Form = Static<typeof Form>

const example = {
  name: 'Newsletter',
  access: 'public',
  schema: {
    type: 'object',
    required: ['email'],
    properties: { email: { type: 'string', format: 'email', title: 'Email' }, news: { type: 'boolean' } },
  },
  uiSchema: { 'ui:submitButtonOptions': { submitText: 'Subscribe' } },
}
export const NewForm = Type.Object(bodyOf({ ...listed, ...schemas }), { examples: [example] })
export type NewForm = Static<typeof NewForm>
export const FormPatch = Type.Partial(NewForm, { examples: [{ name: 'Company newsletter' }] })
export type FormPatch = Static<typeof FormPatch>

const { recipients: _, url: _url, ...stored } = listed
/** What applies to all versions of a form. */
export const formTable = table('forms_forms', Type.Object(stored), {
  what: 'form',
  hidden: { tenantId: Type.String(), recipeHash: Nullable(Type.String()) },
})
export const versionTable = table(
  'forms_versions',
  Type.Object({ number: Type.Integer(), name: Type.String(), ...schemas }),
  {
    what: 'version',
    key: 'number',
    hidden: { tenantId: Type.String(), formId: Type.String(), createdBy: Nullable(Type.String()), createdAt: Time },
  },
)
export type VersionRow = RecordOf<typeof versionTable>

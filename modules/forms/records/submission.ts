/** Submissions in request bodies and replies. */
import {
  Bytes,
  bodyOf,
  documented,
  idPattern,
  Nullable,
  named,
  type RecordOf,
  type Static,
  Time,
  Type,
  table,
  Writable,
  without,
} from '@larder-dev/larder/kernel'
import type { Json } from '../domain/schema-traversal.ts'
import { AnyObject, AnyValue } from './form.ts'

/** A form as a page needs it to collect a submission. */
export const BlankForm = named(
  'BlankForm',
  Type.Object({
    id: Type.String(),
    name: Type.String({ description: 'The title of the schema, or the name of the form' }),
    version: Type.Integer(),
    schema: AnyValue<Json>('The schema, with its texts in the language that the request accepts'),
    uiSchema: AnyValue<Json | null>('Or null'),
    token: Type.String({
      description: 'Send it as meta.token: it states which version was shown, and when; valid for a day',
    }),
  }),
)
export type BlankForm = Static<typeof BlankForm>

const MetaValue = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean(), Type.Null()])
/** A map of plain values. `token` and `website` are used by the spam check; the others are stored with the entry. */
export const Meta = named(
  'NewSubmissionMeta',
  Type.Unsafe<Readonly<Record<string, string | number | boolean | null>>>({
    type: 'object',
    properties: {
      token: { type: 'string', maxLength: 200, description: 'The token of the form that was shown' },
      website: {
        type: 'string',
        maxLength: 1000,
        description: 'A hidden field that people leave empty: a submission with a value is spam',
      },
    },
    // Generated clients in Go don't compile with nullable values in a map, and those in TypeScript with a type beside `token`.
    additionalProperties: documented(Type.Unknown({ description: 'A text, a number, a boolean or null' }), MetaValue),
    propertyNames: { maxLength: 100 },
    maxProperties: 20,
  }),
)
const StoredMeta = Type.Record(Type.String(), MetaValue, { description: 'The additional values of the submission' })
export type Meta = Static<typeof Meta>
export const NewSubmission = Type.Object(
  { data: AnyObject('The entry, valid against the schema of the form'), meta: Type.Optional(Meta) },
  { examples: [{ data: { email: 'ada@example.com', message: 'Hello' } }] },
)
export type NewSubmission = Static<typeof NewSubmission>

const receipt = {
  id: Type.String({ pattern: idPattern('sub') }),
  formId: Type.String(),
  formVersion: Type.Integer(),
  data: AnyValue<Json>('The entry'),
  createdAt: Time,
}
/** The reply to the submitter, who must not learn whether it is spam. */
export const Receipt = named('SubmissionReceipt', Type.Object(receipt), {
  leavesOut: ['createdBy', 'fingerprint', 'json', 'meta', 'shownAt', 'spamReason', 'tenantId'],
})
export type Receipt = Static<typeof Receipt>
export const Submission = named(
  'Submission',
  Type.Object({
    ...receipt,
    meta: documented(StoredMeta, AnyValue<Meta>('The additional values of the submission')),
    spam: Type.Boolean(),
    spamReason: Nullable(
      Type.String({ description: 'honeypot, too_fast, forged_token, no_token, duplicate or manual' }),
    ),
    note: Writable(
      Nullable(Type.String({ description: 'Internal note; submitters never see it' })),
      Type.Optional(
        Nullable(Type.String({ maxLength: 5000, description: 'Only your team sees it. Leave empty to remove it.' })),
      ),
    ),
    createdBy: Nullable(Type.String({ description: 'User id; null for a public submission' })),
    rowId: Nullable(
      Type.String({ description: 'The row that it created, if the recipe sends submissions into a collection' }),
    ),
  }),
)
export type Submission = Static<typeof Submission>

export const storedSubmission = without(Submission.properties, ['spam'])
/** `spamReason` is null unless the submission is spam. */
export const submissionTable = table('forms_submissions', Type.Object(storedSubmission), {
  what: 'submission',
  columns: { spamReason: 'spam' },
  hidden: {
    tenantId: Type.String(),
    /** Set for public submissions while an equal one counts as a duplicate. */
    fingerprint: Nullable(Bytes),
  },
})
export type SubmissionRow = RecordOf<typeof submissionTable>

export const SubmissionPatch = Type.Object(
  {
    spam: Type.Optional(Type.Boolean({ description: 'False delivers a submission that the spam check held back' })),
    ...bodyOf(Submission.properties),
  },
  { minProperties: 1, examples: [{ spam: false, note: 'Called back on Monday' }] },
)
export type SubmissionPatch = Static<typeof SubmissionPatch>

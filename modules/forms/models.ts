import type { Models } from 'larder/kernel'
import type { Submission } from './records/submission.ts'

/** `spamReason` is null unless the submission is spam. */
export type SubmissionRow = Omit<Submission, 'spam'>

export const submissionModel = (models: Models) =>
  models.define<SubmissionRow>(
    'FormsSubmission',
    types => ({
      formId: { type: types.TEXT, primaryKey: true },
      id: { type: types.TEXT, primaryKey: true },
      formVersion: types.INTEGER,
      data: types.JSON,
      meta: types.JSON,
      spamReason: { type: types.TEXT, field: 'spam' },
      note: types.TEXT,
      createdBy: types.TEXT,
      createdAt: types.DATE,
    }),
    { tableName: 'forms_submissions' },
  )

/** What forms gives and tells: types alone. */
import type { Forms } from './services/form-services.ts'

export interface FormNotice {
  formId: string
  key: string | null
  name: string
  access: 'tenant' | 'public'
  version: number
}
export interface SubmissionNotice {
  formId: string
  submissionId: string
  formVersion: number
}

declare module 'larder/kernel' {
  interface Ports {
    /** The services behind the routes of forms. */
    forms: Forms
  }
  interface Events {
    'forms.form.created': FormNotice
    'forms.form.updated': FormNotice
    'forms.form.deleted': FormNotice
    /** A new entry, unless it was taken for spam. */
    'forms.submission.created': SubmissionNotice
    'forms.submission.deleted': SubmissionNotice
  }
  interface Jobs {
    /** What was sent to a form while it was being deleted. */
    'forms.forget': { formId: string }
  }
}

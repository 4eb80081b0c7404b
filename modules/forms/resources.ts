import { type Registrations, without } from '@larder-dev/larder/kernel'
import { Submission } from './records/submission.ts'

/** `id`, `formId` and `meta` stay out of the list; it has the others at fixed places. */
const LISTED_AFTER_ENTRY = Object.keys(
  without(Submission.properties, ['id', 'formId', 'formVersion', 'data', 'createdAt', 'meta', 'spam', 'spamReason']),
)

export const resources: Registrations['resources'] = [
  {
    name: 'forms',
    group: 'content',
    title: 'Forms',
    singular: 'Form',
    label: 'name',
    icon: 'clipboard-list',
    operations: { list: 'listForms', get: 'getForm', create: 'createForm', update: 'updateForm', delete: 'deleteForm' },
    columns: ['name', 'access', 'version', 'url', 'updatedAt', 'managedBy'],
    filters: ['filter[access]'],
    states: {
      access: { public: { title: 'Everyone' }, tenant: { title: 'Members of the workspace' } },
      managedBy: { recipe: { title: 'From the recipe' } },
    },
    fields: ['name', 'access', 'schema', 'uiSchema', 'notify', 'allowedOrigins'],
    relations: [{ resource: 'forms.submissions', parameters: { id: 'id' } }],
  },
  {
    name: 'submissions',
    title: 'Submissions',
    singular: 'Submission',
    label: 'id',
    icon: 'inbox',
    within: 'forms.forms',
    operations: {
      list: 'listSubmissions',
      get: 'getSubmission',
      update: 'updateSubmission',
      delete: 'deleteSubmission',
    },
    columns: ['createdAt', 'data', 'spam', 'spamReason', ...LISTED_AFTER_ENTRY],
    filters: ['filter[spam]'],
    sort: 'sort',
  },
]

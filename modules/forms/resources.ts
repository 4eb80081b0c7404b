import type { Registrations } from '@larder-dev/larder/kernel'

export const resources: Registrations['resources'] = [
  {
    name: 'forms',
    title: 'Forms',
    singular: 'Form',
    label: 'name',
    icon: 'clipboard-list',
    operations: { list: 'listForms', get: 'getForm', create: 'createForm', update: 'updateForm', delete: 'deleteForm' },
    columns: ['name', 'access', 'version', 'url', 'updatedAt', 'managedBy'],
    filters: ['filter[access]'],
    states: { access: { public: { title: 'Everyone' }, tenant: { title: 'Members of the workspace' } } },
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
    columns: ['createdAt', 'data', 'spam', 'spamReason', 'note', 'createdBy', 'formVersion'],
    filters: ['filter[spam]'],
    sort: 'sort',
  },
]

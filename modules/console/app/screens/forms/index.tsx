import type { Screen } from '../../public.ts'

const editor = () => import('./FormScreen.tsx')

export const screens: readonly Screen[] = [
  { resource: 'forms.forms', view: 'record', load: editor },
  { resource: 'forms.forms', view: 'edit', load: editor },
  { resource: 'forms.forms', view: 'create', load: editor },
  { resource: 'forms.submissions', view: 'record', load: () => import('./Submission.tsx') },
]

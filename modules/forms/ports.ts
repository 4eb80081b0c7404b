/** Events, jobs, channels and registrations of forms: types only. */
import type { ActionRecipe, PayloadsOf } from '@larder-dev/larder/kernel'
import type { events } from './events.ts'

/** A collection, as the check of a form needs it whose submissions create rows. */
export interface FormTarget {
  readonly collection: string
  /** Whether people who are not signed in may create rows. */
  readonly isOpen: boolean
  readonly fields: Readonly<Record<string, FormTargetField>>
}
export interface FormTargetField {
  readonly type: string
  /** Whether it has a list of references. */
  readonly many: boolean
  /** Whether a new row needs a value that no default gives. */
  readonly required: boolean
  /** Values of an enum. */
  readonly values: readonly string[] | undefined
  /** Whether rows can be created with a value. */
  readonly writable: boolean
  /** Whether only some roles may set it. */
  readonly restricted: boolean
}

declare module '@larder-dev/larder/kernel' {
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    /** Deletes submissions that were written while their form was being deleted. */
    'forms.delete_late_submissions': { formId: string }
    /** Emails a request to confirm notifications. */
    'forms.request_confirmation': { id: string; version: number; to: string }
    /** Deletes addresses that no form notifies any more. */
    'forms.sweep_recipients': Record<string, never>
  }
  interface Channels {
    'forms.changed': { formId: string }
  }
  interface Registrations {
    /** Collections whose rows submissions can create, found while a recipe is checked. */
    formTargets: { readonly constant: (recipe: Pick<ActionRecipe, 'modules' | 'section'>) => readonly FormTarget[] }
  }
}

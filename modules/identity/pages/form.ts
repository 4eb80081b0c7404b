import {
  type Caller,
  common,
  defineTexts,
  type FieldError,
  missingPermission,
  type PageResult,
  Problem,
  type TSchema,
  unworded,
  type Wording,
  wording,
} from '@larder-dev/larder/kernel'
import { createValidator } from '@larder-dev/larder/kernel/internal'

type Fields = Readonly<Record<string, string>>

/** Validates form fields like a request body. Empty fields count as absent. Throws `validation_failed`. */
export function formValidator<Body>(schema: TSchema): (form: Fields, names: readonly string[]) => Body {
  const check = createValidator().body(schema)
  return (form, names) => {
    const present = names.filter(name => form[name] !== undefined && form[name] !== '')
    return check(Object.fromEntries(present.map(name => [name, form[name]]))) as Body
  }
}

type PageData = Readonly<Record<string, unknown>>

/** Fields whose inputs show their own messages. */
const LABELS: Readonly<Record<string, string>> = defineTexts({
  email: 'Email',
  name: 'Name',
  slug: 'Slug',
  code: 'Code',
  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  domain: 'Domain',
  issuer: 'Issuer',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  scope: 'Requested scope',
  metadata: 'Metadata document',
  metadataUrl: 'Metadata address',
  signInUrl: 'Sign-in address',
  certificates: 'Certificate',
})
/** Labels of fields whose messages appear above the form, if they differ from the names in the API. */
const OTHERS: Readonly<Record<string, string>> = defineTexts({ label: 'Name' })

/** What a page shows about a rejected form. */
export interface FormErrors {
  /** Above the form. */
  readonly error: Wording
  /** Field → its message, for the partial `field-error`. */
  readonly invalid: Readonly<Record<string, Wording>>
}

/** A form that wasn't rejected. */
export const NO_ERRORS = { error: null, invalid: {} }

/**
 * Runs a form action. On a client error, shows the page again with the messages of `FormErrors`. Calls a `data` function only
 * then.
 */
export async function submit(
  data: PageData | ((refused: Problem) => Promise<PageData>),
  action: () => Promise<PageResult>,
): Promise<PageResult> {
  try {
    return await action()
  } catch (error) {
    if (!Problem.is(error) || error.status >= 500) throw error
    // The pages of the HTTP service ask the person, and lead back.
    if (error.code === common.reauthentication_required.code) throw error
    const shown = typeof data === 'function' ? await data(error) : data
    return { status: error.status, data: { ...shown, ...formErrors(error) } }
  }
}

function formErrors(problem: Problem): FormErrors {
  const all = errorsIn(problem)
  // The fields of a profile show their own messages.
  const errors = all.filter(({ pointer }) => !pointer.startsWith('/profile/'))
  const invalid = Object.fromEntries(
    errors.flatMap(error => (LABELS[fieldOf(error)] === undefined ? [] : [[fieldOf(error), sentence(error)]])),
  )
  const hidden = errors.filter(error => invalid[fieldOf(error)] === undefined)
  const count = Object.keys(invalid).length + all.length - errors.length
  return { invalid, error: count > 0 && hidden.length === 0 ? invalidFieldCount(count) : errorMessage(problem, hidden) }
}

/** One message for the whole problem, where no input can show its own. */
export function errorMessage(problem: Problem, errors = errorsIn(problem)): Wording {
  const [first, ...others] = errors.map(sentence)
  return others.reduce((said, next) => wording('{said} {next}', { said, next }), first ?? problem.wording)
}

export const invalidFieldCount = (count: number): Wording =>
  count === 1 ? wording('Check the marked field.') : wording('Check the {count} marked fields.', { count })

export const errorsIn = ({ extras }: Problem): readonly FieldError[] => (extras.errors ?? []) as readonly FieldError[]
const fieldOf = ({ pointer }: FieldError): string => pointer.slice(pointer.lastIndexOf('/') + 1)

function sentence(error: FieldError): Wording {
  const name = fieldOf(error)
  const words = name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  const field = unworded(LABELS[name] ?? OTHERS[name] ?? words)
  return wording('{field} {problem}.', { field, problem: error.wording })
}

/** The values of checkboxes with names such as `role:tenant.user`: a form keeps one value per name. */
export const checkedValues = (form: Fields, prefix: string): string[] =>
  Object.keys(form).flatMap(name => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))

/** Fails with 403 for actions of a page that need more than opening it. */
export function assertPermission(caller: Caller, permission: string): void {
  if (!caller.can(permission)) throw missingPermission(permission)
}

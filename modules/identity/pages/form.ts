import {
  type Caller,
  createValidator,
  type FieldError,
  type PageResult,
  Problem,
  type TSchema,
} from '@larder-dev/larder/kernel'
import { missingPermission } from '../problems.ts'

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

/** Runs a form action. On a client error, shows the page again with the error message. Calls a `data` function only then. */
export async function submit(
  data: PageData | (() => Promise<PageData>),
  action: () => Promise<PageResult>,
): Promise<PageResult> {
  try {
    return await action()
  } catch (error) {
    if (!Problem.is(error) || error.status >= 500) throw error
    const shown = typeof data === 'function' ? await data() : data
    return { status: error.status, data: { ...shown, error: errorMessage(error) } }
  }
}

export function errorMessage(problem: Problem): string {
  const errors = (problem.extras.errors ?? []) as readonly FieldError[]
  if (errors.length === 0) return problem.message
  return errors.map(({ pointer, detail }) => `${label(pointer)} ${detail}.`).join(' ')
}

function label(pointer: string): string {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  return name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}

/** The values of checkboxes with names such as `role:tenant.user`: a form keeps one value per name. */
export const checkedValues = (form: Fields, prefix: string): string[] =>
  Object.keys(form).flatMap(name => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))

/** Fails with 403 for actions of a page that need more than opening it. */
export function assertPermission(caller: Caller, permission: string): void {
  if (!caller.can(permission)) throw missingPermission(permission)
}

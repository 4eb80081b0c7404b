/** What the forms of all pages share: the same checks as the routes, and a refusal shown beside the form. */

import { createValidator, type FieldError, type PageResult, Problem, type TSchema } from 'larder/kernel'

type Fields = Readonly<Record<string, string>>

/** A form's fields as a route's body: what was left empty was not given. Throws `validation_failed`. */
export function checkedForm<Body>(schema: TSchema): (form: Fields, names: readonly string[]) => Body {
  const check = createValidator().body(schema)
  return (form, names) => {
    const given = names.filter(name => form[name] !== undefined && form[name] !== '')
    return check(Object.fromEntries(given.map(name => [name, form[name]]))) as Body
  }
}

/** Does what the form asks; a refusal becomes the same page again, with the reason. */
export async function attempt(
  data: Readonly<Record<string, unknown>>,
  work: () => Promise<PageResult>,
): Promise<PageResult> {
  try {
    return await work()
  } catch (error) {
    if (!Problem.is(error) || error.status >= 500) throw error
    return { status: error.status, data: { ...data, error: reason(error) } }
  }
}

function reason(problem: Problem): string {
  const errors = (problem.extras.errors ?? []) as readonly FieldError[]
  if (errors.length === 0) return problem.message
  return errors.map(({ pointer, detail }) => `${label(pointer)} ${detail}.`).join(' ')
}

function label(pointer: string): string {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  return name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}

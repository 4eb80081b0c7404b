/** Problems of mails that can't be rendered. */
import { fieldError, Problem, templateProblems, unworded, workerPoolProblems } from '@larder-dev/larder/kernel/internal'
import type { RenderFault } from './mail-override-task.ts'

/** Problem `template_failed`. Names the field of the data that is missing. */
export function templateFailed(
  template: string,
  { message: reason, missing }: RenderFault,
  code = missing ? 'required' : 'invalid',
): Problem {
  const pointer = missing && /^[\w.]+$/.test(missing) ? `/data/${missing.replaceAll('.', '/')}` : '/data'
  return templateProblems.template_failed(
    { template, reason },
    { errors: [fieldError(pointer, code, unworded(reason))] },
  )
}

/** Problem `template_failed` for data under a name that every mail has. */
export const reservedName = (template: string, name: string): Problem =>
  templateFailed(
    template,
    { message: `its data can't be named '${name}', because every mail has the ${name}`, missing: name },
    'not_allowed',
  )

/** The limit that a task of the worker pool exceeded; undefined for any other error. */
export const limitReason = (error: unknown): string | undefined =>
  Problem.is(error) && error.code === workerPoolProblems.limit_exceeded.code ? String(error.extras.reason) : undefined

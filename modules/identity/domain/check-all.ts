/** Reports the mistakes of several checks at once. */
import { common, type FieldError, invalidFields, Problem } from '@larder-dev/larder/kernel'

type Check<Result> = () => Result | Promise<Result>

/** Throws one `validation_failed` with the errors of all checks, or the first other problem. */
export async function checkAll<First, Rest extends readonly unknown[]>(
  first: Check<First>,
  ...rest: { readonly [Index in keyof Rest]: Check<Rest[Index]> }
): Promise<[First, ...Rest]> {
  const results = await Promise.allSettled([first, ...rest].map(async check => check()))
  const reasons = results.flatMap(result => (result.status === 'rejected' ? [result.reason as unknown] : []))
  const other = reasons.find(reason => !Problem.is(reason) || reason.code !== common.validation_failed.code)
  if (other !== undefined) throw other
  const errors = (reasons as Problem[]).flatMap(({ extras }) => (extras.errors ?? []) as readonly FieldError[])
  if (errors.length > 0) throw invalidFields(errors)
  return results.map(result => (result as PromiseFulfilledResult<unknown>).value) as [First, ...Rest]
}

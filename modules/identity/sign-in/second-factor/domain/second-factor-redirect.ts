/** Leads a browser that has passed the first factor to the page of the second one. */
import { Problem } from '@larder-dev/larder/kernel'
import { SECOND_FACTOR_PATH } from '../../../domain/return-path.ts'
import { secondFactorProblems } from '../problems.ts'

interface Redirect {
  readonly redirect: string
  readonly headers: Readonly<Record<string, string>>
}
/** Undefined unless a sign-in failed because it needs a second factor. */
export function secondFactorRedirect(error: unknown, next: string): Redirect | undefined {
  if (!Problem.is(error) || error.code !== secondFactorProblems.second_factor_required.code) return undefined
  return { redirect: `${SECOND_FACTOR_PATH}?next=${encodeURIComponent(next)}`, headers: error.headers }
}

/** Runs a sign-in of a page. Returns the redirect if it needs a second factor. */
export async function orSecondFactor<Result>(next: string, signIn: () => Promise<Result>): Promise<Result | Redirect> {
  try {
    return await signIn()
  } catch (error) {
    const redirect = secondFactorRedirect(error, next)
    if (redirect) return redirect
    throw error
  }
}

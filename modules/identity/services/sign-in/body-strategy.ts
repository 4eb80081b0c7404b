import type { SignInRequest, SignInStrategy } from '../../ports.ts'

/** A Passport strategy that verifies a body which its route or page has validated. */
export async function bodyStrategy<Body>(verify: (body: Body) => Promise<object | null>): Promise<SignInStrategy> {
  const { Strategy } = (await import('passport')).default
  return new (class extends Strategy {
    override authenticate({ body }: SignInRequest): void {
      verify(body as Body).then(
        verified => (verified ? this.success(verified) : this.fail('invalid')),
        (error: unknown) => this.error(error),
      )
    }
  })()
}

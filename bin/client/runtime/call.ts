import { type ErrorOf, LarderError } from './errors.ts'

export interface ResponseInfo {
  readonly status: number
  readonly headers: Headers
  /** The value for `ifMatch` of a later write. */
  readonly etag: string | undefined
  readonly requestId: string | undefined
}

export type Result<T, Code extends string = string> =
  | { readonly ok: true; readonly data: T; readonly error: undefined }
  | { readonly ok: false; readonly data: undefined; readonly error: ErrorOf<Code> }

/** @internal */
export interface Sent<T> {
  readonly data: T
  readonly response: ResponseInfo
}

/** A request in progress: a promise of the response body that throws a `LarderError`. */
export class Call<T, Code extends string = string> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Call'
  readonly #sent: Promise<Sent<T>>

  constructor(sent: Promise<Sent<T>>) {
    this.#sent = sent
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is awaited like a promise.
  then<A = T, B = never>(
    fulfilled?: ((data: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#sent.then(({ data }) => data).then(fulfilled, rejected)
  }

  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, rejected)
  }

  finally(settled?: (() => void) | null): Promise<T> {
    return this.then().finally(settled)
  }

  /** Resolves to `{ ok, data, error }` and doesn't throw a `LarderError`. `error.code` has the codes of this operation. */
  safe(): Promise<Result<T, Code>> {
    return this.then(
      (data): Result<T, Code> => ({ ok: true, data, error: undefined }),
      (error): Result<T, Code> => {
        if (error instanceof LarderError) return { ok: false, data: undefined, error: error as ErrorOf<Code> }
        throw error
      },
    )
  }

  /** Resolves to the body, with status, headers and ETag. */
  withResponse(): Promise<{ readonly data: T; readonly response: ResponseInfo }> {
    return this.#sent
  }
}

/** The error codes of a method: `ErrorsOf<typeof larder.content.pages.create>`. */
export type ErrorsOf<Method extends (...values: never[]) => unknown> =
  ReturnType<Method> extends Call<unknown, infer Code> ? ErrorOf<Code>['code'] : never

/** The response body of a method. */
export type DataOf<Method extends (...values: never[]) => unknown> = Awaited<ReturnType<Method>>

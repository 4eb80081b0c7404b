/** Types of requests, by their path in the API document. */
import type { Paths } from './api-types.ts'
import type { RecipePaths } from './recipe-paths.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Billing<Rest extends string> = Paths[`/v1/billing/admin/tenants/{id}${Rest}` & keyof Paths]
/** The console reads nothing of the customer that it changes. */
type Suspension = Paths['/v1/identity/admin/tenants/{id}/suspend']
/** Operations of products of people, in the shape of those on workspaces. */
interface PeoplePaths {
  '/v1/billing/admin/members/{id}': Billing<''>
  '/v1/billing/admin/members/{id}/subscription': Billing<'/subscription'>
  '/v1/billing/admin/members/{id}/subscription/cancel': Billing<'/subscription/cancel'>
  '/v1/billing/admin/members/{id}/subscription/trial': Billing<'/subscription/trial'>
  '/v1/billing/admin/members/{id}/credits': Billing<'/credits'>
  '/v1/identity/customers/{id}/suspend': Suspension
  '/v1/identity/customers/{id}/reinstate': Suspension
}
type Known = Omit<Paths & PeoplePaths, keyof RecipePaths> & RecipePaths
export type Path = keyof Known & string
/** The paths that have this method. */
export type PathOf<M extends Method> = { [P in Path]: M extends keyof Known[P] ? P : never }[Path]
type Operation<P extends Path, M extends Method> = M extends keyof Known[P] ? Known[P][M] : never
export type ResponseOf<P extends Path, M extends Method = 'get'> =
  Operation<P, M> extends { readonly response: infer R } ? R : never
/** What a list at this path consists of. */
export type RowOf<P extends Path> = ResponseOf<P> extends { readonly data: readonly (infer R)[] } ? R : never
export type BodyOf<P extends Path, M extends Method> =
  Operation<P, M> extends { readonly body?: infer B } ? NonNullable<B> : never

type NameIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | NameIn<Rest> : never
/** Values of the parameters in a path. */
export type PathParameters<P extends string> = Readonly<Record<NameIn<P>, string>>
type PathInput<P extends string> = [NameIn<P>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: PathParameters<P> }
/** The parameters of a path, `query` and `body` of a request. */
export type InputOf<P extends Path, M extends Method> = PathInput<P> & Readonly<Omit<Operation<P, M>, 'response'>>
/** The last argument of a function: without it if nothing in it is required. */
export type LastArgument<T> = Record<never, never> extends T ? readonly [input?: T] : readonly [input: T]

/** `/v1/forms/{id}/submissions/{sid}` with its parameters. */
export const fillPath = (path: string, parameters: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = parameters[name]
    return value === undefined ? whole : encodeURIComponent(value)
  })

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** A path with the parameters that have a value. */
export function addressOf(path: string, query: Query = {}): string {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`
}

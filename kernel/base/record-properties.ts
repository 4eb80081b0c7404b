/** What follows from the properties of a record: bodies of requests, and the parts of it that leave a module. */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { withHidden } from './json-schema.ts'

/**
 * A property of a record that callers write. Replies and the table have the schema `stored`, and bodies the schema `body`,
 * by default the same one.
 */
export const Writable = <Stored extends TSchema, Body extends TSchema = Stored>(stored: Stored, body?: Body) =>
  withHidden(stored, BODY, body ?? stored) as Stored & { readonly '~body': Body }

const BODY = '~body'
type BodyOf<Properties> = {
  [Name in keyof Properties as Properties[Name] extends { readonly '~body': TSchema }
    ? Name
    : never]: Properties[Name] extends { readonly '~body': infer Body extends TSchema } ? Body : never
}

/** The properties of a body that writes a record: those that are `Writable`. Callers write no other property. */
export const bodyOf = <Properties extends TProperties>(properties: Properties): BodyOf<Properties> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const body = (schema as { readonly [BODY]?: TSchema })[BODY]
      return body === undefined ? [] : [[name, body]]
    }),
  ) as BodyOf<Properties>

/** All properties of a record except those that stay inside, for an event, an export or a list. */
export const without = <Properties extends TProperties, const Name extends keyof Properties>(
  properties: Properties,
  inside: readonly Name[],
): Omit<Properties, Name> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !inside.includes(name as Name))) as Omit<
    Properties,
    Name
  >

/** The values that a record has of these properties. */
export const valuesOf = <Properties extends TProperties>(
  properties: Properties,
  record: Readonly<Static<TObject<Properties>>>,
): Static<TObject<Properties>> =>
  Object.fromEntries(Object.keys(properties).map(name => [name, record[name as keyof typeof record]])) as Static<
    TObject<Properties>
  >

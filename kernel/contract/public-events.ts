/** Events that a product may send to other systems, for example as webhooks. */
import type { TSchema } from 'typebox'
import { type LocalText, named, nameOf, pickText } from '../base/index.ts'

interface Annotations {
  readonly descriptions?: Readonly<Record<string, string>>
  readonly public?: true
  readonly internal?: true
  readonly webhookName?: string
}

/** A copy with these keywords. Property descriptors keep what TypeBox stores in hidden properties. */
function annotate<T extends TSchema>(schema: T, keywords: object): T {
  const descriptors = { ...Object.getOwnPropertyDescriptors(schema), ...Object.getOwnPropertyDescriptors(keywords) }
  return Object.defineProperties({} as T, descriptors)
}

/**
 * Declares an event that webhook endpoints can receive. Other events are internal. The payload must not contain secrets.
 * `description` is one sentence for the developers who receive the event. A schema has it in English; the other languages
 * are beside it. `name` is that of the webhook's schema in the API document, which is made of the type by default.
 */
export const publicEvent = <T extends TSchema>(description: LocalText, payload: T, name?: string): T =>
  annotate(payload, {
    description: pickText(description, 'en', 'en'),
    ...(typeof description !== 'string' && { descriptions: description }),
    public: true,
    ...(name !== undefined && { webhookName: name }),
  })

/** Declares a property of a public event that endpoints don't receive. */
export const internalProperty = <T extends TSchema>(schema: T): T => annotate(schema, { internal: true })

export interface PublicEvent {
  readonly type: string
  /** The module that publishes it. */
  readonly module: string
  readonly description: LocalText
  /** The name of the webhook's schema, if it isn't made of the type. */
  readonly name?: string
  /** The payload without internal properties. */
  readonly schema: TSchema
}

/** The public events of these modules, ordered by type. */
export function publicEventsOf(
  modules: readonly {
    readonly key: string
    readonly module: { readonly events?: Readonly<Record<string, TSchema>> }
  }[],
): readonly PublicEvent[] {
  return modules
    .flatMap(({ key, module }) =>
      Object.entries(module.events ?? {})
        .filter(([, schema]) => (schema as Annotations).public === true)
        .map(([type, schema]) => ({ type, module: key, ...publicPart(schema) })),
    )
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
}

function publicPart(schema: TSchema): Pick<PublicEvent, 'description' | 'schema' | 'name'> {
  const {
    public: _,
    version: __,
    description = '',
    descriptions,
    webhookName,
    properties = {},
    required = [],
    ...rest
  } = schema as PayloadSchema
  const shown = Object.entries(properties).filter(([, property]) => !property.internal)
  const names = new Set(shown.map(([name]) => name))
  const part = { ...rest, required: required.filter(name => names.has(name)), properties: Object.fromEntries(shown) }
  const name = nameOf(schema)
  return {
    description: descriptions ?? description,
    schema: name === undefined ? part : named(name, part),
    ...(webhookName !== undefined && { name: webhookName }),
  }
}
interface PayloadSchema extends Annotations {
  readonly version?: number
  readonly description?: string
  readonly properties?: Readonly<Record<string, Annotations>>
  readonly required?: readonly string[]
}
